import type { Usage } from '../types/messages.ts';
import type { Price } from './config.ts';

type ModelFacts = { readonly contextWindow: number; readonly price?: Price };

const facts = (contextWindow: number, input?: number, cached?: number, output?: number): ModelFacts =>
  input === undefined || output === undefined
    ? { contextWindow }
    : { contextWindow, price: { input, output, ...(cached === undefined ? {} : { cached }) } };

/**
 * Context window in tokens, then dollars for a million tokens: input, cached input, output. From the vendors' public price pages; a model
 * that is not here has no known price.
 */
const table: Readonly<Record<string, ModelFacts>> = {
  'gpt-5': facts(400_000, 1.25, 0.125, 10),
  'gpt-5-mini': facts(400_000, 0.25, 0.025, 2),
  'gpt-5-nano': facts(400_000, 0.05, 0.005, 0.4),
  'gpt-4.1': facts(1_047_576, 2, 0.5, 8),
  'gpt-4.1-mini': facts(1_047_576, 0.4, 0.1, 1.6),
  'gpt-4.1-nano': facts(1_047_576, 0.1, 0.025, 0.4),
  'gpt-4o': facts(128_000, 2.5, 1.25, 10),
  'gpt-4o-mini': facts(128_000, 0.15, 0.075, 0.6),
  o3: facts(200_000, 2, 0.5, 8),
  'o3-mini': facts(200_000, 1.1, 0.55, 4.4),
  'o4-mini': facts(200_000, 1.1, 0.275, 4.4),
  'gemini-2.5-pro': facts(1_048_576, 1.25, 0.125, 10),
  'gemini-2.5-flash': facts(1_048_576, 0.3, 0.03, 2.5),
  'gemini-2.5-flash-lite': facts(1_048_576, 0.1, 0.01, 0.4),
  'gemini-2.0-flash': facts(1_048_576, 0.1, 0.025, 0.4),
  'gemini-3': facts(1_048_576),
  'deepseek-chat': facts(128_000, 0.28, 0.028, 0.42),
  'deepseek-reasoner': facts(128_000, 0.28, 0.028, 0.42),
  'mistral-large': facts(128_000),
  'mistral-medium': facts(128_000, 0.4, undefined, 2),
  'mistral-small': facts(128_000, 0.1, undefined, 0.3),
  codestral: facts(256_000, 0.3, undefined, 0.9),
  'claude-opus-4': facts(200_000),
  'claude-sonnet-4': facts(200_000, 3, 0.3, 15),
  'claude-haiku-4.5': facts(200_000, 1, 0.1, 5),
  'kimi-k2': facts(262_144),
  'glm-4': facts(128_000),
  qwen3: facts(262_144),
  'llama-3.3': facts(131_072),
  'gpt-oss': facts(131_072),
  checklist: facts(1_000_000, 0, 0, 0),
  'checklist-lazy': facts(1_000_000, 0, 0, 0),
  'checklist-forgetful': facts(1_000_000, 0, 0, 0),
};

type Known = { readonly model: string; readonly contextWindow?: number | undefined; readonly price?: Price | undefined };

/** Tokens of the model's context window: what the profile says, else the table (of the nearest family), else undefined. */
export function contextWindowOf(model: string | Known): number | undefined {
  const known = typeof model === 'string' ? { model } : model;
  const name = known.model.slice(known.model.lastIndexOf('/') + 1).toLowerCase();
  return known.contextWindow ?? longestKey(name, (rest) => rest === '' || /^[-.:@]/u.test(rest))?.contextWindow;
}

/** Dollars of one response; undefined when the price is unknown, for a price is never guessed. What the endpoint itself reported wins. */
export function costOf(model: string | Known, usage: Usage): number | undefined {
  if (usage.costUsd !== undefined) return usage.costUsd;
  const known = typeof model === 'string' ? { model } : model;
  // A vendor before the name is a gateway, which has prices of its own.
  const name = known.model.replace(/^models\//u, '').toLowerCase();
  const price = known.price ?? longestKey(name, (rest) => datedVersion.test(rest))?.price;
  if (price === undefined) return undefined;
  const cached = Math.min(usage.cachedTokens ?? 0, usage.inputTokens);
  return (
    ((usage.inputTokens - cached) * price.input + cached * (price.cached ?? price.input) + usage.outputTokens * price.output) / 1_000_000
  );
}

/** What may follow a name without making it another model: a date, a number, `latest`. */
const datedVersion = /^(?:-(?:latest|\d{3,8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{4}))?$/u;

function longestKey(name: string, accepts: (rest: string) => boolean): ModelFacts | undefined {
  let best: string | undefined;
  for (const key of Object.keys(table)) {
    if (name.startsWith(key) && accepts(name.slice(key.length)) && key.length > (best?.length ?? 0)) best = key;
  }
  return best === undefined ? undefined : table[best];
}
