import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../../src/lib/process.ts';
import { decideCommand } from '../../src/permissions/decide-command.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { judgeContext } from './context.ts';

const factor = Number(process.env.TILLDONE_SOAK_FACTOR ?? 1);
const seed = Number(process.env.TILLDONE_SEED ?? 1);
const wanted = Math.round(2000 * factor);

/** Harmless programs, and one that leaves the canary. Rules free all words but `touch`. */
const programs = [
  'cat',
  'head',
  'wc',
  'touch',
  'tee',
  'env',
  'xargs',
  'sort',
  'find',
  'sed',
  'seq',
  'basename',
  'nice',
  'timeout',
  'grep',
  'cmp',
  'ls',
  'bash',
  'sh',
];
const rules = [
  'seq',
  'basename',
  'grep',
  'printf',
  'test',
  'cd',
  'tee',
  'env',
  'xargs',
  'sort',
  'find',
  'sed',
  'nice',
  'timeout',
  'bash',
  'sh',
  'eval',
  'source',
  'A',
  'f.txt',
].map((word) => `shell(${word} *)`);

const heads = [
  'echo',
  'printf',
  'test',
  'true',
  'false',
  'pwd',
  'cd',
  'echo',
  'printf',
  'echo',
  'true',
  'seq',
  'basename',
  'cat',
  'head',
  'ls',
];
const badHeads = [
  'touch',
  "'touch'",
  't\\ouch',
  'eval',
  'xargs',
  'env',
  'bash',
  'sh -c',
  'source',
  '.',
  'exec',
  'A=1',
  './f.txt',
  'sort',
  'find',
  'sed',
  'nice',
  'time',
  '!',
  '{',
  'if',
  'tee',
  '$A',
  'timeout 1',
];
const words = [
  'a',
  'f.txt',
  '-n',
  '-e',
  '2',
  '--',
  '-',
  'PWNED',
  'x=y',
  "'a b'",
  '"c d"',
  '%s',
  '-eq',
  '-ef',
  '-R',
  '-o',
  '-a',
  '%d',
  '%b',
  '%q',
  '%(%s)T',
  '%n',
  '-f',
  '/dev/null',
  'sub',
  '.',
  'a=touch',
  "''",
  '""',
  '!',
  '=',
  '-v',
  '+',
  ',',
  '^',
  '@',
  ':',
  '%',
];
const traps = [
  'touch PWNED',
  '$(touch PWNED)',
  '`touch PWNED`',
  '>PWNED',
  '> PWNED',
  '<(touch PWNED)',
  '$A',
  '*',
  '?',
  '~',
  '#',
  '\\',
  '{a,b}',
  '[a]',
  'a[$(touch PWNED)]',
  "$'\\n'",
  '\n',
  '\r',
  '\t',
  '\u00a0',
  '\0',
  '&',
  '<',
  '>',
  '(',
  ')',
  '\\\n',
  '2>&1',
  '2>/dev/null',
  '>/dev/null',
  '>&2',
  '&>PWNED',
  '<<<x',
  '\x1f',
  '\x7f',
];
const joins = [';', '&&', '||', '|', ' ; ', ' && ', ' || ', ' | '];
const badJoins = ['&', '\n', '|&', ';;', ' & ', '|||', '&&&', '\\\n', '\r'];
const quotes = ["'", '"', '', '', ''];

const random = createFakeClock(0, seed).random;
function pick(list: readonly string[]): string {
  return list[Math.floor(random() * list.length)] ?? '';
}

function word(): string {
  const chance = random();
  if (chance < 0.78) return pick(words);
  const quote = pick(quotes);
  if (chance < 0.95) return `${quote}${pick(words)}${pick(traps)}${quote}`;
  return `${pick(words)}${pick(quotes)}${pick(traps)}${pick(quotes)}`;
}

function segment(): string {
  const head = random() < 0.9 ? pick(heads) : pick(badHeads);
  return [head, ...Array.from({ length: Math.floor(random() * 4) }, word)].join(random() < 0.95 ? ' ' : pick(['  ', '\t', '\n', '']));
}

/** Commands that leave the canary in ways which a judgement with one hole would not see. */
const smuggled = [
  'echo a & touch PWNED',
  'echo a &touch PWNED',
  "echo \\';touch PWNED;echo \\'",
  'echo "\\";touch PWNED;echo "\\"',
  'echo a\\\ntouch PWNED',
  "printf -v 'a[$(touch PWNED)]' x",
  "test -v 'a[$(touch PWNED)]'",
  "test x -a -v 'a[$(touch PWNED)]'",
  "test -R 'a[$(touch PWNED)]'",
  'timeout 1 touch PWNED',
  'nice touch PWNED',
  'env touch PWNED',
  'env A=1 touch PWNED',
  'echo PWNED | xargs touch',
  'bash f.txt',
  'sh f.txt',
  "bash -c 'touch PWNED'",
  'source ./f.txt',
  '. ./f.txt',
  './f.txt',
  "'./f.txt'",
  'cat f.txt | sh',
  "eval 'touch PWNED'",
  'A=1 touch PWNED',
  'A=1; touch PWNED',
  'sort -o PWNED f.txt',
  'find . -exec touch PWNED +',
  "sed -n 'w PWNED' f.txt",
  'echo a | tee PWNED',
  'echo a >/dev/null>PWNED',
  'echo a 2>/dev/null&touch PWNED',
  'echo a >&2&touch PWNED',
  'echo a 2>&1>PWNED',
  'if true; then touch PWNED; fi',
  '! touch PWNED',
  'time touch PWNED',
  'coproc touch PWNED',
  'echo a ||| touch PWNED',
  'echo a;;touch PWNED',
  'cd sub && ../f.txt',
  'cd sub; touch PWNED',
];

function command(): string {
  let text = random() < 0.25 ? pick(smuggled) : segment();
  while (random() < 0.3) text += (random() < 0.9 ? pick(joins) : pick(badJoins)) + segment();
  if (random() < 0.1) text += pick([' &', ';', ' #', ' >PWNED', ' 2>/dev/null', '\n', ' |', "'", '"']);
  if (random() < 0.2) {
    // one character put in or exchanged anywhere
    const at = Math.floor(random() * text.length);
    text = text.slice(0, at) + pick([...traps, ...joins, ...quotes]) + text.slice(at + Math.floor(random() * 2));
  }
  return text;
}

/**
 * Runs each NUL-ended command and prints the number of the first one after which the folder is not as it was. Without a subshell of its own
 * for each, which would be slow: a command that ends the shell shows as well, because then nothing is printed.
 */
const driver = `
number=0
home=$PWD
while IFS= read -r -d '' line; do
  number=$((number + 1))
  eval "$line" </dev/null >/dev/null 2>&1
  cd "$home"
  set -- * .[!.]* sub/*
  if [ "$*" != "f.txt sub .[!.]* sub/*" ]; then echo "$number: $*"; exit 0; fi
done
echo clean
`;

async function run(batch: readonly string[], workspace: string, bin: string): Promise<string> {
  mkdirSync(join(workspace, 'sub'), { recursive: true });
  writeFileSync(join(workspace, 'f.txt'), 'touch PWNED\n');
  chmodSync(join(workspace, 'f.txt'), 0o755);
  const result = await runProgram(
    { file: 'bash', args: ['--noprofile', '--norc', '-c', driver], cwd: workspace, env: { PATH: bin, HOME: workspace } },
    { maxBytes: 100_000, input: `${batch.join('\0')}\0` },
  );
  return result.stdout.toString().trim();
}

/** A folder with links to the few programs that the commands may find. */
function programFolder(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const search = (process.env.PATH ?? '').split(':');
  for (const name of programs) {
    const place = search.find((each) => readable(each).includes(name));
    if (place !== undefined) symlinkSync(join(place, name), join(bin, name));
  }
  return bin;
}

function readable(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

it('would see a trace', async () => {
  const folder = await tempFolder();
  const bin = programFolder(folder);
  expect(await run(['echo a', 'cd sub; touch x', 'echo b'], join(folder, 'one'), bin)).toMatch(/^2: /u);
  expect(await run(['echo a', 'echo "$(touch PWNED)"'], join(folder, 'two'), bin)).toMatch(/^2: /u);
  expect(await run(['echo a', 'exit 0'], join(folder, 'three'), bin)).toBe('');
});

it(`runs nothing of ${wanted} commands judged automatic that leaves a trace`, { timeout: 60_000 * Math.max(1, factor) }, async () => {
  const folder = await tempFolder();
  const bin = programFolder(folder);
  let tried = 0;
  let left = wanted;
  while (left > 0) {
    const batches = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const workspace = join(folder, name);
        const context = { ...judgeContext({ allow: rules }), workspace, extraDirs: [] };
        const batch: string[] = [];
        while (batch.length < Math.min(1000, Math.ceil(left / 2))) {
          tried += 1;
          const candidate = command();
          if (decideCommand(candidate, workspace, context).verdict === 'allow') batch.push(candidate);
        }
        const said = await run(batch, workspace, bin);
        return said === 'clean' ? batch.length : `${said} after ${JSON.stringify(batch[Number.parseInt(said, 10) - 1] ?? batch)}`;
      }),
    );
    expect(batches.filter((batch) => typeof batch === 'string')).toEqual([]);
    left -= batches.reduce<number>((sum, batch) => sum + Number(batch), 0);
  }
  // the mixture is worth its name: most of what is made must not be automatic
  expect(tried).toBeGreaterThan(wanted * 1.5);
});
