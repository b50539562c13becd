import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

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

/** Longest HTML that is converted, in characters: the parser is slow and holds up the program. */
const maxHtmlChars = 1_000_000;

async function htmlToMarkdown(html: string): Promise<string> {
  const { default: Turndown } = await import('turndown');
  const service = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  service.remove(['script', 'style', 'noscript', 'iframe', 'template', 'head']);
  try {
    return service.turndown(html.slice(0, maxHtmlChars));
  } catch {
    // nested too deep for a recursive walk: the bare text is better than nothing
    return html
      .slice(0, maxHtmlChars)
      .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/giu, '')
      .replace(/<[^>]*>/gu, ' ')
      .replace(/[ \t]+/gu, ' ');
  }
}

function decodeBytes(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder('utf-8').decode(bytes);
  }
}

/** A page as text: HTML as Markdown, other text as it is; undefined for what is no text. */
export async function pageToText(bytes: Buffer, contentType: string): Promise<string | undefined> {
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
  return isHtml ? htmlToMarkdown(text) : text;
}
