import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { instructionBytes, loadInstructions } from '../../src/config/instructions.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

/** A repository with a package in it, and the files given by their paths in it. */
async function repository(files: Readonly<Record<string, string>>, options: { readonly git: boolean } = { git: true }) {
  const outside = await tempFolder();
  const root = join(outside, 'repo');
  const inner = join(root, 'packages', 'app');
  await mkdir(inner, { recursive: true });
  if (options.git) await mkdir(join(root, '.git'));
  for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text);
  return { outside, root, inner };
}

describe('loadInstructions', () => {
  it('joins the files from the root of the repository to the workspace', async () => {
    const { root, inner } = await repository({ 'AGENTS.md': 'Root rules.\n', 'packages/app/AGENTS.md': '\ufeffApp rules.\n' });
    expect(await loadInstructions(inner)).toEqual({
      text: `Instructions from ${root}/AGENTS.md:\n\nRoot rules.\n\nInstructions from ${inner}/AGENTS.md:\n\nApp rules.`,
      files: [join(root, 'AGENTS.md'), join(inner, 'AGENTS.md')],
      notices: [],
    });
  });
  it.each([
    [['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'], 'AGENTS.md'],
    [['CLAUDE.md', 'GEMINI.md'], 'CLAUDE.md'],
    [['GEMINI.md'], 'GEMINI.md'],
    [[], undefined],
  ])('of %j in a folder it reads %s', async (names, expected) => {
    const { root } = await repository(Object.fromEntries(names.map((name) => [name, name])));
    const { files } = await loadInstructions(root);
    expect(files).toEqual(expected === undefined ? [] : [join(root, expected)]);
  });
  it('outside a repository reads only the workspace', async () => {
    const { inner, outside } = await repository({ 'AGENTS.md': 'Root', 'packages/app/AGENTS.md': 'App' }, { git: false });
    await writeFile(join(outside, 'AGENTS.md'), 'Outside');
    expect((await loadInstructions(inner)).files).toEqual([join(inner, 'AGENTS.md')]);
  });
  it('does not look above the root of the repository', async () => {
    const { inner, outside } = await repository({});
    await writeFile(join(outside, 'AGENTS.md'), 'Outside');
    expect((await loadInstructions(inner)).files).toEqual([]);
  });
  it('follows a link inside the repository', async () => {
    const { root } = await repository({ 'rules.md': 'Rules' });
    await symlink('rules.md', join(root, 'AGENTS.md'));
    expect((await loadInstructions(root)).text).toContain('Rules');
  });
  it('follows no link out of it, and says so', async () => {
    const { root, outside } = await repository({});
    await writeFile(join(outside, 'id_rsa'), 'SECRET');
    await symlink('../id_rsa', join(root, 'AGENTS.md'));
    const { text, notices } = await loadInstructions(root);
    expect(text).toBe('');
    expect(notices).toEqual([`${root}/AGENTS.md was left out: it leads out of ${root}.`]);
  });
  it('reads only regular files', async () => {
    const { root } = await repository({});
    await mkdir(join(root, 'AGENTS.md'));
    expect((await loadInstructions(root)).notices).toEqual([`${root}/AGENTS.md was left out: it is not a regular file.`]);
  });
  it('caps at 64 KiB, the nearest first, at a line end, and says so', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const { root, inner } = await repository({ 'AGENTS.md': line.repeat(400), 'packages/app/AGENTS.md': line.repeat(400) });
    const { text, notices, files } = await loadInstructions(inner);
    expect(files).toHaveLength(2);
    expect(Buffer.byteLength(text)).toBeLessThan(instructionBytes + 300);
    expect(
      text
        .split('\n')
        .filter((each) => each.startsWith('xx'))
        .every((each) => each.length === 99),
    ).toBe(true);
    expect(notices).toEqual([`${root}/AGENTS.md was cut: instructions are capped at 64 KiB.`]);
  });
  it('cuts one long line between characters', async () => {
    const { root } = await repository({ 'AGENTS.md': '漢'.repeat(30_000) });
    const { text } = await loadInstructions(root);
    expect(text).toMatch(/漢$/u);
    expect(text).not.toContain('\ufffd');
  });
});
