import { isRecord } from '../lib/record.ts';

/** Reading what an endpoint sent, field by field: anything may be missing or of another type, and nothing here throws. */
export type WireRecord = Readonly<Record<string, unknown>>;

const nothing: WireRecord = {};

export function asRecord(value: unknown): WireRecord | undefined {
  return isRecord(value) ? value : undefined;
}

export function recordAt(from: WireRecord | undefined, key: string): WireRecord {
  return asRecord(from?.[key]) ?? nothing;
}

/** Empty when the field is missing, null, or no list. */
export function listAt(from: WireRecord | undefined, key: string): readonly unknown[] {
  const value = from?.[key];
  return Array.isArray(value) ? value : [];
}

/** Undefined when the field is no string or an empty one. */
export function textAt(from: WireRecord | undefined, key: string): string | undefined {
  const value = from?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A count: finite and not negative, else undefined. */
export function countAt(from: WireRecord | undefined, key: string): number | undefined {
  const value = from?.[key];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Ids come as text or as a number. */
export function idAt(from: WireRecord | undefined, key: string): string | undefined {
  const value = from?.[key];
  return typeof value === 'number' ? String(value) : textAt(from, key);
}

/** The text as JSON, or undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
