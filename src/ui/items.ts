import { type SanitizeState, sanitizeChunk, sanitizeStart, sanitizeText } from '../lib/sanitize.ts';
import type { Effect } from '../types/effects.ts';
import type { ErrorInfo } from '../types/errors.ts';
import type { EventOf } from '../types/events.ts';
import type { AssistantMessage } from '../types/messages.ts';
import type { Reason } from '../types/reasons.ts';

export type ToolState = 'called' | 'asking' | 'running' | 'done' | 'failed' | 'refused';

/**
 * One thing in the transcript. An item is open while events may still change it; closed items leave for the scrollback. Of an open text the
 * finished part leaves already: `text` is what has not left yet, `carry` what must stand before it to be understood, `join` what comes before
 * its next block.
 */
export type Item =
  | { readonly kind: 'page'; readonly title: string; readonly lines: readonly string[] }
  | { readonly kind: 'user'; readonly source: EventOf<'user-message'>['kind']; readonly text: string }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly carry: string;
      readonly join: 'start' | 'gap' | 'none';
      readonly open: boolean;
      readonly cut: boolean;
      readonly clean: SanitizeState;
    }
  | { readonly kind: 'draft'; readonly text: string; readonly open: boolean; readonly clean: SanitizeState }
  | { readonly kind: 'reasoning'; readonly text: string; readonly open: boolean; readonly clean: SanitizeState }
  | {
      readonly kind: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      readonly state: ToolState;
      readonly effects: readonly Effect[];
      readonly startedAt: number;
      readonly output: string;
      readonly display: string | undefined;
      readonly clean: SanitizeState;
    }
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  | { readonly kind: 'error'; readonly error: ErrorInfo }
  | { readonly kind: 'end'; readonly reason: Reason; readonly sentence: string };

export type ToolItem = Extract<Item, { kind: 'tool' }>;

/** Whether nothing that may still happen changes the item. */
export function isClosed(item: Item): boolean {
  switch (item.kind) {
    case 'text':
    case 'draft':
    case 'reasoning':
      return !item.open;
    case 'tool':
      return item.state === 'done' || item.state === 'failed' || item.state === 'refused';
    default:
      return true;
  }
}

/** An open text with nothing in it yet. */
export function newText(): Extract<Item, { kind: 'text' }> {
  return { kind: 'text', text: '', carry: '', join: 'start', open: true, cut: false, clean: sanitizeStart };
}

type Streaming = 'text' | 'draft' | 'reasoning';

/** Adds a chunk to the open item of its kind, or begins one; whatever else was open is closed. */
export function appendTo(items: readonly Item[], kind: Streaming, chunk: string): readonly Item[] {
  const last = items.at(-1);
  const open = last?.kind === kind && !isClosed(last);
  const item: Extract<Item, { kind: Streaming }> = open
    ? last
    : kind === 'text'
      ? newText()
      : { kind, text: '', open: true, clean: sanitizeStart };
  const { text, state } = sanitizeChunk(item.clean, chunk);
  const next = { ...item, text: item.text + text, clean: state };
  return open ? [...items.slice(0, -1), next] : [...closeStreams(items), next];
}

/** Nothing more comes for texts, drafts and reasoning. */
export function closeStreams(items: readonly Item[]): readonly Item[] {
  if (items.every((item) => item.kind === 'tool' || isClosed(item))) return items;
  return items.map((item) => (isClosed(item) || item.kind === 'tool' ? item : ({ ...item, open: false } as Item)));
}

/** Drafts that turned out to be the real text, or void: the text itself follows or has been streamed. */
export function withoutDrafts(items: readonly Item[]): readonly Item[] {
  return items.some((item) => item.kind === 'draft' && item.open) ? items.filter((item) => item.kind !== 'draft' || !item.open) : items;
}

/** Changes the newest item of a call; none, and nothing happens. */
export function updateTool(items: readonly Item[], callId: string, change: (tool: ToolItem) => ToolItem): readonly Item[] {
  const index = items.findLastIndex((item) => item.kind === 'tool' && item.callId === callId);
  const tool = items[index];
  if (tool?.kind !== 'tool') return items;
  return items.with(index, change(tool));
}

/** A call that was announced, no more. */
export function newTool(callId: string, name: string, args: Readonly<Record<string, unknown>>, now: number): ToolItem {
  return {
    kind: 'tool',
    callId,
    name: sanitizeText(name),
    arguments: args,
    state: 'called',
    effects: [],
    startedAt: now,
    output: '',
    display: undefined,
    clean: sanitizeStart,
  };
}

/** Whether a call is shown already. */
export function hasTool(items: readonly Item[], callId: string): boolean {
  return items.some((item) => item.kind === 'tool' && item.callId === callId);
}

/** The parts of a message that was not streamed to us: a resumed session's. */
export function messageItems(message: AssistantMessage): readonly Item[] {
  return message.parts.flatMap((part): readonly Item[] => {
    if (part.type !== 'text' || part.text.trim() === '') return [];
    return [{ ...newText(), text: sanitizeText(part.text), open: false, cut: message.cut ?? false }];
  });
}

/** What an interruption leaves: nothing is open any more. */
export function settleItems(items: readonly Item[]): readonly Item[] {
  return closeStreams(withoutDrafts(items)).map((item) => (item.kind === 'tool' && !isClosed(item) ? { ...item, state: 'failed' } : item));
}

/** Of a running tool's output only the end is kept for the screen. */
const maxLiveOutputChars = 8_192;

/** Adds live output to a running tool. */
export function appendOutput(tool: ToolItem, chunk: string): ToolItem {
  const { text, state } = sanitizeChunk(tool.clean, chunk);
  return { ...tool, output: (tool.output + text).slice(-maxLiveOutputChars), clean: state };
}
