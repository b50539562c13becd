import * as z from 'zod';
import { nearest } from '../lib/nearest.ts';
import { type SettingKey, type Settings, settings } from './settings.ts';

export const settingKeys = Object.keys(settings) as readonly SettingKey[]; // the table's own keys

export function isSettingKey(word: string): word is SettingKey {
  return Object.hasOwn(settings, word);
}

export type ParsedSetting = { readonly value: Settings[SettingKey] } | { readonly error: string };

type Shape = { readonly type?: string; readonly enum?: readonly unknown[]; readonly anyOf?: readonly Shape[] } & Readonly<
  Record<string, unknown>
>;

function shapeOf(key: SettingKey): { readonly shape: Shape; readonly nullable: boolean } {
  const shape = z.toJSONSchema(settings[key].schema(), { io: 'output', unrepresentable: 'any' }) as Shape; // JSON Schema is untyped
  const variants = shape.anyOf?.filter((variant) => variant.type !== 'null');
  if (variants === undefined) return { shape, nullable: false };
  const [only, second] = variants;
  return { shape: only !== undefined && second === undefined ? only : shape, nullable: variants.length < (shape.anyOf?.length ?? 0) };
}

function isNumeric(key: SettingKey): boolean {
  const { def } = settings[key].schema() as z.ZodNullable<z.ZodType>; // its default is null
  return def.innerType.def.type === 'number';
}

/** What a key takes, in words: `a whole number from 1`, `off, remind, auto`. */
export function acceptedValues(key: SettingKey): string {
  if (typeof settings[key].default === 'boolean') return 'true or false';
  const { shape, nullable } = shapeOf(key);
  const words = describeShape(shape);
  return nullable ? `${words}, or none` : words;
}

function describeShape(shape: Shape): string {
  if (shape.enum !== undefined) return shape.enum.join(', ');
  if (shape.type === 'number' || shape.type === 'integer') {
    const noun = shape.type === 'integer' ? 'a whole number' : 'a number';
    const above = shape.exclusiveMinimum === undefined ? '' : ` above ${shape.exclusiveMinimum}`;
    const from = shape.minimum === undefined || shape.minimum === Number.MIN_SAFE_INTEGER ? '' : ` from ${shape.minimum}`;
    const to = shape.maximum === undefined || shape.maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${shape.maximum}`;
    return `${noun}${above}${from}${to}`;
  }
  return shape.format === 'uri' ? 'an address such as http://localhost:8080/v1' : 'a word';
}

/** Values to offer after a key, best first. */
export function suggestedValues(key: SettingKey): readonly string[] {
  if (typeof settings[key].default === 'boolean') return ['true', 'false'];
  const { shape, nullable } = shapeOf(key);
  if (shape.enum !== undefined) return shape.enum.map(String);
  return nullable ? ['none'] : [String(settings[key].default)];
}

const spellings: Readonly<Partial<Record<SettingKey, Readonly<Record<string, string>>>>> = {
  'approval-mode': { auto_edit: 'auto-edit', autoedit: 'auto-edit', acceptedits: 'auto-edit' },
};

/**
 * Reads a value from a file, a flag, the environment or `/set`. Text is accepted for every type; `none` clears a limit. The error says what
 * the value was and what would be accepted.
 */
export function parseSetting(key: SettingKey, raw: unknown): ParsedSetting {
  const fallback = settings[key].default;
  const text = typeof raw === 'string' ? raw.trim() : raw;
  const other = typeof text === 'string' ? spellings[key]?.[text.toLowerCase()] : undefined;
  const isText = typeof text === 'string';
  const nullable = fallback === null;
  let candidate: unknown = other ?? (isText && typeof fallback === 'boolean' ? text.toLowerCase() : text);
  if (nullable && isText && ['none', 'null'].includes(text.toLowerCase())) candidate = null;
  const { quick }: { readonly quick?: RegExp } = settings[key];
  if (typeof candidate === 'string' && quick?.test(candidate) === true) return { value: candidate };
  // zod's coercion would read '' as 0 and true as 1
  const wantsNumber = typeof fallback === 'number' || (nullable && isNumeric(key));
  const numeric = candidate === null || typeof candidate === 'number' || (isText && /^-?\d+(\.\d+)?$/u.test(text));
  const parsed = wantsNumber && !numeric ? undefined : settings[key].schema().safeParse(candidate);
  if (parsed?.success) return { value: parsed.data };
  const shown = typeof raw === 'string' ? `'${raw.slice(0, 60)}'` : JSON.stringify(raw)?.slice(0, 60);
  const close = isText ? nearest(text, suggestedValues(key)) : undefined;
  const guess = close !== undefined && close !== text && !wantsNumber ? ` Did you mean '${close}'?` : '';
  return { error: `Invalid value ${shown} for '${key}'.${guess} Accepted: ${acceptedValues(key)}.` };
}

/** A value as `config` and `/set` show it. */
export function showSetting(value: Settings[SettingKey]): string {
  return value === null ? 'none' : String(value);
}
