import * as z from 'zod';
import { messageOf, UsageError } from '../types/errors.ts';

/** What `--json-schema` asks of the final answer. */
export type OutputSchema = {
  /** Added to the prompt, so that the model knows. */
  readonly instruction: string;
  check(answer: string): { readonly kind: 'valid'; readonly value: unknown } | { readonly kind: 'invalid'; readonly problem: string };
};

/** Reads a JSON Schema; throws a UsageError when it is none, or uses what cannot be checked. */
export function parseOutputSchema(text: string): OutputSchema {
  const schema = readSchema(text);
  return {
    instruction: `When the work is finished, end with an answer that is only one JSON value, without any other text, valid against this JSON Schema:\n${text.trim()}`,
    check(answer) {
      let value: unknown;
      try {
        value = JSON.parse(withoutFence(answer));
      } catch (error) {
        return { kind: 'invalid', problem: `it is not JSON (${messageOf(error)})` };
      }
      const parsed = schema.safeParse(value);
      if (parsed.success) return { kind: 'valid', value };
      const issues = parsed.error.issues.slice(0, 10);
      return { kind: 'invalid', problem: issues.map((issue) => `${['$', ...issue.path].join('.')}: ${issue.message}`).join('; ') };
    },
  };
}

/** The one request that is made when the answer does not fit. */
export function repairPrompt(problem: string): string {
  return `Your final answer does not fit the JSON Schema: ${problem}. Answer again with only the corrected JSON value, without any other text.`;
}

function readSchema(text: string): z.ZodType {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) throw new Error('it is not an object');
    return z.fromJSONSchema(parsed as z.core.JSONSchema.JSONSchema); // an object; what it holds is checked in there
  } catch (error) {
    throw new UsageError(`--json-schema cannot be used: ${messageOf(error)}. Accepted: a JSON Schema, or @file with one.`, 2);
  }
}

function withoutFence(answer: string): string {
  const fenced = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/u.exec(answer);
  return fenced?.[1] ?? answer;
}
