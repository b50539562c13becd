import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEvent, newSessionState } from '../../src/core/session-state.ts';
import { workThrough } from './diligent.ts';
import { diligence, lives } from './random-lives.ts';
import { live, violationsOf } from './random-world.ts';

/** `npm run soak` sets the factor. */
const factor = Number(process.env.TILLDONE_SOAK_FACTOR ?? '1');
const seed = Number(process.env.TILLDONE_SEED ?? '1');

describe(`whatever the model, the user and the machine do (seed ${seed})`, () => {
  const runs = Math.ceil(1600 * factor);
  it(`(a) (b) (d) (e) (f) (g): nothing is violated in ${runs} random lives`, { timeout: 60_000 + 60_000 * factor }, async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        expect(await violationsOf(life)).toEqual([]);
      }),
      { numRuns: runs, seed },
    );
  });

  const models = Math.ceil(250 * factor);
  it(`(c): ${models} models that close an item when asked end with done`, { timeout: 60_000 + 60_000 * factor }, async () => {
    await fc.assert(
      fc.asyncProperty(diligence, async (model) => {
        const { reason, requests } = await workThrough(model);
        expect(reason).toBe('done');
        // The list, and per acting turn itself and at most one stop with each of its attempts; the last words come after.
        expect(requests).toBeLessThanOrEqual(1 + model.items * model.k * 3 + 1);
      }),
      { numRuns: models, seed },
    );
  });

  const replays = Math.ceil(150 * factor);
  it(`(b): the log of ${replays} lives folds to the state that they had`, { timeout: 60_000 + 60_000 * factor }, async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        const { engine } = await live(life, []);
        const replayed = newSessionState();
        for (const event of engine.log) applyEvent(replayed, event);
        expect(replayed).toEqual(engine.recorder.state);
      }),
      { numRuns: replays, seed },
    );
  });
});
