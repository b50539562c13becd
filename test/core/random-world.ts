import type { Settings } from '../../src/config/settings.ts';
import type { PermissionGate } from '../../src/permissions/gate.ts';
import { closeDanglingCalls } from '../../src/session/dangling-calls.ts';
import type { DurableEvent } from '../../src/types/events.ts';
import { reasons } from '../../src/types/reasons.ts';
import { contentKey, isActive, isOpen, type Todo } from '../../src/types/todos.ts';
import { type TestEngine, testEngine } from '../helpers/engine.ts';
import { createQuickClock } from './quick-clock.ts';
import { answer } from './random-model.ts';
import { faultsOf, reminderOf } from './scripts.ts';

/** One random life of a session. Numbers stand for answers of the model and decisions of the gate; they are used round and round. */
export type Life = {
  readonly model: readonly number[];
  readonly gate: readonly number[];
  readonly prompts: readonly string[];
  readonly settings: Partial<Settings>;
  readonly interactive: boolean;
  /** Event at which the user presses Esc, types, pauses or switches the engine off; -1 for never. */
  readonly abortAt: number;
  readonly steerAt: number;
  readonly pauseAt: number;
  readonly offAt: number;
  /** Events of the log that survive a crash, in percent; undefined for no crash. */
  readonly crashAtPercent: number | undefined;
};

/** Caps of `life`, with what a missing one means. */
type Caps = Pick<Settings, 'max-turns' | 'max-todo-continuations' | 'max-no-progress' | 'max-idle-turns' | 'max-total-tokens'>;

const tenMinutes = 600_000;

function randomGate(numbers: readonly number[]): PermissionGate {
  let asked = 0;
  return {
    async decide() {
      asked += 1;
      const number = numbers.length === 0 ? 0 : (numbers[asked % numbers.length] ?? 0);
      const base = { requestId: `request-${asked}`, endsRun: false, needsPerson: false };
      if (number < 12) return { ...base, verdict: 'allow', by: 'mode', reason: 'allowed' };
      if (number === 12) return { ...base, verdict: 'refuse', by: 'rule', reason: 'a rule' };
      if (number === 13) return { ...base, verdict: 'refuse', by: 'user', reason: 'use something else' };
      if (number === 14) return { ...base, verdict: 'refuse', by: 'nobody', reason: 'nobody', needsPerson: true };
      return { ...base, verdict: 'refuse', by: 'user', reason: 'no', endsRun: true };
    },
    isActing: (effects) => effects.length > 0,
    startPrompt: () => {},
  };
}

/** Lives it and names everything that must not be. */
export async function violationsOf(life: Life): Promise<readonly string[]> {
  const first = await live(life, []);
  if (first.violations.length > 0 || life.crashAtPercent === undefined) return first.violations;
  const { log } = first.engine;
  const prefix = log.slice(0, Math.ceil((log.length * life.crashAtPercent) / 100));
  const survived = closeDanglingCalls(
    prefix,
    prefix.map(() => 0),
  ).events;
  const second = await live({ ...life, abortAt: -1, prompts: ['continue', ...life.prompts] }, survived);
  return second.violations;
}

/** Plays one life on top of what was kept of an earlier one. */
export async function live(
  life: Life,
  resumeFrom: readonly DurableEvent[],
): Promise<{ engine: TestEngine; violations: readonly string[] }> {
  const violations: string[] = [];
  const model = life.model;
  const engine: TestEngine = testEngine(
    (_, index) => {
      if (index > 2000) throw new Error('It never ends.');
      return [
        { usage: { inputTokens: 10, outputTokens: 1 } },
        ...[answer(model[index % model.length] ?? 0, { todos: engine.todos.list().items, index: index + resumeFrom.length })].flat(),
      ];
    },
    { settings: life.settings, interactive: life.interactive, clock: createQuickClock(), gate: () => randomGate(life.gate), resumeFrom },
  );
  if (resumeFrom.length > 0) engine.agent.markResumed();
  let events = 0;
  let requestsAtAbort: number | undefined;
  engine.recorder.subscribe((event) => {
    events += 1;
    if (event.type === 'question-request') queueMicrotask(() => engine.questions.answerQuestion(event.requestId, 'the first'));
    if (events === life.steerAt) engine.service.steer('mind the tests');
    if (events === life.pauseAt) engine.service.pause('lunch');
    if (events === life.offAt) engine.setSettings({ 'todo-continuation': false });
    if (events !== life.abortAt) return;
    engine.service.interrupt();
    requestsAtAbort = engine.requestCount();
  });
  for (const text of life.prompts) {
    const outcome = await engine.service.submit(text);
    if (!reasons.includes(outcome.reason)) violations.push(`(a) strange reason ${outcome.reason}`);
    if (requestsAtAbort === undefined) continue;
    await engine.clock.advance(tenMinutes);
    if (engine.requestCount() > requestsAtAbort) violations.push(`(d) ${engine.requestCount() - requestsAtAbort} requests after an abort`);
    const next = engine.collector.events.slice(life.abortAt).find((event) => event.type === 'prompt-end');
    if (next !== undefined && next.reason !== 'aborted') violations.push(`(d) aborted, but ended ${next.reason}`);
    break;
  }
  // What was typed too late for its run is a prompt of its own.
  await engine.service.settled();
  const caps = engine.settings();
  violations.push(...checkEnds(engine.log.slice(resumeFrom.length)), ...checkCaps(engine.log, caps), ...checkRequests(engine));
  return { engine, violations };
}

/** (a) exactly one reason for each prompt, one end for each run, one exit for each attempt. */
function checkEnds(log: readonly DurableEvent[]): readonly string[] {
  const faults: string[] = [];
  let prompts = 0;
  let promptEnds = 0;
  let runOpen = false;
  let attemptOpen = false;
  for (const event of log) {
    if (event.type === 'user-message' && (event.kind === 'prompt' || event.kind === 'queue')) prompts += 1;
    if (event.type === 'prompt-end') {
      promptEnds += 1;
      if (promptEnds !== prompts) faults.push('(a) prompt-end without its prompt');
      if (runOpen) faults.push('(a) prompt-end inside a run');
    }
    if (event.type === 'run-start' || event.type === 'run-end') {
      if (runOpen === (event.type === 'run-start')) faults.push(`(a) ${event.type} out of turn`);
      runOpen = event.type === 'run-start';
    }
    if (event.type === 'turn-start' || event.type === 'turn-end' || event.type === 'attempt-retry') {
      if (attemptOpen === (event.type === 'turn-start')) faults.push(`(a) ${event.type} out of turn`);
      attemptOpen = event.type === 'turn-start';
    }
  }
  if (prompts !== promptEnds) faults.push(`(a) ${prompts} prompts, ${promptEnds} ends`);
  if (runOpen || attemptOpen) faults.push('(a) something is still open at the end');
  return faults;
}

/** (b) the caps, counted anew from the log, across crash and resume; (g) the bound on requests. */
function checkCaps(log: readonly DurableEvent[], caps: Caps): readonly string[] {
  const faults = new Set<string>();
  let requests = 0;
  let tokens = 0;
  let nudges = 0;
  let allNudges = 0;
  let accepted = 0;
  let progress = 0;
  let isOver = true;
  let steered = 0;
  let calls = new Set<string>();
  let closed = new Set<string>();
  let inPlay = false;
  let previous: readonly Todo[] = [];
  for (const event of log) {
    switch (event.type) {
      case 'user-message':
        if (event.kind === 'shell') break;
        nudges = 0;
        if (event.kind === 'steer') {
          steered += 1;
          break;
        }
        if (isOver || event.resumes !== true) {
          requests = 0;
          tokens = 0;
        }
        allNudges = 0;
        accepted = 0;
        progress = 0;
        steered = 0;
        isOver = false;
        calls = new Set();
        closed = new Set();
        inPlay = false;
        break;
      case 'prompt-end':
        isOver = true;
        break;
      case 'turn-start': {
        if (caps['max-total-tokens'] !== null && tokens >= caps['max-total-tokens']) faults.add('(b) a request beyond max-total-tokens');
        requests += 1;
        if (requests > caps['max-turns']) faults.add('(b) a request beyond max-turns');
        break;
      }
      case 'usage':
        tokens += event.usage.inputTokens + event.usage.outputTokens;
        break;
      case 'attempt-retry':
      case 'continuation-start':
        // Without a list in play the one retry of an empty answer is no matter of the list.
        if (event.type === 'attempt-retry' && event.cause === 'empty' && !inPlay) break;
        nudges += 1;
        allNudges += 1;
        if (nudges > caps['max-todo-continuations']) faults.add('(b) a nudge beyond max-todo-continuations');
        break;
      case 'permission-decision':
        if (event.verdict !== 'refuse' || event.by !== 'user' || event.endsRun) break;
        // a no with a reason is steering
        nudges = 0;
        steered += 1;
        break;
      case 'turn-end':
        accepted += 1;
        break;
      case 'tool-result':
        if (!event.isError && event.working) {
          const key = `${event.name} ${JSON.stringify(event.arguments)} ${event.output}`;
          if (!calls.has(key)) progress += 1;
          calls.add(key);
        }
        break;
      case 'todos-change': {
        inPlay = event.list.items.some(isActive);
        if (progress === 0) progress += 1;
        // Never stricter than the contract: whatever may be a close gives back, only what surely is one is remembered.
        for (const todo of event.list.items) {
          if (isActive(todo) || closed.has(contentKey(todo))) continue;
          const before = previous.filter((old) => isOpen(old) && old.status !== todo.status);
          const surely = before.some((old) => old.id === todo.id && contentKey(old) === contentKey(todo));
          if (!before.some((old) => old.id === todo.id || contentKey(old) === contentKey(todo))) continue;
          if (surely) closed.add(contentKey(todo));
          progress += 1;
          nudges = 0;
        }
        previous = event.list.items;
        break;
      }
      default:
    }
    // Between two steps forward lie at most the idle turns, their correction, and one accepted text for each nudge.
    const idle = caps['max-idle-turns'] + 3 + caps['max-no-progress'] + 1;
    const bound = (progress + 2 + steered) * (idle + 1) + allNudges + 1;
    if (accepted > bound) faults.add(`(g) ${accepted} turns, bound ${bound}`);
  }
  return [...faults];
}

/** (e) no text of the engine's in log or history; (f) exactly one result for every call in every request. */
function checkRequests(engine: TestEngine): readonly string[] {
  const faults = engine.provider.requests.flatMap((request) => faultsOf(request).map((fault) => `(f) ${fault}`));
  const reminders = new Set<string>();
  for (const request of engine.provider.requests) {
    const text = reminderOf(request);
    if (text !== undefined) reminders.add(JSON.stringify(text).slice(1, 60));
  }
  if (reminders.size === 0) return faults;
  const kept = JSON.stringify(engine.log);
  for (const text of reminders) if (kept.includes(text)) faults.push(`(e) kept: ${text}`);
  for (const message of engine.recorder.state.history)
    if (message.role === 'user' && message.kind === 'reminder') faults.push('(e) in the history');
  return faults;
}
