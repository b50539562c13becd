import type { Usage } from '../types/messages.ts';
import { cutByLimit, readArguments } from './call-arguments.ts';
import type { Compat } from './config.ts';
import type { ProviderCall, ProviderEvent } from './provider.ts';
import { createTextCalls } from './text-calls.ts';
import type { Assembler } from './wire-stream.ts';
import { asRecord, countAt, idAt, listAt, recordAt, textAt, type WireRecord } from './wire-values.ts';

type Slot = { readonly index: number | undefined; id: string | undefined; name: string; pieces: string };

export type AssemblerOptions = {
  readonly compat: Compat;
  /** Names that a call printed as text may have. */
  readonly toolNames: ReadonlySet<string>;
  /** Ids that the history already has: a second call of the same id gets a new one. */
  readonly usedIds: ReadonlySet<string>;
  readonly newId: () => string;
};

/** Puts one Chat Completions stream together. Calls come out at the end, in the order of their index, when all of them are whole. */
export function createOpenAiAssembler(options: AssemblerOptions): Assembler<unknown> & { finishReason(): string | undefined } {
  const slots: Slot[] = [];
  const citations = new Map<string, string>();
  const textCalls = options.compat.textToolCalls === true ? createTextCalls(options.toolNames) : undefined;
  const usedIds = new Set(options.usedIds);
  let finishReason: string | undefined;
  let usageAfterFinish = false;
  let failed: WireRecord | undefined;

  const push = (chunk: unknown): readonly ProviderEvent[] => {
    const record = asRecord(chunk);
    if (record === undefined) return [];
    const events: ProviderEvent[] = [];
    const usage = readUsage(record);
    for (const entry of listAt(record, 'choices')) {
      const choice = asRecord(entry);
      // A server that does not stream sends one whole message.
      const delta = asRecord(choice?.delta) ?? recordAt(choice, 'message');
      pushDelta(delta, events);
      const reason = textAt(choice, 'finish_reason');
      if (reason !== undefined) finishReason = reason;
      if (reason === 'error') failed = recordAt(choice, 'error');
      if ((countAt(choice, 'index') ?? 0) === 0) break;
    }
    for (const url of listAt(record, 'citations')) if (typeof url === 'string' && url !== '') citations.set(url, url);
    if (usage !== undefined) {
      events.push({ type: 'usage', usage });
      usageAfterFinish = finishReason !== undefined;
    }
    return events;
  };

  const pushDelta = (delta: WireRecord, events: ProviderEvent[]): void => {
    const thoughts = readThoughts(delta, options.compat.reasoningField);
    if (thoughts !== '') events.push({ type: 'reasoning-delta', text: thoughts });
    const text = readText(delta.content) + (textAt(delta, 'refusal') ?? '');
    const shown = textCalls === undefined ? text : textCalls.push(text);
    if (shown !== '') events.push({ type: 'text-delta', text: shown });
    for (const piece of listAt(delta, 'tool_calls')) pushPiece(slots, asRecord(piece));
    const legacy = asRecord(delta.function_call);
    if (legacy !== undefined) pushPiece(slots, { index: 0, function: legacy });
    for (const entry of listAt(delta, 'annotations')) {
      const citation = recordAt(asRecord(entry), 'url_citation');
      const url = textAt(citation, 'url');
      if (url !== undefined) citations.set(url, textAt(citation, 'title') ?? url);
    }
  };

  const end = (sawDone: boolean): readonly ProviderEvent[] | undefined => {
    if (finishReason === undefined && !sawDone) return undefined;
    const rest = textCalls?.end() ?? { text: '', calls: [] };
    const events: ProviderEvent[] = rest.text === '' ? [] : [{ type: 'text-delta', text: rest.text }];
    const limited = finishReason === 'length' || finishReason === 'max_tokens';
    const safety = finishReason === 'content_filter' || finishReason === 'safety';
    const calls = safety ? [] : [...finishSlots(slots, limited), ...rest.calls.map((call) => ({ id: undefined, ...call }))];
    for (const { id, ...call } of calls) {
      const callId = id === undefined || usedIds.has(id) ? options.newId() : id;
      usedIds.add(callId);
      events.push({ type: 'tool-call', call: { callId, ...call } });
    }
    for (const [url, title] of citations) events.push({ type: 'citation', text: title, url });
    events.push({ type: 'finish', finish: limited ? 'length' : safety ? 'safety' : calls.length > 0 ? 'tool-calls' : 'stop' });
    return events;
  };

  return {
    push,
    end,
    state: () => (failed !== undefined ? 'failed' : finishReason === undefined ? 'open' : usageAfterFinish ? 'done' : 'finishing'),
    failure: () => failed,
    finishReason: () => finishReason,
  };
}

/** Pieces belong together by index; without one by id; without that a name begins a call and anything else goes on with the last. */
function pushPiece(slots: Slot[], piece: WireRecord | undefined): void {
  if (piece === undefined) return;
  const index = countAt(piece, 'index');
  const id = idAt(piece, 'id');
  const fn = asRecord(piece.function) ?? piece;
  const name = textAt(fn, 'name');
  let slot: Slot | undefined;
  if (index !== undefined) {
    slot = slots.findLast((candidate) => candidate.index === index);
    // One server gives every call the same index: another id with a name is another call.
    if (slot?.id !== undefined && id !== undefined && slot.id !== id && name !== undefined)
      slot = slots.find((candidate) => candidate.id === id);
  } else if (id !== undefined) slot = slots.find((candidate) => candidate.id === id) ?? (name === undefined ? slots.at(-1) : undefined);
  else if (name === undefined) slot = slots.at(-1);
  if (slot === undefined) {
    slot = { index, id: undefined, name: '', pieces: '' };
    slots.push(slot);
  }
  slot.id ??= id;
  // Some repeat the name in each piece; some cut it in two.
  if (name !== undefined && name !== slot.name && slot.pieces === '') slot.name += name;
  const raw = fn.arguments;
  if (typeof raw === 'string') slot.pieces += raw;
  else if (asRecord(raw) !== undefined) slot.pieces += JSON.stringify(raw);
}

function finishSlots(slots: readonly Slot[], limited: boolean): readonly (Omit<ProviderCall, 'callId'> & { id: string | undefined })[] {
  const ordered = slots
    .filter((slot) => slot.name !== '')
    .map((slot, arrival) => ({ slot, arrival }))
    .sort((left, right) => (left.slot.index ?? left.arrival) - (right.slot.index ?? right.arrival) || left.arrival - right.arrival);
  return ordered.map(({ slot }) => {
    const { id, name, pieces } = slot;
    const read = readArguments(pieces);
    const cut = limited && (read.invalid !== undefined || (slot === slots.at(-1) && pieces.trim() === ''));
    return { id, name, ...(cut ? { arguments: {}, invalid: cutByLimit } : read) };
  });
}

/** Content is text, or a list of parts of which the text ones count. */
function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (asRecord(part)?.type === 'text' ? (textAt(asRecord(part), 'text') ?? '') : '')).join('');
}

function readThoughts(delta: WireRecord, field: string | undefined): string {
  if (field !== undefined) return textAt(delta, field) ?? '';
  const plain = textAt(delta, 'reasoning_content') ?? textAt(delta, 'reasoning');
  if (plain !== undefined) return plain;
  return listAt(delta, 'content')
    .map((part) => (asRecord(part)?.type === 'thinking' ? readText(asRecord(part)?.thinking) : ''))
    .join('');
}

function readUsage(chunk: WireRecord): Usage | undefined {
  const usage = asRecord(chunk.usage) ?? asRecord(recordAt(chunk, 'x_groq').usage);
  const inputTokens = countAt(usage, 'prompt_tokens');
  const outputTokens = countAt(usage, 'completion_tokens');
  if (usage === undefined || (inputTokens === undefined && outputTokens === undefined)) return undefined;
  const cachedTokens = countAt(recordAt(usage, 'prompt_tokens_details'), 'cached_tokens') ?? countAt(usage, 'prompt_cache_hit_tokens');
  const reasoningTokens = countAt(recordAt(usage, 'completion_tokens_details'), 'reasoning_tokens');
  const costUsd = countAt(usage, 'cost');
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}
