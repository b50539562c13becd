import { headOf, tailOf } from '../lib/text.ts';
import type { Provider } from '../providers/provider.ts';
import { type AssistantMessage, type Message, textOf, toolCallsOf, type Usage, type UserMessage } from '../types/messages.ts';
import { countTodos, type Todo } from '../types/todos.ts';
import { estimateHistory, estimateTokens } from './context.ts';
import { pairCalls } from './request.ts';

/** Old tool outputs are cut to this many characters before anything else is given up. */
const trimmedOutputChars = 400;

/** Most characters of a summary that are kept. */
const maxSummaryChars = 12_000;

export type CompactionPlan = {
  /** What the summary stands for. */
  readonly old: readonly Message[];
  /** Kept word for word: whole turns with their pairs. */
  readonly recent: readonly Message[];
};

/** Cuts the history where a turn begins, so that about `keepTokens` stay; at least the last user or assistant message does. */
export function planCompaction(history: readonly Message[], keepTokens: number): CompactionPlan {
  const paired = pairCalls(history);
  let cut = paired.length;
  let kept = 0;
  for (let index = paired.length - 1; index >= 0; index -= 1) {
    const message = paired[index];
    if (message === undefined) continue;
    kept += estimateTokens(message);
    if (kept > keepTokens && cut < paired.length) break;
    if (message.role !== 'tool') cut = index;
  }
  return { old: paired.slice(0, cut), recent: paired.slice(cut) };
}

/** Shortens tool outputs, oldest first, until the history fits; the last `keepMessages` stay whole. */
export function trimToolOutputs(
  history: readonly Message[],
  options: { readonly targetTokens: number; readonly keepMessages: number },
): readonly Message[] {
  let excess = estimateHistory(history) - options.targetTokens;
  return history.map((message, index) => {
    if (excess <= 0 || message.role !== 'tool' || index >= history.length - options.keepMessages) return message;
    if (message.output.length <= trimmedOutputChars * 1.5) return message;
    const trimmed = {
      ...message,
      output: `${message.output.slice(0, trimmedOutputChars)}\n[… ${message.output.length - trimmedOutputChars} characters dropped to save context]`,
    };
    excess -= estimateTokens(message) - estimateTokens(trimmed);
    return trimmed;
  });
}

/** Files that were read and changed, by path, in order of first use. */
export function touchedFiles(messages: readonly Message[]): { readonly read: readonly string[]; readonly changed: readonly string[] } {
  const read = new Set<string>();
  const changed = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of toolCallsOf(message)) {
      const path = call.arguments.path;
      if (typeof path !== 'string') continue;
      if (call.name === 'read_file') read.add(path);
      if (call.name === 'write_file' || call.name === 'edit_file') changed.add(path);
    }
  }
  return { read: [...read], changed: [...changed] };
}

const summaryInstruction = `Summarize the conversation so far for yourself, so that the work can go on without it. Keep: what the user wants, in their words where it matters; decisions and why; what has been done and found; file names, commands, values and errors that are still needed; what is unfinished. At most 600 words. Write only the summary.`;

/** A summary by the model; no text when it fails, is empty, or the signal aborts. What it cost is told in any case. */
export async function summarize(
  provider: Provider,
  input: { readonly model: string; readonly old: readonly Message[]; readonly focus: string | undefined; readonly signal: AbortSignal },
): Promise<{ readonly text: string | undefined; readonly usage: Usage | undefined }> {
  const focus = input.focus === undefined ? '' : ` Pay attention to: ${input.focus}`;
  const request: UserMessage = { role: 'user', kind: 'reminder', text: summaryInstruction + focus };
  const stream = provider.stream(
    { model: input.model, system: 'You summarize conversations precisely.', messages: [...input.old, request], tools: [] },
    input.signal,
  );
  let text = '';
  let usage: Usage | undefined;
  let failed = false;
  for await (const event of stream) {
    if (event.type === 'text-delta') text += event.text;
    if (event.type === 'usage') usage = event.usage;
    if (event.type === 'retry-wait' && event.voids) text = '';
    if (event.type === 'error' || event.type === 'tool-call') failed = true;
    if (event.type === 'finish' && event.finish !== 'stop' && event.finish !== 'length') failed = true;
  }
  const summary = text.trim();
  return { text: failed || summary === '' ? undefined : headOf(summary, maxSummaryChars), usage };
}

/** Characters kept of the newest prompt, and of each other message of the user's, in a mechanical summary. */
const newestPromptChars = 8_000;
const otherPromptChars = 1_000;

/** Without a model: what the user said, and what the assistant last said, word for word but cut. */
export function mechanicalSummary(old: readonly Message[]): string {
  const newest = old.findLast((message) => message.role === 'user' && message.kind !== 'summary');
  const lines = old.flatMap((message) => {
    if (message.role !== 'user') return [];
    const chars = message === newest || message.kind === 'summary' ? newestPromptChars : otherPromptChars;
    return [`${message.kind === 'summary' ? 'Earlier' : 'User'}: ${headOf(message.text, chars)}`];
  });
  const lastSaid = old.findLast((message): message is AssistantMessage => message.role === 'assistant');
  const said = lastSaid === undefined ? '' : textOf(lastSaid).trim();
  if (said !== '') lines.push(`You last said: ${headOf(said, otherPromptChars)}`);
  return tailOf(lines.join('\n'), maxSummaryChars);
}

/** The message that stands for the old part: summary, files, and the list while it is active, with the pause if one is in force. */
export function summaryMessage(input: {
  readonly summary: string;
  readonly old: readonly Message[];
  readonly todos: readonly Todo[];
  readonly pause: string | undefined;
}): UserMessage {
  const sections = [`[Summary of the conversation so far]\n${input.summary}`];
  const { read, changed } = touchedFiles(input.old);
  if (changed.length > 0) sections.push(`Files changed: ${changed.slice(-50).join(', ')}`);
  if (read.length > 0) sections.push(`Files read: ${read.slice(-50).join(', ')}`);
  if (countTodos(input.todos).active > 0) {
    const items = input.todos.map(
      (todo) => `- [${todo.status}] ${todo.id}: ${todo.content}${todo.note === undefined ? '' : ` (${todo.note})`}`,
    );
    sections.push(`Todo list as it stands now:\n${items.join('\n')}`);
    if (input.pause !== undefined) sections.push(`Work is paused: ${input.pause}`);
  }
  return { role: 'user', kind: 'summary', text: sections.join('\n\n') };
}
