import { readFile as read, writeFile as write } from 'node:fs/promises';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editFile } from '../../src/tools/edit-file.ts';
import { diffLines, formatDiff, splitLines } from '../../src/tools/file-diff.ts';
import { readFile } from '../../src/tools/read-file.ts';
import { applyEdits } from '../../src/tools/text-edits.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { callTool, toolContext } from './tool-context.ts';

const soak = Number(process.env.TILLDONE_SOAK_FACTOR ?? 1);
const seed = Number(process.env.TILLDONE_SEED ?? 1);

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
function utf32(text: string, littleEndian: boolean): Buffer {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(points.length * 4);
  for (const [index, point] of points.entries())
    littleEndian ? bytes.writeUInt32LE(point, index * 4) : bytes.writeUInt32BE(point, index * 4);
  return bytes;
}
/** A single-byte or multi-byte encoding, as its bytes around ASCII. */
const bytesOf = (hex: string): Buffer => Buffer.concat([utf8('before\n'), Buffer.from(hex, 'hex'), utf8('\ntarget\nafter\n')]);
const text = 'before ä\ntarget\nafter €\n';

/** 60 ways in which a file can hold `target` on a line of its own. Whether an edit is taken or refused, no other byte may change. */
const encodings: readonly (readonly [string, Buffer])[] = [
  ['ASCII', utf8('before\ntarget\nafter\n')],
  ['UTF-8', utf8(text)],
  ['UTF-8 with BOM', utf8(`\ufeff${text}`)],
  ['UTF-8 with two BOMs', utf8(`\ufeff\ufeff${text}`)],
  ['UTF-8, BOM in the middle', utf8('before \ufeff\ntarget\n')],
  ['CRLF', utf8(text.replaceAll('\n', '\r\n'))],
  ['CRLF with BOM', utf8(`\ufeff${text.replaceAll('\n', '\r\n')}`)],
  ['CR only', utf8(text.replaceAll('\n', '\r'))],
  ['mixed line ends', utf8('a\r\nb\ntarget\r\nc\rd\n')],
  ['LF CR', utf8('a\n\rtarget\n\rb')],
  ['CR CR LF', utf8('a\r\r\ntarget\r\r\nb')],
  ['no final newline', utf8('a\ntarget')],
  ['no final newline, CRLF', utf8('a\r\ntarget')],
  ['many final newlines', utf8('target\n\n\n\n')],
  ['only the target', utf8('target')],
  ['leading newlines', utf8('\n\n\ntarget\n')],
  ['trailing white space', utf8('a \t \ntarget \t\nb\t\n')],
  ['tabs', utf8('\t\ta\n\ttarget\n')],
  ['form feed and vertical tab', utf8('a\f\ntarget\nb\v\n')],
  ['escape sequences', utf8('\x1b[31ma\x1b[0m\ntarget\n')],
  ['C0 controls', utf8('\x01\x02\x07\x08\ntarget\n\x7f')],
  ['C1 controls', utf8('\x80\x9b\ntarget\n')],
  ['NEL, LS and PS', utf8('a\x85b\u2028c\u2029\ntarget\n')],
  ['bidi controls', utf8('a\u202eb\u202c\u2066\ntarget\n')],
  ['zero width', utf8('a\u200bb\u200dc\u2060\ntarget\n')],
  ['composed and decomposed', utf8('\u00e9 e\u0301\ntarget\n\u1e9b\u0323')],
  ['Hangul, composed and not', utf8('\uac00 \u1100\u1161\ntarget\n')],
  ['CJK', utf8('漢字かな\ntarget\n한글\n')],
  ['emoji sequences', utf8('👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪\ntarget\n')],
  ['astral plane', utf8('𝔘𝔫𝔦 \u{10ffff}\ntarget\n')],
  ['non-characters', utf8('\uffff\ufffe\ufdd0\ntarget\n')],
  ['replacement character', utf8('\ufffd\ntarget\n\ufffd')],
  ['private use', utf8('\ue000\uf8ff\ntarget\n')],
  ['right-to-left', utf8('שלום مرحبا\ntarget\n')],
  ['Thai and Devanagari', utf8('สวัสดี नमस्ते\ntarget\n')],
  ['a line of 100,000 characters', utf8(`${'ä'.repeat(100_000)}\ntarget\n`)],
  ['dollar signs and backslashes', utf8('$& $1 $$ \\1 \\n\ntarget\n')],
  ['UTF-16LE with BOM', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16BE with BOM', utf16be(`\ufeff${text}`)],
  ['UTF-16LE without BOM', Buffer.from(text, 'utf16le')],
  ['UTF-16BE without BOM', utf16be(text)],
  ['UTF-32LE with BOM', utf32(`\ufeff${text}`, true)],
  ['UTF-32BE with BOM', utf32(`\ufeff${text}`, false)],
  ['UTF-32LE without BOM', utf32(text, true)],
  ['UTF-32BE without BOM', utf32(text, false)],
  ['UTF-7', utf8('+AOQ-\ntarget\n')],
  ['ISO 8859-1', latin1('caf\xe9\ntarget\n\xfc\n')],
  ['ISO 8859-15', bytesOf('a4bcbdbe')],
  ['Windows-1252', bytesOf('8093949685')],
  ['Windows-1251', bytesOf('cff0e8e2e5f2')],
  ['KOI8-R', bytesOf('f0d2c9d7c5d4')],
  ['Mac Roman', bytesOf('8a9a9f')],
  ['Shift JIS', bytesOf('93fa967b8cea')],
  ['EUC-JP', bytesOf('c6fccbdcb8ec')],
  ['ISO 2022-JP', bytesOf('1b2442467c4b5c386c1b2842')],
  ['GB 18030', bytesOf('d6d0b9fa8130813095')],
  ['Big5', bytesOf('a4a4a4e5')],
  ['UTF-8, cut in the middle of a character', Buffer.concat([utf8('target\n'), Buffer.from([0xe2, 0x82])])],
  ['overlong and surrogate forms', Buffer.concat([utf8('target\n'), Buffer.from('c080eda080', 'hex')])],
  ['NUL in text', utf8('a\0b\ntarget\n')],
];

const edits: readonly (readonly [string, string])[] = [
  ['target', 'TARGET'],
  ['target', 'one\ntwo'],
  ['target', ''],
  ['target', 'ä\u{1f600}\ufeff'],
];

it('has 60 encodings', () => {
  expect(encodings.length).toBe(60);
});

it.each(encodings)('leaves every byte outside the edit: %s', async (_name, before) => {
  const context = toolContext(await tempFolder());
  const at = before.indexOf('target');
  const check = async ([oldText, newText]: readonly [string, string], index: number): Promise<void> => {
    const path = `f${index}`;
    await write(join(context.cwd, path), before);
    await callTool(readFile, { path }, context);
    const outcome = await callTool(editFile, { path, edits: [{ old_text: oldText, new_text: newText }] }, context);
    const after = await read(join(context.cwd, path));
    const expected = [utf8(newText), utf8(newText.replaceAll('\n', '\r\n'))].map((bytes) =>
      Buffer.concat([before.subarray(0, at), bytes, before.subarray(at + 6)]),
    );
    const isUtf8 = before.equals(utf8(before.toString('utf8'))) && !before.includes(0);
    expect(outcome.isError).toBe(!isUtf8);
    expect((outcome.isError ? [before] : expected).some((bytes) => bytes.equals(after))).toBe(true);
  };
  await Promise.all(edits.map(check));
});

/** Lines of few words, so that edits find something and lines repeat. */
const lines = fc.array(fc.constantFrom('a', 'b', 'ab', '', 'c d', 'é', '\ta'), { maxLength: 30 });
const fileText = fc
  .tuple(lines, fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([parts, eol, closed]) => parts.join(eol) + (closed ? eol : ''));

it('shows each change as a diff that another program can apply', async () => {
  await fc.assert(
    fc.asyncProperty(fileText, fileText, async (before, after) => {
      const old = splitLines(before);
      const diff = formatDiff('/ws/f', '/ws', old, await diffLines(old, splitLines(after)));
      if (diff === '') expect(after).toBe(before);
      else expect(applyPatch(before, `${diff}\n`, { autoConvertLineEndings: false })).toBe(after);
    }),
    { numRuns: 300 * soak, seed },
  );
});

it('the diff of an edit is the edit', () => {
  const span = fc.tuple(fc.nat(1000), fc.integer({ min: 1, max: 12 }), fc.constantFrom('', 'x', 'x\n', 'x\ny', '\n', 'a\n'));
  fc.assert(
    fc.property(fileText, fc.array(span, { minLength: 1, maxLength: 4 }), (before, spans) => {
      const wanted = spans.map(([start, length, newText]) => {
        const from = start % (before.length + 1);
        return { old_text: before.slice(from, from + length), new_text: newText };
      });
      const result = applyEdits(before, wanted);
      if ('error' in result) return;
      const diff = formatDiff('/ws/f', '/ws', splitLines(before), result.changes);
      expect(applyPatch(before, `${diff}\n`, { autoConvertLineEndings: false })).toBe(result.text);
    }),
    { numRuns: 800 * soak, seed },
  );
});
