import { createHash } from 'node:crypto';
import { lazy } from '../types/lazy.ts';

/** Hash of a file's bytes, by which an edit knows that the file is still the one that was read. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}

export type DecodedText =
  /** `text` keeps a byte order mark, so that encoding it again gives the same bytes. */
  | { readonly kind: 'utf8'; readonly text: string }
  /** Readable, but not to be written back: another encoding, or bytes that are none of UTF-8. */
  | { readonly kind: 'foreign'; readonly encoding: string; readonly text: string }
  | { readonly kind: 'binary' };

const strictUtf8 = lazy(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }));

/** Reads bytes as text. What is not exactly UTF-8 is told apart, so that nobody converts it by accident. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return foreign('UTF-16LE', 'utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return foreign('UTF-16BE', 'utf-16be', bytes);
  if (bytes.includes(0)) return { kind: 'binary' };
  try {
    return { kind: 'utf8', text: strictUtf8().decode(bytes) };
  } catch {
    return foreign('unknown encoding (not UTF-8)', 'utf-8', bytes);
  }
}

function foreign(encoding: string, label: string, bytes: Uint8Array): DecodedText {
  return { kind: 'foreign', encoding, text: new TextDecoder(label).decode(bytes) };
}

/** A picture or document by its first bytes, in words; undefined for anything else. */
export function describeMedia(bytes: Buffer): string | undefined {
  const ascii = (start: number, end: number): string => bytes.toString('latin1', start, end);
  if (bytes.length < 12) return undefined;
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n' && bytes.length >= 24) return sized('PNG image', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  if (/^GIF8[79]a$/u.test(ascii(0, 6))) return sized('GIF image', bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  if (ascii(0, 3) === '\xff\xd8\xff') return describeJpeg(bytes);
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'WebP image';
  if (ascii(0, 2) === 'BM' && bytes.length >= 26 && bytes.readUInt32LE(2) === bytes.length) {
    return sized('BMP image', bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22)));
  }
  if (/^ftyp(?:avif|heic|heix|mif1)$/u.test(ascii(4, 12))) return 'AVIF or HEIC image';
  if (/^(?:II\*\0|MM\0\*)$/u.test(ascii(0, 4))) return 'TIFF image';
  if (ascii(0, 5) === '%PDF-') return 'PDF document';
  return undefined;
}

function sized(what: string, width: number, height: number): string {
  return `${what}, ${width}×${height} pixels`;
}

/** Walks the segments of a JPEG to the frame header, which has the size (ITU T.81 B.2.2). */
function describeJpeg(bytes: Buffer): string {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return sized('JPEG image', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return 'JPEG image';
}
