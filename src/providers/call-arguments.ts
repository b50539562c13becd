import { asRecord, parseJson, type WireRecord } from './wire-values.ts';

export type ReadArguments = { readonly arguments: WireRecord; readonly invalid?: string };

/**
 * The arguments of a call as the endpoint sent them: `""`, null and blank are `{}`, JSON inside a JSON string is unpacked. Anything that is no
 * whole JSON object is never repaired: the call gets `{}` and `invalid` says why it must not run.
 */
export function readArguments(raw: string): ReadArguments {
  if (raw.trim() === '') return { arguments: {} };
  let value = parseJson(raw);
  if (value === undefined) {
    return {
      arguments: {},
      invalid: `the arguments are no whole JSON (${raw.length} characters arrived); if they were too long, split the work into several calls`,
    };
  }
  if (typeof value === 'string') value = value.trim() === '' ? {} : parseJson(value);
  if (value === null) return { arguments: {} };
  const record = asRecord(value);
  return record === undefined ? { arguments: {}, invalid: 'the arguments must be a JSON object' } : { arguments: record };
}

/** Why a call of a response that hit its output limit does not run. */
export const cutByLimit = 'the output limit cut this call off; make it shorter or split it into several calls';
