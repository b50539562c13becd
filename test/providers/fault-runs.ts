import type { ProviderCall, ProviderEvent } from '../../src/providers/provider.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { type Fault, type Reply, startStrictServer } from '../helpers/strict-server.ts';
import {
  adapterFor,
  bodyOf,
  collect,
  configFor,
  type Dialect,
  endsOf,
  loadFixtures,
  prompt,
  requestOf,
  type WireFixture,
} from './harness.ts';

type Case = { readonly body: string | Buffer; readonly fault?: Fault; readonly dialect: Dialect; readonly label: string };
type Rule = (events: readonly ProviderEvent[], one: Case) => boolean;

/** Streams with faults against the bare adapters; each function returns one line for every case that broke a rule. */
export type FaultRuns = {
  /** The recorded stream of the dialect, cut at every `stride`th byte, by a proper end and by a closed socket in turn. */
  cutEvery(dialect: Dialect, stride: number): Promise<readonly string[]>;
  /** Ten more streams, `count` times each: cut, dropped, reset, stalled or garbled at a seeded byte. */
  seededFaults(count: number): Promise<readonly string[]>;
  /** Whole streams with events dropped, repeated, swapped or put in, and bytes changed. */
  fuzz(count: number): Promise<readonly string[]>;
  close(): Promise<void>;
};

export async function startFaultRuns(seed: number): Promise<FaultRuns> {
  const server = await startStrictServer();
  const replies = new Map<string, Reply>();
  // Several requests are under way at once; each says in its prompt which case it is.
  server.replyWith(({ rawBody }) => replies.get(/case-\d+/u.exec(rawBody)?.[0] ?? '') ?? { status: 500, body: 'no such case' });
  let cases = 0;

  /** One request; the fake clock is driven until the turn has ended. */
  const run = async ({ body, fault, dialect }: Case): Promise<readonly ProviderEvent[]> => {
    cases += 1;
    const name = `case-${cases}`;
    replies.set(name, { body, ...(fault === undefined ? {} : { fault }) });
    const clock = createFakeClock();
    let ended = false;
    const events = collect(adapterFor(configFor(dialect, server.url), clock), requestOf([prompt(name)])).finally(() => {
      ended = true;
      replies.delete(name);
    });
    if (fault?.kind === 'stall') while (!ended) await clock.advance(40_000);
    return events;
  };
  /** All of them, eight at a time. */
  const check = async (all: readonly Case[], rule: Rule): Promise<readonly string[]> => {
    const broken: string[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let one = all[next++]; one !== undefined; one = all[next++]) {
        const events = await run(one);
        if (!rule(events, one)) broken.push(`${one.label}: ${JSON.stringify(events).slice(0, 300)}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    return broken;
  };

  return {
    async cutEvery(dialect, stride) {
      const fixture = loadFixtures(dialect).find(({ name }) => name === 'recorded-calls');
      if (fixture === undefined) return ['the recorded stream is missing'];
      const body = bodyOf(fixture);
      const whole = await run({ body, dialect, label: 'whole' });
      if (callsOf(whole).length !== 2) return [`the whole stream: ${JSON.stringify(whole)}`];
      const all = Array.from({ length: Math.ceil((Buffer.byteLength(body) + 1) / stride) }, (_, index): Case => {
        const kind = index % 2 === 0 ? 'cut' : 'drop';
        return { body, dialect, fault: { kind, at: index * stride }, label: `${kind} at ${index * stride}` };
      });
      return check(all, soundCut(whole));
    },
    async seededFaults(count) {
      const next = random(seed);
      const kinds = ['cut', 'drop', 'reset', 'stall', 'garble'] as const;
      const broken: string[] = [];
      for (const fixture of tenStreams()) {
        const { dialect, name } = fixture;
        const body = bodyOf(fixture);
        const cut = soundCut(await run({ body, dialect, label: name }));
        const all = Array.from({ length: count }, (): Case => {
          const kind = kinds[Math.floor(next() * kinds.length)] ?? 'cut';
          const at = Math.floor(next() * Buffer.byteLength(body));
          return { body, dialect, fault: { kind, at }, label: `${name} ${kind} at ${at}` };
        });
        broken.push(...(await check(all, (events, one) => (one.fault?.kind === 'garble' ? soundEnd(events) : cut(events, one)))));
      }
      return broken;
    },
    fuzz: (count) => {
      const next = random(seed);
      const all = [...streams('openai'), ...streams('gemini')];
      const fuzzed = Array.from({ length: count }, (_, index): Case => {
        const fixture = pick(all, next);
        return { body: fuzzBody(bodyOf(fixture), next), dialect: fixture.dialect, label: `${index} ${fixture.name}` };
      });
      return check(fuzzed, (events) => soundEnd(events) && callsOf(events).every((call) => call.name !== '' && isObject(call.arguments)));
    },
    close: () => server.close(),
  };
}

function callsOf(events: readonly ProviderEvent[]): readonly ProviderCall[] {
  return events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
}

/** One end, and it is the last event. */
function soundEnd(events: readonly ProviderEvent[]): boolean {
  const end = events.at(-1);
  return endsOf(events).length === 1 && (end?.type === 'finish' || end?.type === 'error');
}

/** Besides a sound end: no call but exactly those of the whole stream, and only when it was finished. */
function soundCut(whole: readonly ProviderEvent[]): Rule {
  const bare = (events: readonly ProviderEvent[]): string =>
    JSON.stringify(callsOf(events).map(({ name, arguments: args, invalid }) => [name, args, invalid]));
  const expected = bare(whole);
  return (events) => soundEnd(events) && (callsOf(events).length === 0 || (bare(events) === expected && events.at(-1)?.type === 'finish'));
}

function streams(dialect: Dialect): readonly WireFixture[] {
  return loadFixtures(dialect).filter((fixture) => fixture.status === undefined && fixture.raw === undefined);
}

/** The longest that there are: five of each dialect, but the recorded ones. */
function tenStreams(): readonly WireFixture[] {
  return (['openai', 'gemini'] as const).flatMap((dialect) =>
    [...streams(dialect)]
      .filter(({ name }) => name !== 'recorded-calls')
      .sort((left, right) => bodyOf(right).length - bodyOf(left).length)
      .slice(0, 5),
  );
}

function random(seed: number): () => number {
  const clock = createFakeClock(0, seed);
  return () => clock.random();
}

function pick<Item>(items: readonly Item[], next: () => number): Item {
  return items[Math.floor(next() * items.length)] ?? (items[0] as Item); // never empty here
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const pieces = [
  'null',
  '[]',
  '{}',
  '"text"',
  '1e999',
  '{"choices":{}}',
  '{"choices":[null]}',
  '{"choices":[{"delta":null}]}',
  '{"choices":[{"delta":{"tool_calls":[null,{}]}}]}',
  '{"choices":[{"delta":{"tool_calls":[{"index":-1,"function":{"name":5,"arguments":7}}]}}]}',
  '{"candidates":[{"content":{"parts":[null,{"functionCall":{"name":"","args":[]}}]}}]}',
  '{"candidates":"x"}',
  '[DONE]',
  '{"error":null}',
  '{"usage":{"prompt_tokens":-1}}',
];

function fuzzBody(body: string, next: () => number): Buffer {
  const events = body.split(/(?<=\n\n)/u);
  for (let change = 0; change <= next() * 3; change += 1) {
    const at = Math.floor(next() * events.length);
    const other = Math.floor(next() * events.length);
    const kind = pick(['drop', 'repeat', 'swap', 'insert', 'bytes', 'newline'], next);
    if (kind === 'drop') events.splice(at, 1);
    else if (kind === 'repeat') events.splice(at, 0, events[at] ?? '');
    else if (kind === 'swap') [events[at], events[other]] = [events[other] ?? '', events[at] ?? ''];
    else if (kind === 'insert') events.splice(at, 0, `data: ${pick(pieces, next)}\n\n`);
    else if (kind === 'newline') events[at] = (events[at] ?? '').replaceAll('\n', pick(['\r\n', '\r', '\n \n'], next));
  }
  const bytes = Buffer.from(events.join(''));
  for (let flips = Math.floor(next() * 4); flips > 0 && bytes.length > 0; flips -= 1) {
    bytes.writeUInt8(Math.floor(next() * 256), Math.floor(next() * bytes.length));
  }
  return bytes;
}
