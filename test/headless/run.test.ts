import { describe, expect, it } from 'vitest';
import { parseOutputSchema } from '../../src/headless/output-schema.ts';
import { outputRecordSchema, resultRecordSchema } from '../../src/headless/records.ts';
import { reportFailure } from '../../src/headless/report.ts';
import { createStore } from '../../src/lib/store.ts';
import { notWanted } from '../../src/session/saving.ts';
import { UsageError } from '../../src/types/errors.ts';
import { nowhere } from '../../src/types/events.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { call, done, type Play, recordsOf, runScripted, turn } from './harness.ts';

const formats = ['text', 'json', 'stream-json'] as const;
const answer: Play = async (_prompt, { run }) => {
  run('The answer.');
  return done;
};
const unfinished: Play = async (_prompt, { run }) => {
  run('Not all.');
  return { reason: 'no-progress', exitCode: 60, sentence: 'Stopped: 3 continuations without progress, 2 of 7 open.' };
};
const never: Play = async (_prompt, { interrupted }) => {
  await interrupted;
  return { reason: 'aborted', exitCode: 130, sentence: 'Stopped: interrupted by you' };
};
const stuck: Play = () => new Promise(() => {});
async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}
const message = (content: unknown): string => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;

describe('text', () => {
  it('prints the final text of every run, in order, and nothing else', async () => {
    const { code, stdout } = await runScripted(async (_prompt, { emit, run }) => {
      emit(turn('Looking.', [call('a')]));
      run('First.');
      run('Second.\n');
      run('  ');
      return done;
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'First.\n\nSecond.\n' });
  });
  it('says on stderr what goes on and why work ended', async () => {
    const { stdout, stderr } = await runScripted(async (prompt, stage) => {
      stage.emit({
        type: 'tool-start',
        ...nowhere,
        callId: 'a',
        name: 'shell',
        effects: [{ kind: 'command', command: 'make', cwd: '/' }],
        acting: true,
      });
      stage.emit({
        type: 'todos-change',
        ...nowhere,
        by: 'model',
        list: { items: [{ id: '1', content: 'Build', status: 'in_progress', priority: 'medium' }], version: 1, lastId: 1 },
      });
      return unfinished(prompt, stage);
    });
    expect(stdout).toBe('Not all.\n');
    expect(stderr).toEqual(['shell make', '0/1 Build', 'Stopped: 3 continuations without progress, 2 of 7 open.']);
  });
  it('lets no control character of the model through', async () => {
    const { stdout } = await runScripted(async (_prompt, { run }) => {
      run('red \u001b[31mtext\u001b]0;title\u0007 and \u009b31m');
      return done;
    });
    expect(stdout).not.toMatch(/[\u001b\u0007\u009b]/u);
  });
});

describe('json', () => {
  it('prints one object, the result', async () => {
    const { stdout } = await runScripted(answer, { format: 'json' });
    expect(recordsOf(stdout)).toEqual([
      expect.objectContaining({
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: 'The answer.',
        num_turns: 1,
        exit_reason: 'no-list',
        exit_code: 0,
      }),
    ]);
  });
  it('escapes what a terminal would obey', async () => {
    const { stdout } = await runScripted(
      async (_prompt, { run }) => {
        run('\u001b[31m\u009b31m\u202e');
        return done;
      },
      { format: 'json' },
    );
    expect(stdout).toMatch(/^[\x20-\x7e]+\n$/u);
    expect(recordsOf(stdout)[0]?.result).toBe('\u001b[31m\u009b31m\u202e');
  });
});

describe('stream-json', () => {
  it('begins with init, ends with the one result, and every line fits its schema', async () => {
    const { stdout, stderr } = await runScripted(
      async (_prompt, { emit, run }) => {
        emit(turn('Looking.', [call('a')]));
        emit({
          type: 'permission-decision',
          ...nowhere,
          requestId: 'q',
          callId: 'a',
          verdict: 'refuse',
          by: 'nobody',
          reason: 'nobody to ask',
          endsRun: false,
        });
        emit({
          type: 'tool-result',
          ...nowhere,
          callId: 'a',
          name: 'shell',
          arguments: {},
          output: 'no',
          isError: true,
          acting: true,
          working: true,
        });
        emit({ type: 'attempt-retry', ...nowhere, cause: 'open-todos', draft: 'x', todoId: '1' });
        emit({ type: 'continuation-start', ...nowhere, continuation: 2, todoId: '1', strength: 'gentle' });
        emit({ type: 'retry-wait', ...nowhere, delayMs: 3000, cause: 'rate limit', voids: false });
        run('Done.');
        emit({ type: 'prompt-end', ...nowhere, promptId: 'p', reason: 'done', exitCode: 0, sentence: 'All done' });
        return { reason: 'done', exitCode: 0, sentence: 'All done' };
      },
      { format: 'stream-json' },
    );
    const records = recordsOf(stdout);
    expect(records.map((record) => (record.subtype === undefined ? record.type : `${record.type} ${record.subtype}`))).toEqual([
      'system init',
      'assistant',
      'user',
      'continuation',
      'continuation',
      'system api_retry',
      'assistant',
      'system prompt_end',
      'result success',
    ]);
    for (const record of records) expect(outputRecordSchema.parse(record)).toEqual(record);
    expect(new Set(records.map((record) => record.uuid)).size).toBe(records.length);
    expect(records.at(-1)?.permission_denials).toEqual([{ tool_name: 'shell', tool_use_id: 'a', tool_input: { command: 'make' } }]);
    expect(records[4]).toMatchObject({ kind: 'continuation', attempt: 2, reason: 'open-todos', todo_id: '1' });
    expect(stderr).toEqual(['All done']);
  });
  it('submits the prompts of stdin one after the other', async () => {
    const { prompts, stdout, code } = await runScripted(answer, {
      format: 'stream-json',
      prompt: '',
      input: pieces(message('one').slice(0, 9), message('one').slice(9), '\n', message([{ type: 'text', text: 'two' }])),
    });
    expect({ prompts, code }).toEqual({ prompts: ['one', 'two'], code: 0 });
    expect(recordsOf(stdout).filter(({ type }) => type === 'result')).toHaveLength(1);
  });
  it.each<[string, readonly string[], string]>([
    ['a line that is no JSON', ['rubbish\n'], 'Line 1 of the input is no prompt: rubbish.'],
    ['another record', ['\n{"type":"ping"}\n'], 'Line 2 of the input is no prompt'],
    ['an empty prompt', [message(' ')], 'Line 1 of the input is an empty prompt.'],
    ['no prompt at all', [], 'No prompt'],
  ])('ends with 42 for %s', async (_name, lines, sentence) => {
    const { code, stdout } = await runScripted(answer, { format: 'stream-json', prompt: '', input: pieces(...lines) });
    expect(code).toBe(42);
    expect(recordsOf(stdout).at(-1)).toMatchObject({
      type: 'result',
      exit_reason: 'input',
      exit_code: 42,
      sentence: expect.stringContaining(sentence),
    });
  });
});

describe('exactly one result, whatever happens', () => {
  type Options = NonNullable<Parameters<typeof runScripted>[1]>;
  const later =
    (code: number, waitMs = 0) =>
    (): Options => {
      const controller = new AbortController();
      return {
        signal: controller.signal,
        during: async (clock) => {
          controller.abort(code);
          await clock.advance(waitMs);
        },
      };
    };
  /** No time passes: the second one ends the waiting for work to stop. */
  const twice = (code: number) => (): Options => {
    const [first, second] = [new AbortController(), new AbortController()];
    return {
      signal: first.signal,
      hurry: second.signal,
      during: async () => {
        first.abort(code);
        second.abort();
      },
    };
  };
  it.each<[string, Play, () => Options, { code: number; reason: string }]>([
    ['the prompt ends', answer, () => ({}), { code: 0, reason: 'no-list' }],
    ['unfinished', unfinished, () => ({}), { code: 60, reason: 'no-progress' }],
    ['unfinished, --exit-zero-unfinished', unfinished, () => ({ exitZeroUnfinished: true }), { code: 0, reason: 'no-progress' }],
    ['SIGINT', never, later(130), { code: 130, reason: 'aborted' }],
    ['SIGTERM', never, later(143), { code: 143, reason: 'aborted' }],
    ['a signal before the prompt', answer, () => ({ signal: AbortSignal.abort(143) }), { code: 143, reason: 'aborted' }],
    ['a signal, and work that does not stop', stuck, later(143, 3000), { code: 143, reason: 'aborted' }],
    ['a second signal, and work that does not stop', stuck, twice(143), { code: 143, reason: 'aborted' }],
    [
      'a signal while stdin is silent',
      answer,
      () => ({ ...later(143)(), prompt: '', input: { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) } }),
      { code: 143, reason: 'aborted' },
    ],
    ['a crash elsewhere', never, later(70), { code: 70, reason: 'internal' }],
    ['an internal error', () => Promise.reject(new Error('boom')), () => ({}), { code: 70, reason: 'internal' }],
    ['no prompt', answer, () => ({ prompt: ' ' }), { code: 42, reason: 'input' }],
    [
      'a file that cannot be written',
      answer,
      () => ({ outputLastMessage: () => Promise.reject(new Error('EACCES')) }),
      { code: 1, reason: 'error' },
    ],
  ])('%s', async (_name, play, options, expected) => {
    for (const format of formats) {
      const { code, stdout, stderr } = await runScripted(play, { ...options(), format });
      expect(code).toBe(expected.code);
      if (expected.code !== 0) expect(stderr.at(-1)).toMatch(/\w/u);
      if (format === 'text') {
        expect(stdout).not.toContain('"type"');
        continue;
      }
      const results = recordsOf(stdout).filter(({ type }) => type === 'result');
      expect(results).toHaveLength(1);
      expect(recordsOf(stdout).at(-1)).toMatchObject({
        exit_reason: expected.reason,
        exit_code: expected.code,
        is_error: expected.code !== 0,
      });
      expect(resultRecordSchema.parse(results[0])).toEqual(results[0]);
    }
  });
  it.each([
    [new UsageError('no key', 41), 41, 'auth'],
    [new UsageError('bad flag'), 2, 'usage'],
    [new UsageError('bad file', 52), 52, 'configuration'],
    [new Error('boom'), 70, 'internal'],
  ])('%s before there is a session', async (error, exitCode, reason) => {
    for (const format of formats) {
      const written: string[] = [];
      const clock = createFakeClock();
      const write = async (text: string): Promise<void> => {
        written.push(text);
      };
      expect(await reportFailure(error, { format, write, warn: () => {}, started: clock.now(), clock })).toBe(exitCode);
      if (format === 'text') expect(written).toEqual([]);
      else {
        const record = JSON.parse(written.join('')) as unknown;
        expect(resultRecordSchema.parse(record)).toEqual(record);
        expect(record).toMatchObject({ exit_reason: reason, exit_code: exitCode });
      }
    }
  });
});

it('an internal error is handed on with its details', async () => {
  const errors: unknown[] = [];
  const boom = new Error('boom');
  await runScripted(() => Promise.reject(boom), {
    onInternalError: async (error) => {
      errors.push(error);
    },
  });
  expect(errors).toEqual([boom]);
});

describe('a log that is not written', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    ['is warned of at once', 'Not being saved: full', [], ['Not being saved: full']],
    [
      'is warned of when it happens, and when it is over',
      'saving',
      ['Not being saved: full', 'saving'],
      ['Not being saved: full', 'The session is being saved again.'],
    ],
    ['is no surprise with --no-session', notWanted, [], []],
  ])('%s', async (_name, first, later, expected) => {
    const saving = createStore(first);
    const { stderr, stdout } = await runScripted(
      async () => {
        for (const value of later) saving.set(value);
        return done;
      },
      { saving, format: 'stream-json' },
    );
    expect(stderr).toEqual(expected);
    expect(recordsOf(stdout).flatMap((record) => (record.subtype === 'notice' ? [record.text] : []))).toEqual(expected);
  });
});

describe('a closed output', () => {
  it('stops a run that is under way and ends with 1', async () => {
    let interrupted = false;
    const { code, stderr } = await runScripted(
      async (prompt, stage) => {
        stage.run('First.');
        stage.emit({ type: 'run-start', ...nowhere, origin: 'continuation', promptId: 'p' });
        const outcome = await never(prompt, stage);
        interrupted = true;
        return outcome;
      },
      { write: () => Promise.reject(new Error('EPIPE')) },
    );
    expect({ code, interrupted, last: stderr.at(-1) }).toEqual({
      code: 1,
      interrupted: true,
      last: 'Stopped: the output was closed before the work ended',
    });
  });
  it('does not change the code of work that had ended', async () => {
    expect(await runScripted(unfinished, { format: 'json', write: () => Promise.reject(new Error('EPIPE')) })).toMatchObject({ code: 60 });
  });
  it('between two runs waits for the next one to begin', async () => {
    const { code } = await runScripted(
      async (prompt, stage) => {
        stage.run('First.');
        await new Promise((resolve) => setImmediate(resolve));
        stage.emit({ type: 'run-start', ...nowhere, origin: 'continuation', promptId: 'p' });
        return never(prompt, stage);
      },
      { write: () => Promise.reject(new Error('EPIPE')) },
    );
    expect(code).toBe(1);
  });
  it('is drained before the call returns', async () => {
    const order: string[] = [];
    const slow = (text: string): Promise<void> =>
      new Promise((resolve) => {
        setImmediate(() => {
          order.push(text.trim());
          resolve();
        });
      });
    const { code } = await runScripted(
      async (_prompt, { run }) => {
        for (let index = 0; index < 5; index += 1) run(`part ${index}`);
        return done;
      },
      { write: slow },
    );
    expect(code).toBe(0);
    expect(order).toEqual(['part 0', 'part 1', 'part 2', 'part 3', 'part 4']);
  });
});

describe('--json-schema', () => {
  const jsonSchema = parseOutputSchema('{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]}');
  const answers =
    (...texts: string[]): Play =>
    async (_prompt, { run }) => {
      run(texts.shift() ?? '');
      return done;
    };
  it('prints the value alone', async () => {
    const { stdout, prompts, code } = await runScripted(answers('```json\n{"count": 3}\n```'), { jsonSchema });
    expect({ stdout, code }).toEqual({ stdout: '{"count":3}\n', code: 0 });
    expect(prompts).toEqual([expect.stringContaining('valid against this JSON Schema')]);
  });
  it('asks once for a repair, with what is wrong', async () => {
    const { stdout, prompts } = await runScripted(answers('It is 3.', '{"count":3}'), { jsonSchema, format: 'json' });
    expect(prompts[1]).toMatch(/does not fit the JSON Schema: it is not JSON/u);
    expect(recordsOf(stdout)[0]).toMatchObject({ subtype: 'success', structured_output: { count: 3 } });
  });
  it('ends with 1 when the repair does not fit either', async () => {
    const { code, stdout, prompts } = await runScripted(answers('{"count":"3"}', '{"count":"three"}'), { jsonSchema, format: 'json' });
    expect(code).toBe(1);
    expect(prompts).toHaveLength(2);
    expect(recordsOf(stdout)[0]).toMatchObject({ subtype: 'error_max_structured_output_retries', exit_reason: 'schema-mismatch' });
  });
  it('asks for no repair when the work did not end well', async () => {
    const { code, prompts } = await runScripted(unfinished, { jsonSchema });
    expect({ code, count: prompts.length }).toEqual({ code: 60, count: 1 });
  });
  it.each(['{"type":', '[]x', '"text"', '{"type":"nonsense"}'])('refuses %s as a schema', (text) => {
    expect(() => parseOutputSchema(text)).toThrow('--json-schema cannot be used');
  });
});

describe('--output-last-message', () => {
  it.each([
    ['the text of the last run', ['First.', 'Last.'], 'Last.'],
    ['nothing when nothing was said', [], ''],
  ])('writes %s', async (_name, texts, expected) => {
    const written: string[] = [];
    await runScripted(
      async (_prompt, { run }) => {
        for (const text of texts) run(text);
        return done;
      },
      {
        outputLastMessage: async (text) => {
          written.push(text);
        },
      },
    );
    expect(written).toEqual([expected]);
  });
});
