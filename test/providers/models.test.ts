import { describe, expect, it } from 'vitest';
import { contextWindowOf, costOf } from '../../src/providers/models.ts';

describe('contextWindowOf', () => {
  it.each<[string, number | undefined]>([
    ['gpt-4.1-mini', 1_047_576],
    ['gpt-4o-2024-08-06', 128_000],
    ['openai/gpt-5-mini', 400_000],
    ['gemini-2.5-pro', 1_048_576],
    ['models/gemini-2.5-flash-preview-09-2025', 1_048_576],
    ['qwen3:8b', 262_144],
    ['moonshotai/kimi-k2-0905', 262_144],
    ['my-own-model', undefined],
    ['gpt-50', undefined],
  ])('%s', (model, window) => {
    expect(contextWindowOf(model)).toBe(window);
  });
  it('the profile wins', () => {
    expect(contextWindowOf({ model: 'gpt-5', contextWindow: 9 })).toBe(9);
  });
});

describe('costOf', () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 100_000 };
  it.each<[string, Parameters<typeof costOf>[0], Parameters<typeof costOf>[1], number | undefined]>([
    ['input and output', 'gpt-5-mini', usage, 0.45],
    ['cached input is cheaper', 'gpt-5-mini', { ...usage, cachedTokens: 1_000_000 }, 0.225],
    ['a dated version', 'gpt-5-mini-2025-08-07', usage, 0.45],
    ['a price of the profile', { model: 'x', price: { input: 1, output: 2 } }, usage, 1.2],
    ['what the endpoint reports', 'x', { ...usage, costUsd: 0.7 }, 0.7],
    ['another model of the family: unknown', 'gpt-5-pro', usage, undefined],
    ['a gateway has prices of its own: unknown', 'openai/gpt-5-mini', usage, undefined],
    ['an unknown model: unknown', 'x', usage, undefined],
    ['the built-in model costs nothing', 'checklist-lazy', usage, 0],
  ])('%s', (_, model, used, cost) => {
    if (cost === undefined) expect(costOf(model, used)).toBeUndefined();
    else expect(costOf(model, used)).toBeCloseTo(cost, 10);
  });
});
