import { encodeEntry } from '../../src/session/entries.ts';
import { type DurableEvent, nowhere } from '../../src/types/events.ts';

const origin = { provider: 'builtin', model: 'checklist' };
const statuses = ['pending', 'in_progress', 'completed'] as const;

/** The events of a session that worked through a list with `turns` calls; every call has its result. */
export function sampleEvents(turns: number, textBytes = 200): readonly DurableEvent[] {
  const events: DurableEvent[] = [
    { type: 'session-start', ...nowhere, sessionId: 's-1', cwd: '/work/project', ...origin, version: '0.1.0' },
    { type: 'user-message', ...nowhere, kind: 'prompt', text: 'Do the list\nall of it ✓ 漢字', promptId: 'p-1' },
    { type: 'run-start', runId: 'r-1', turn: 0, attempt: 0, origin: 'user', promptId: 'p-1' },
  ];
  for (let turn = 1; turn <= turns; turn += 1) {
    const place = { runId: 'r-1', turn, attempt: 1 };
    const args = { command: `echo "${turn}"`, note: 'x'.repeat(textBytes) };
    const call = { type: 'tool-call', callId: `c-${turn}`, name: 'shell', arguments: args, origin } as const;
    events.push(
      { type: 'turn-start', ...place, reminded: false, elapsedMs: 0 },
      { type: 'usage', ...place, usage: { inputTokens: 100, outputTokens: 20 } },
      { type: 'turn-end', ...place, message: { role: 'assistant', parts: [call] }, finish: 'tool-calls' },
      {
        type: 'tool-start',
        ...place,
        callId: call.callId,
        name: 'shell',
        effects: [{ kind: 'command', command: args.command, cwd: '/work/project' }],
        acting: true,
      },
      {
        type: 'tool-result',
        ...place,
        callId: call.callId,
        name: 'shell',
        arguments: args,
        output: `${turn}\n`,
        isError: false,
        acting: true,
        working: true,
      },
      {
        type: 'todos-change',
        ...place,
        by: 'model',
        list: {
          items: statuses.map((status, index) => ({
            id: String(index + 1),
            content: `Item ${index + 1}`,
            status,
            priority: 'medium' as const,
          })),
          version: turn,
          lastId: 3,
        },
      },
    );
  }
  events.push(
    { type: 'run-end', runId: 'r-1', turn: turns, attempt: 0, end: 'complete' },
    { type: 'prompt-end', ...nowhere, promptId: 'p-1', reason: 'done', exitCode: 0, sentence: 'All 3 todos done' },
  );
  return events;
}

export function encodeLog(events: readonly DurableEvent[], firstSeq = 1): Buffer {
  return Buffer.concat(events.map((event, index) => encodeEntry(event, { seq: firstSeq + index, at: 1_700_000_000_000 + index })));
}

/** Fixed, so that a failure comes again; other values search further. */
export const seed = Number(process.env.TILLDONE_SEED ?? 1);

/** How many times more random cases than usual. */
export const soakFactor = Number(process.env.TILLDONE_SOAK_FACTOR ?? 1);
