import { asRecord, listAt, recordAt, textAt, type WireRecord } from './wire-values.ts';

/** The headers of a response, as far as they are asked for. */
export type HeaderSource = { get(name: string): string | null };

/**
 * How long the endpoint asks to wait, in ms: `retry-after-ms`, `Retry-After` in seconds or as a date (RFC 9110 10.2.3), Google's RetryInfo,
 * or "try again in 1m2.5s" in the message. Undefined when it does not say.
 */
export function readRetryAfter(from: {
  headers?: HeaderSource | undefined;
  error?: WireRecord | undefined;
  text: string;
  nowMs: number;
}): number | undefined {
  const inMs = Number(from.headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(inMs) && inMs >= 0) return inMs;
  const header = from.headers?.get('retry-after')?.trim();
  if (header !== undefined && header !== '') {
    const seconds = Number(header);
    if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
    const date = Date.parse(header);
    if (Number.isFinite(date)) return Math.max(0, date - from.nowMs);
  }
  for (const entry of [...listAt(from.error, 'details'), ...listAt(recordAt(from.error, 'metadata'), 'details')]) {
    const delay = readDuration(textAt(asRecord(entry), 'retryDelay') ?? '');
    if (delay !== undefined) return delay;
  }
  const said =
    /\b(?:try again|retry) (?:in|after)\s+((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|h|m(?:in(?:utes?)?)?|s(?:ec(?:onds?)?)?)\s*)+)/iu.exec(
      from.text,
    );
  return said === null ? undefined : readDuration(said[1] ?? '');
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, mi: 60_000, m: 60_000, h: 3_600_000, s: 1000 };

/** `7s`, `0.5s`, `120ms`, `6m0s`, `1h2m`. */
export function readDuration(text: string): number | undefined {
  let total: number | undefined;
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*(milliseconds?|ms|h|m(?:in(?:utes?)?)?|s(?:ec(?:onds?)?)?)/giu)) {
    const word = (unit ?? 's').toLowerCase();
    const factor = word.startsWith('milli') ? 1 : (unitMs[word] ?? unitMs[word[0] ?? 's'] ?? 1000);
    total = (total ?? 0) + Number(count) * factor;
  }
  return total === undefined ? undefined : Math.round(total);
}
