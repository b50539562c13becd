import type { Session } from '../continuation/session.ts';
import { toJsonLine } from '../lib/jsonl.ts';
import { sanitizeText } from '../lib/sanitize.ts';
import { version } from '../lib/version.ts';
import type { AgentEvent } from '../types/events.ts';
import { noAnswer, stepAnswer } from './answer.ts';
import { formatStart, stepFormat, withIds } from './format.ts';
import type { Output } from './output.ts';
import { isWarning, progressLine } from './progress.ts';
import type { RecordBody, ResultRecord } from './records.ts';

export type OneShotFormat = 'text' | 'json' | 'stream-json';

/** Turns the events of a session into what the call prints, and remembers what its result needs. */
export type Listener = {
  begin(): void;
  /** A warning that is no event of the session. */
  notice(text: string): void;
  see(event: AgentEvent): void;
  /** Between the start and the end of a run. */
  isRunning(): boolean;
  putRecord(record: RecordBody): void;
  /** The final text of every run so far. */
  texts(): readonly string[];
  turns(): number;
  denials(): ResultRecord['permission_denials'];
};

export type ListenerOptions = {
  readonly session: Session;
  readonly format: OneShotFormat;
  readonly includePartial: boolean;
  /** Text mode prints nothing by itself: the caller prints the checked answer. */
  readonly holdText: boolean;
  readonly started: number;
  warn(text: string): void;
};

export function createListener(options: ListenerOptions, output: Output): Listener {
  const { session, format, warn } = options;
  let state = formatStart({ model: session.model.current().model, includePartial: options.includePartial });
  let answer = noAnswer;
  let number = 0;
  let running = false;
  const texts: string[] = [];

  const putRecord = (record: RecordBody): void => {
    number += 1;
    output.put(toJsonLine(withIds(record, { sessionId: session.id, started: options.started, number })));
  };
  const finishRun = (text: string): void => {
    texts.push(text);
    if (format !== 'text' || options.holdText) return;
    const shown = sanitizeText(text);
    output.put(`${texts.length > 1 ? '\n' : ''}${shown}${shown.endsWith('\n') ? '' : '\n'}`);
  };

  return {
    begin() {
      if (format === 'stream-json') putRecord(initRecord(session));
    },
    notice(text) {
      if (format === 'stream-json') putRecord({ type: 'system', subtype: 'notice', level: 'warning', text });
      warn(text);
    },
    see(event) {
      if (event.type === 'run-start' || event.type === 'run-end') running = event.type === 'run-start';
      const step = stepFormat(state, event);
      state = step.state;
      if (format === 'stream-json') for (const record of step.records) putRecord(record);
      const answered = stepAnswer(answer, event);
      answer = answered.state;
      if (answered.done !== undefined) finishRun(answered.done);
      const line = format === 'stream-json' && !isWarning(event) ? undefined : progressLine(event);
      if (line !== undefined) warn(line);
    },
    isRunning: () => running,
    putRecord,
    texts: () => texts,
    turns: () => state.turns,
    denials: () => state.denials,
  };
}

function initRecord(session: Session): RecordBody {
  const { provider, model } = session.model.current();
  return {
    type: 'system',
    subtype: 'init',
    cwd: session.cwd,
    model,
    provider,
    permissionMode: session.approval.mode(),
    tools: session.tools().map((tool) => tool.name),
    mcp_servers: [],
    tilldone_version: version,
  };
}
