import { asRecord, parseJson, textAt } from './wire-values.ts';

/** The sentence for people in an error body, on one line: from JSON of any known shape, the title of an HTML page, or plain text. */
export function readServerText(body: string): string {
  const json = parseJson(body);
  const text = json === undefined ? (/^\s*</u.test(body) ? htmlText(body) : body) : (jsonText(json, 0) ?? '');
  return text.replace(/\s+/gu, ' ').trim();
}

function jsonText(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (depth > 4) return undefined;
  if (Array.isArray(value)) {
    const texts = value.slice(0, 3).flatMap((entry) => jsonText(entry, depth + 1) ?? []);
    return texts.length === 0 ? undefined : texts.join('; ');
  }
  const record = asRecord(value);
  if (record === undefined) return undefined;
  const nested = jsonText(record.error, depth + 1) ?? jsonText(record.message, depth + 1) ?? textAt(record, 'msg');
  // A gateway puts what the model's own endpoint said into the metadata.
  const raw = textAt(asRecord(record.metadata), 'raw');
  if (nested !== undefined) return raw === undefined ? nested : `${nested} (${jsonText(parseJson(raw) ?? raw, depth + 1) ?? raw})`;
  return jsonText(record.detail, depth + 1) ?? jsonText(record.errors, depth + 1) ?? textAt(record, 'code') ?? textAt(record, 'type');
}

function htmlText(html: string): string {
  const title = /<title[^>]*>([^<]{1,200})/iu.exec(html)?.[1] ?? /<h1[^>]*>([^<]{1,200})/iu.exec(html)?.[1];
  return (
    title ??
    html
      .slice(0, 20_000)
      .replace(/<(?:style|script)[\s\S]*?<\/(?:style|script)>/giu, ' ')
      .replace(/<[^>]*>/gu, ' ')
  );
}
