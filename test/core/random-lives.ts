import fc from 'fast-check';
import type { Life } from './random-world.ts';

const never = (at: fc.Arbitrary<number>) => fc.oneof({ weight: 3, arbitrary: fc.constant(-1) }, { weight: 1, arbitrary: at });

const text = fc.constantFrom('go', 'continue', 'what is it?', 'First add a, then test b, and finally update c.');

/** Random lives, with caps of at most 30 requests so that each is cheap. */
export const lives: fc.Arbitrary<Life> = fc.record({
  model: fc.array(fc.nat(24 * 400), { minLength: 1, maxLength: 24 }),
  gate: fc.array(fc.nat(15), { maxLength: 4 }),
  prompts: fc.oneof({ weight: 3, arbitrary: fc.tuple(text) }, { weight: 1, arbitrary: fc.tuple(text, text) }),
  settings: fc.record({
    'max-turns': fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 10 }) },
      { weight: 1, arbitrary: fc.integer({ min: 11, max: 30 }) },
    ),
    'max-todo-continuations': fc.nat(6),
    'max-no-progress': fc.nat(4),
    'max-idle-turns': fc.integer({ min: 1, max: 8 }),
    'max-attempts': fc.integer({ min: 1, max: 3 }),
    'max-total-tokens': fc.constantFrom(null, null, 120),
    'smart-todo-completion': fc.constantFrom('off', 'remind', 'auto'),
  }),
  interactive: fc.boolean(),
  abortAt: never(fc.integer({ min: 1, max: 80 })),
  steerAt: never(fc.integer({ min: 1, max: 80 })),
  pauseAt: never(fc.integer({ min: 1, max: 80 })),
  offAt: never(fc.integer({ min: 1, max: 80 })),
  crashAtPercent: fc.option(fc.integer({ min: 1, max: 100 }), { freq: 2, nil: undefined }),
});

/** A model that closes an item after at most `k` acting turns when it is asked, and talks in between as `talk` says. */
export const diligence = fc.record({
  items: fc.integer({ min: 1, max: 5 }),
  k: fc.integer({ min: 1, max: 4 }),
  spare: fc.nat(3),
  talk: fc.array(fc.nat(9), { minLength: 1, maxLength: 12 }),
  noProgress: fc.integer({ min: 1, max: 4 }),
  attempts: fc.integer({ min: 1, max: 3 }),
  interactive: fc.boolean(),
  crashAtPercent: fc.option(fc.integer({ min: 1, max: 99 }), { freq: 2, nil: undefined }),
});
