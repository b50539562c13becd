import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decideCommand } from '../../src/permissions/decide-command.ts';
import { parseRules } from '../../src/permissions/rules.ts';
import { judgeContext, workspace } from './context.ts';

const lines = readFileSync(new URL('../fixtures/hostile-commands.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '));
const commands = lines.map((line) => line.replace(/ {3}# .*$/u, '').replaceAll('⏎', '\n'));

const innocent = ['ls', 'cat', 'echo', 'find', 'sort', 'git', 'npm', 'python3', 'printf', 'tar', 'sed', 'grep'];

/** Verdict with bare allow rules for these words; words that no rule may name are left out, as at a start. */
function verdict(command: string, words: readonly string[]): string {
  const { rules } = parseRules({ allow: words.map((word) => `shell(${word} *)`) }, 'user');
  return decideCommand(command, workspace, { ...judgeContext(), rules }).verdict;
}

describe('the hostile commands', () => {
  it('are all there', () => {
    expect(commands.length).toBeGreaterThanOrEqual(45);
  });

  it.each(commands)('%j is not automatic with a rule for its first word, for any of twelve words, or for all of them', (command) => {
    const own = /[\w.-]*\w/u.exec(command)?.[0] ?? '';
    expect(verdict(command, [own])).not.toBe('allow');
    for (const word of innocent) expect(`${word}: ${verdict(command, [word])}`).toBe(`${word}: ask`);
    expect(verdict(command, [...innocent, own])).not.toBe('allow');
  });
});

const payloads = [
  'touch PWNED',
  "'touch' PWNED",
  '"touch" PWNED',
  "tou''ch PWNED",
  't\\ouch PWNED',
  "$'touch' PWNED",
  "$'\\x74ouch' PWNED",
  '/usr/bin/touch PWNED',
  './touch PWNED',
  'touch$IFS"PWNED"',
  '{touch,PWNED}',
  'touch\tPWNED',
  '  touch   PWNED  ',
  'tou?h PWNED',
  'TOUCH=touch; $TOUCH PWNED',
  'A=1 touch PWNED',
  '>PWNED',
  '> PWNED',
  '>>PWNED',
  '>|PWNED',
  '1>PWNED',
  '2>PWNED',
  '&>PWNED',
  '3<>PWNED',
  'tee PWNED',
  'cp f.txt PWNED',
  'printf -v x a; touch PWNED',
];

const wrappers = [
  'env',
  'env -i',
  'env A=1',
  'nice',
  'nice -n 5',
  'nohup',
  'timeout 5',
  'timeout --signal=KILL 5',
  'time',
  'stdbuf -o0',
  'setsid',
  'xargs',
  'xargs -I{}',
  'sudo',
  'sudo -u root',
  'exec',
  'exec -a x',
  'command',
  'builtin',
  'eval',
  'bash -c',
  'sh -c',
  'bash -x -c',
  'busybox',
  'find . -exec',
  'git -c core.pager=x',
  'npx',
  'python3 -c',
  'node -e',
  'perl -e',
  'awk',
  'ssh localhost',
  'watch -n1',
  'script -c',
  'parallel',
  'flock f',
  'ionice',
  'chroot .',
  'unshare',
  'make',
  'source',
  '.',
  'trap',
  'coproc',
  '!',
  'then',
];

const joiners = [
  'ls; @',
  'ls;@',
  'ls && @',
  'ls&&@',
  'ls || @',
  'false||@',
  'ls | @',
  'ls|@',
  'ls & @',
  'ls &@',
  'ls\n@',
  'ls\r\n@',
  'ls #\n@',
  '(@)',
  '{ @; }',
  'echo $(@)',
  'echo "$(@)"',
  'echo `@`',
  'echo "`@`"',
  'cat <(@)',
  'echo a >(@)',
  'if true; then @; fi',
  'while true; do @; break; done',
  'for i in 1; do @; done',
  'case a in a) @;; esac',
  'f() { @; }; f',
  'cat <<X\n$(@)\nX',
  'cat <<<"$(@)"',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
  'echo ${x:-$(@)}',
  '[[ $(@) ]]',
  '@ &',
  '@ # comment',
  'ls 2>/dev/null; @',
  '>/dev/null @',
  'cd . && @',
];

describe('generated variants', () => {
  const variants = [
    ...wrappers.flatMap((wrapper) => payloads.map((payload) => `${wrapper} ${payload}`)),
    ...joiners.flatMap((joiner) => payloads.map((payload) => joiner.replace('@', () => payload))),
    ...joiners.flatMap((joiner) => wrappers.map((wrapper) => joiner.replace('@', () => `${wrapper} touch PWNED`))),
  ];
  const words = [...innocent, ...new Set(wrappers.map((wrapper) => wrapper.split(' ')[0] ?? '')), 'cd', 'false', 'A', 'TOUCH', 'if', 'for'];

  it('are at least 400', () => {
    expect(new Set(variants).size).toBeGreaterThanOrEqual(400);
  });

  it('are never automatic, with bare rules for every word but the payload', () => {
    const { rules } = parseRules({ allow: words.map((word) => `shell(${word} *)`) }, 'user');
    const context = { ...judgeContext(), rules };
    const automatic = variants.filter((variant) => decideCommand(variant, workspace, context).verdict === 'allow');
    expect(automatic).toEqual([]);
  });

  it('are found by a deny rule, wherever the word is written out', () => {
    const context = { ...judgeContext({ deny: ['shell(touch *)'] }), mode: 'yolo' as const };
    const plain = joiners.flatMap((joiner) => wrappers.map((wrapper) => joiner.replace('@', () => `${wrapper} touch PWNED`)));
    expect(plain.filter((variant) => decideCommand(variant, workspace, context).verdict !== 'deny')).toEqual([]);
  });
});
