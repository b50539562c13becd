import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { htmlToMarkdown } from './html-to-markdown.ts';

/** Largest body after decompression, in bytes. */
export const maxBodyBytes = 5 * 1024 * 1024;

function decompressor(encoding: string): Transform | 'none' | undefined {
  switch (encoding) {
    case '':
    case 'identity':
      return 'none';
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

/** The body of a response, decompressed; `cut` when there was more than `maxBodyBytes`. Throws when the stream breaks. */
export async function readBody(response: IncomingMessage): Promise<{ readonly bytes: Buffer; readonly cut: boolean }> {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  const unpack = decompressor(encoding);
  if (unpack === undefined) throw new Error(`the encoding '${encoding}' is not understood`);
  if (unpack !== 'none') response.once('error', (error) => unpack.destroy(error)).pipe(unpack);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of unpack === 'none' ? response : unpack) {
      const piece = Buffer.from(chunk);
      const room = maxBodyBytes - bytes;
      chunks.push(piece.subarray(0, room));
      bytes += Math.min(piece.length, room);
      if (piece.length > room) return { bytes: Buffer.concat(chunks), cut: true };
    }
    return { bytes: Buffer.concat(chunks), cut: false };
  } finally {
    response.destroy();
  }
}

function decodeBytes(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder('utf-8').decode(bytes);
  }
}

/** A page as text: HTML as Markdown, of which little more than `maxChars` is made, other text as it is; undefined for what is no text. */
export function pageToText(
  bytes: Buffer,
  { contentType, url, maxChars }: { contentType: string; url: string; maxChars: number },
): string | undefined {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const kind = type.trim();
  const isHtml = kind === 'text/html' || kind === 'application/xhtml+xml';
  const isText =
    kind === '' || kind.startsWith('text/') || /^application\/(?:.*\+)?(?:json|xml|javascript|yaml|x-ndjson|toml)$/u.test(kind);
  if (!isHtml && !isText) return undefined;
  const declared = /charset\s*=\s*"?([\w-]+)/u.exec(parameters.join(';'))?.[1];
  const inPage = isHtml ? /<meta[^>]+charset\s*=\s*["']?([\w-]+)/iu.exec(bytes.toString('latin1', 0, 2048))?.[1] : undefined;
  const text = decodeBytes(bytes, declared ?? inPage ?? 'utf-8');
  if (kind === '' && text.includes('\0')) return undefined;
  return isHtml ? htmlToMarkdown(text, { base: url, maxChars }) : text;
}
