// edit_file against a plain rewrite; grep and glob against bare ripgrep on 20,000 files.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { systemClock } from '../../src/lib/clock.ts';
import { editFile } from '../../src/tools/edit-file.ts';
import { createGlob } from '../../src/tools/glob.ts';
import { createGrep } from '../../src/tools/grep.ts';
import { readFile } from '../../src/tools/read-file.ts';
import { findRipgrep } from '../../src/tools/ripgrep.ts';
import { isOutcome, type Tool, type ToolContext } from '../../src/tools/tool.ts';
import { writeFile } from '../../src/tools/write-file.ts';
import type { BenchTools, Row } from './tools.js';

const lineCount = 20_000;
const editCount = 500;
const fileCount = 20_000;

/** A context for tools that only touch files. */
function fileContext(cwd: string): ToolContext {
  const hashes = new Map<string, string>();
  const unused = (): never => {
    throw new Error('not part of this benchmark');
  };
  return {
    callId: 'bench',
    cwd,
    extraDirs: [],
    interactive: false,
    clock: systemClock,
    files: { seen: (path) => hashes.get(path), remember: (path, hash) => hashes.set(path, hash) },
    todos: { list: unused, write: unused },
    processes: { run: unused, start: unused, list: unused, read: unused, wait: unused, kill: unused },
    ask: unused,
    pause: unused,
  };
}

async function call(tool: Tool, args: Record<string, unknown>, context: ToolContext): Promise<string> {
  const prepared = await tool.prepare(args, context);
  const outcome = isOutcome(prepared) ? prepared : await prepared.run(new AbortController().signal, () => {});
  if (outcome.isError) throw new Error(outcome.output);
  return outcome.output;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function bareRipgrep(args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, ['--no-config', ...args, './'], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    child.once('error', reject);
    child.once('close', (code) => (code !== null && code < 2 ? resolve() : reject(new Error(`rg ended with ${code}`))));
  });
}

async function measureEdits(folder: string): Promise<{ edits: number; rewrites: number; together: number; bytes: number }> {
  const context = fileContext(folder);
  const line = (number: number, text: string): string => `line ${number}: ${text} and some more text to make it as long as code is\n`;
  const lines = Array.from({ length: lineCount }, (_, index) => line(index, 'before'));
  const [edited, rewritten] = [join(folder, 'edited.txt'), join(folder, 'rewritten.txt')];
  const reset = async (path: string): Promise<void> => {
    writeFileSync(path, lines.join(''));
    await call(readFile, { path }, context);
  };
  const numbers = Array.from({ length: editCount }, (_, index) => (index * 7919) % lineCount);
  const edit = (number: number) => ({ old_text: `line ${number}: before`, new_text: `line ${number}: after` });
  const wanted = lines.map((text, index) => (numbers.includes(index) ? line(index, 'after') : text)).join('');
  const check = (path: string): void => {
    if (readFileSync(path, 'utf8') !== wanted) throw new Error('the file is not what the edits should have made');
  };
  await reset(edited);
  await reset(rewritten);
  const text = [...lines];
  let edits = 0;
  let rewrites = 0;
  // by turns, so that what else the machine does hits both alike
  for (const number of numbers) {
    edits += await timed(() => call(editFile, { path: edited, edits: [edit(number)] }, context));
    text[number] = line(number, 'after');
    const content = text.join('');
    rewrites += await timed(() => call(writeFile, { path: rewritten, content }, context));
  }
  check(edited);
  check(rewritten);
  await reset(edited);
  const together = await timed(() => call(editFile, { path: edited, edits: numbers.map(edit) }, context));
  check(edited);
  return { edits, rewrites, together, bytes: wanted.length };
}

function plant(folder: string): void {
  writeFileSync(join(folder, '.gitignore'), 'ignored/\n*.log\n');
  for (let index = 0; index < fileCount; index += 1) {
    const place = join(folder, `package-${index % 40}`, `part-${index % 10}`);
    if (index < 400) mkdirSync(place, { recursive: true });
    const name = index % 4 === 0 ? `file-${index}.md` : `file-${index}.ts`;
    const needle = index % 200 === 0 ? 'export const needleInHaystack = 1;\n' : '';
    writeFileSync(join(place, name), `${`export const value${index} = ${index};\n`.repeat(20)}${needle}`);
  }
}

/** Rows on editing and searching. */
export async function measure({ inTurns, row }: BenchTools): Promise<Row[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tilldone-bench-')));
  try {
    const { edits, rewrites, together, bytes } = await measureEdits(folder);
    plant(folder);
    const context = fileContext(folder);
    const grep = createGrep(findRipgrep);
    const glob = createGlob(findRipgrep);
    const everything = { pattern: 'needleInHaystack' };
    await call(grep, everything, context);
    const ignoring = ['--hidden', '--glob=!.git', '--no-require-git'];
    const [ourGrep = 0, bareGrep = 1, ourGlob = 0, bareGlob = 1, ourSomeGlob = 0, bareSomeType = 1, bareSomeGlob = 1] = await inTurns(
      [
        () => timed(() => call(grep, everything, context)),
        () => timed(() => bareRipgrep([...ignoring, '--line-number', 'needleInHaystack'], folder)),
        () => timed(() => call(glob, { pattern: '**/*' }, context)),
        () => timed(() => bareRipgrep([...ignoring, '--files', '--sortr=modified'], folder)),
        () => timed(() => call(glob, { pattern: '**/file-1*0.md' }, context)),
        () =>
          timed(() => bareRipgrep([...ignoring, '--files', '--sortr=modified', '--type-add=wanted:file-1*0.md', '--type=wanted'], folder)),
        () => timed(() => bareRipgrep([...ignoring, '--files', '--sortr=modified', '--glob=**/file-1*0.md'], folder)),
      ],
      15,
    );
    const ms = (value: number): string => `${value.toFixed(0)} ms`;
    return [
      row(`${editCount} edits / ${editCount} rewrites, ${lineCount} lines`, edits / rewrites, {
        limit: 1,
        note: `${ms(edits)} and ${ms(rewrites)}; arguments ${editCount * 60} and ${editCount * bytes} bytes`,
      }),
      row(`${editCount} edits in one call / one by one`, together / edits, { note: ms(together) }),
      row(`grep / bare ripgrep, ${fileCount} files`, ourGrep / bareGrep, { limit: 1.3, note: `${ms(ourGrep)} and ${ms(bareGrep)}` }),
      row('glob of all, newest first / rg --files --sortr', ourGlob / bareGlob, { limit: 1.3, note: `${ms(ourGlob)} and ${ms(bareGlob)}` }),
      row('glob of some, newest first / rg --files --sortr --type', ourSomeGlob / bareSomeType, {
        limit: 1.3,
        note: `${ms(ourSomeGlob)} and ${ms(bareSomeType)}`,
      }),
      // another answer: --glob brings back ignored files
      row('  the same / rg --files --sortr --glob', ourSomeGlob / bareSomeGlob, { note: ms(bareSomeGlob) }),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
