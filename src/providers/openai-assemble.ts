import type { Usage } from '../types/messages.ts';
import { cutByLimit, readArguments } from './call-arguments.ts';
import type { Compat } from './config.ts';
import type { ProviderCall, ProviderEvent } from './provider.ts';
import { createTextCalls } from './text-calls.ts';
import type { Assembler } from './wire-stream.ts';
import { asRecord, countAt, idAt, listAt, recordAt, textAt, type WireRecord } from './wire-values.ts';

type Slot = { readonly index: number | undefined; id: string | undefined; name: string; pieces: string; signature: string | undefined };

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
  const details: WireRecord[] = [];
  let finishReason: string | undefined;
  /** Content came behind a finish, so that none of them says that the model is done. */
  let finishesEarly = false;
  let usageAfterFinish = false;
  let failed: WireRecord | undefined;

  const push = (chunk: unknown): readonly ProviderEvent[] => {
    const record = asRecord(chunk);
    if (record === undefined) return [];
    const events: ProviderEvent[] = [];
    let usage = readUsage(record);
    for (const entry of listAt(record, 'choices')) {
      const choice = asRecord(entry);
      usage ??= choice === undefined ? undefined : readUsage(choice);
      // A server that does not stream sends one whole message.
      const delta = asRecord(choice?.delta) ?? recordAt(choice, 'message');
      const hasContent = pushDelta(delta, events);
      finishesEarly ||= hasContent && finishReason !== undefined;
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

  /** Whether there was anything of the answer in it. */
  const pushDelta = (delta: WireRecord, events: ProviderEvent[]): boolean => {
    const before = events.length;
    const pieces = listAt(delta, 'tool_calls');
    for (const entry of listAt(delta, 'reasoning_details')) addDetail(details, asRecord(entry));
    const thoughts = readThoughts(delta, options.compat.reasoningField);
    if (thoughts !== '') events.push({ type: 'reasoning-delta', text: thoughts });
    const text = readText(delta.content) + (textAt(delta, 'refusal') ?? '');
    const shown = textCalls === undefined ? text : textCalls.push(text);
    if (shown !== '') events.push({ type: 'text-delta', text: shown });
    for (const [place, piece] of pieces.entries()) pushPiece(slots, asRecord(piece), pieces.length > 1 ? place : undefined);
    const legacy = asRecord(delta.function_call);
    if (legacy !== undefined) pushPiece(slots, { index: 0, function: legacy });
    for (const entry of listAt(delta, 'annotations')) {
      const citation = recordAt(asRecord(entry), 'url_citation');
      const url = textAt(citation, 'url');
      if (url !== undefined) citations.set(url, textAt(citation, 'title') ?? url);
    }
    return events.length > before || pieces.length > 0 || legacy !== undefined;
  };

  const end = (sawDone: boolean): readonly ProviderEvent[] | undefined => {
    if (finishReason === undefined && !sawDone) return undefined;
    const rest = textCalls?.end() ?? { text: '', calls: [] };
    const events: ProviderEvent[] = rest.text === '' ? [] : [{ type: 'text-delta', text: rest.text }];
    // what a gateway signed or encrypted must come back with the answer; plain thoughts need not
    if (details.some((detail) => textAt(detail, 'signature') !== undefined || textAt(detail, 'data') !== undefined))
      events.push({ type: 'reasoning-delta', text: '', signature: JSON.stringify(details) });
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
    state() {
      if (failed !== undefined) return 'failed';
      if (finishReason === undefined || finishesEarly) return 'open';
      return usageAfterFinish ? 'done' : 'finishing';
    },
    failure: () => failed,
    finishReason: () => finishReason,
  };
}

/**
 * Pieces belong together by index; without one by id; without that a name begins a call and anything else goes on with the call of its `place` in
 * a list of several, or with the last.
 */
function pushPiece(slots: Slot[], piece: WireRecord | undefined, place?: number): void {
  if (piece === undefined) return;
  const index = countAt(piece, 'index');
  const id = idAt(piece, 'id');
  const fn = asRecord(piece.function) ?? piece;
  const name = textAt(fn, 'name');
  let slot: Slot | undefined;
  if (index !== undefined) {
    slot = slots.findLast((candidate) => candidate.index === index) ?? startedWithoutIndex(slots, index, id);
    // One server gives every call the same index: another id with a name is another call.
    if (slot?.id !== undefined && id !== undefined && slot.id !== id && name !== undefined)
      slot = slots.find((candidate) => candidate.id === id);
  } else if (id !== undefined) slot = slots.find((candidate) => candidate.id === id) ?? (name === undefined ? slots.at(-1) : undefined);
  else if (name === undefined) slot = (place === undefined ? undefined : slots[place]) ?? slots.at(-1);
  if (slot === undefined) {
    slot = { index, id: undefined, name: '', pieces: '', signature: undefined };
    slots.push(slot);
  }
  slot.id ??= id;
  const extra = asRecord(piece.extra_content);
  if (extra !== undefined) slot.signature = JSON.stringify(extra);
  // Some repeat the name in each piece; some cut it in two.
  if (name !== undefined && name !== slot.name && slot.pieces === '') slot.name += name;
  const raw = fn.arguments;
  if (typeof raw === 'string') slot.pieces += raw;
  else if (asRecord(raw) !== undefined) slot.pieces += JSON.stringify(raw);
}

/** A call whose first piece had no index, by the place that it has among the calls. */
function startedWithoutIndex(slots: readonly Slot[], index: number, id: string | undefined): Slot | undefined {
  const slot = slots[index];
  return slot?.index === undefined && (id === undefined || slot?.id === undefined || slot.id === id) ? slot : undefined;
}

/** Pieces of one detail are those of its kind and index: texts go on, anything else is as it came last. What is encrypted comes whole. */
function addDetail(details: WireRecord[], piece: WireRecord | undefined): void {
  if (piece === undefined) return;
  const last = details.at(-1);
  if (last === undefined || last.type !== piece.type || last.index !== piece.index || piece.data !== undefined) {
    details.push(piece);
    return;
  }
  const joined: Record<string, unknown> = { ...last };
  for (const [key, value] of Object.entries(piece)) {
    const before = joined[key];
    const goesOn = (key === 'text' || key === 'summary') && typeof before === 'string' && typeof value === 'string';
    if (value !== null && value !== undefined) joined[key] = goesOn ? before + value : value;
  }
  details[details.length - 1] = joined;
}

function finishSlots(slots: readonly Slot[], limited: boolean): readonly (Omit<ProviderCall, 'callId'> & { id: string | undefined })[] {
  const ordered = slots
    .filter((slot) => slot.name !== '')
    .map((slot, arrival) => ({ slot, arrival }))
    .sort((left, right) => (left.slot.index ?? left.arrival) - (right.slot.index ?? right.arrival) || left.arrival - right.arrival);
  return ordered.map(({ slot }) => {
    const { id, name, pieces, signature } = slot;
    const read = readArguments(pieces);
    const cut = limited && (read.invalid !== undefined || (slot === slots.at(-1) && pieces.trim() === ''));
    const signed = signature === undefined ? {} : { signature };
    return { id, name, ...(cut ? { arguments: {}, invalid: cutByLimit } : read), ...signed };
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
  const detailed = listAt(delta, 'reasoning_details').map(
    (entry) => textAt(asRecord(entry), 'text') ?? textAt(asRecord(entry), 'summary') ?? '',
  );
  if (detailed.some((text) => text !== '')) return detailed.join('');
  return listAt(delta, 'content')
    .map((part) => (asRecord(part)?.type === 'thinking' ? readText(asRecord(part)?.thinking) : ''))
    .join('');
}

function readUsage(chunk: WireRecord): Usage | undefined {
  const usage = asRecord(chunk.usage) ?? asRecord(recordAt(chunk, 'x_groq').usage);
  const inputTokens = countAt(usage, 'prompt_tokens');
  const outputTokens = countAt(usage, 'completion_tokens');
  if (usage === undefined || (inputTokens === undefined && outputTokens === undefined)) return undefined;
  const cachedTokens =
    countAt(recordAt(usage, 'prompt_tokens_details'), 'cached_tokens') ??
    countAt(usage, 'prompt_cache_hit_tokens') ??
    countAt(usage, 'cached_tokens');
  const reasoningTokens = countAt(recordAt(usage, 'completion_tokens_details'), 'reasoning_tokens');
  const total = countAt(usage, 'total_tokens');
  // some leave thoughts out of what the answer took; the total tells
  const apart =
    total !== undefined && total === (inputTokens ?? 0) + (outputTokens ?? 0) + (reasoningTokens ?? 0) ? (reasoningTokens ?? 0) : 0;
  const costUsd = countAt(usage, 'cost');
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: (outputTokens ?? 0) + apart,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}
