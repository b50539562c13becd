import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isInside } from '../../src/lib/paths.ts';
import { editFile } from '../../src/tools/edit-file.ts';
import { listDir } from '../../src/tools/list-dir.ts';
import { readFile } from '../../src/tools/read-file.ts';
import { isOutcome, type Tool } from '../../src/tools/tool.ts';
import { writeFile } from '../../src/tools/write-file.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { toolContext } from './tool-context.ts';

const soak = Number(process.env.TILLDONE_SOAK_FACTOR ?? 1);
const rounds = 200 * soak;

/**
 * Exchanges a folder of the workspace for a link to a folder outside, and back, at every turn of the event loop, while tools work in it.
 * What was judged as inside must stay inside.
 */
it(`never leaves the workspace while links are swapped, ${rounds} rounds`, async () => {
  const root = await tempFolder();
  const workspace = join(root, 'ws');
  const outside = join(root, 'outside');
  for (const folder of [workspace, outside, join(workspace, 'dir')]) mkdirSync(folder);
  writeFileSync(join(workspace, 'dir/f.txt'), 'inside\n');
  writeFileSync(join(outside, 'f.txt'), 'SECRET\n');
  symlinkSync(outside, join(workspace, 'link'));
  const context = toolContext(workspace);

  let swapped = false;
  const swap = (): void => {
    const [away, here] = swapped ? ['link', 'real'] : ['real', 'link'];
    renameSync(join(workspace, 'dir'), join(workspace, away));
    for (let tries = 1; ; tries += 1) {
      try {
        renameSync(join(workspace, here), join(workspace, 'dir'));
        break;
      } catch (error) {
        if (tries === 100) throw error;
        // write_file, on another thread, saw the name missing for a moment and made the folder anew, inside; it may do so again
        rmSync(join(workspace, 'dir'), { recursive: true, force: true, maxRetries: 10 });
      }
    }
    swapped = !swapped;
  };
  let swapping = true;
  let step = 0;
  let gap = 1;
  const keepSwapping = (): void => {
    if (!swapping) return;
    step += 1;
    if (step >= gap) {
      step = 0;
      swap();
    }
    setImmediate(keepSwapping);
  };

  const calls: readonly (readonly [Tool, Record<string, unknown>])[] = [
    [readFile, { path: 'dir/f.txt' }],
    [writeFile, { path: 'dir/f.txt', content: 'inside, written\n' }],
    [writeFile, { path: 'dir/made/new.txt', content: 'inside, new\n' }],
    [editFile, { path: 'dir/f.txt', edits: [{ old_text: 'inside', new_text: 'INSIDE' }] }],
    [listDir, { path: 'dir' }],
  ];
  let judgedInside = 0;
  setImmediate(keepSwapping);
  try {
    for (let round = 0; round < rounds; round += 1) {
      // turns of the event loop between two swaps: a call takes about ten
      gap = [1, 2, 3, 5, 8, 13, 40][Math.floor(round / calls.length) % 7] ?? 1;
      const [tool, args] = calls[round % calls.length] ?? [readFile, {}];
      const prepared = await tool.prepare(args, context);
      if (isOutcome(prepared)) continue;
      // whatever it would touch outside was declared as such: the gate asks, and here says no
      if (!prepared.effects.every((effect) => 'path' in effect && isInside(effect.path, workspace))) continue;
      judgedInside += 1;
      const outcome = await prepared.run(new AbortController().signal, () => {});
      expect(outcome.output).not.toContain('SECRET');
    }
  } finally {
    swapping = false;
  }
  expect(readdirSync(outside)).toEqual(['f.txt']);
  expect(readFileSync(join(outside, 'f.txt'), 'utf8')).toBe('SECRET\n');
  expect(lstatSync(join(workspace, swapped ? 'dir' : 'link')).isSymbolicLink()).toBe(true);
  expect(judgedInside).toBeGreaterThan(0);
  // how many of them win the race is chance; with nothing in motion they succeed
  if (swapped) swap();
  const still = await readFile.prepare({ path: 'dir/f.txt' }, context);
  expect(isOutcome(still)).toBe(false);
  if (!isOutcome(still)) expect(await still.run(new AbortController().signal, () => {})).toMatchObject({ isError: false });
});
