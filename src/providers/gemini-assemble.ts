import type { Usage } from '../types/messages.ts';
import type { ProviderCall, ProviderEvent } from './provider.ts';
import type { Assembler } from './wire-stream.ts';
import { asRecord, countAt, listAt, recordAt, textAt, type WireRecord } from './wire-values.ts';

type Finish = Extract<ProviderEvent, { type: 'finish' }>['finish'];

const finishByReason: Readonly<Record<string, Finish>> = {
  MAX_TOKENS: 'length',
  SAFETY: 'safety',
  RECITATION: 'safety',
  BLOCKLIST: 'safety',
  PROHIBITED_CONTENT: 'safety',
  SPII: 'safety',
  IMAGE_SAFETY: 'safety',
  LANGUAGE: 'safety',
  MALFORMED_FUNCTION_CALL: 'malformed-call',
  UNEXPECTED_TOOL_CALL: 'malformed-call',
  MALFORMED_RESPONSE: 'malformed-call',
  MISSING_THOUGHT_SIGNATURE: 'malformed-call',
  TOO_MANY_TOOL_CALLS: 'malformed-call',
};

export type GeminiAssemblerOptions = { readonly usedIds: ReadonlySet<string>; readonly newId: () => string };

/** Puts one streamGenerateContent response together. Calls arrive whole, but come out at the end, when the response is complete. */
export function createGeminiAssembler(options: GeminiAssemblerOptions): Assembler<unknown> {
  const calls: ProviderCall[] = [];
  const citations = new Map<string, string>();
  const usedIds = new Set(options.usedIds);
  let finish: Finish | undefined;
  let failed: WireRecord | undefined;
  let hasContent = false;
  /** Content came behind a finish, so that none of them says that the model is done. */
  let finishesEarly = false;
  let chunks = 0;
  let candidates = 0;

  const pushPart = (part: WireRecord, events: ProviderEvent[]): void => {
    const signature = textAt(part, 'thoughtSignature');
    const signed = signature === undefined ? {} : { signature };
    const call = asRecord(part.functionCall);
    if (call !== undefined) {
      const given = textAt(call, 'id');
      const callId = given === undefined || usedIds.has(given) ? options.newId() : given;
      usedIds.add(callId);
      const name = textAt(call, 'name') ?? '';
      const raw = call.args ?? {};
      const args = asRecord(raw);
      const inPieces = call.willContinue === true || call.partialArgs !== undefined;
      const invalid =
        args === undefined || inPieces
          ? { invalid: inPieces ? 'the arguments came in pieces (streamFunctionCallArguments)' : 'the arguments must be a JSON object' }
          : {};
      if (name !== '') calls.push({ callId, name, arguments: args ?? {}, ...invalid, ...signed });
      return;
    }
    const text = typeof part.text === 'string' ? part.text : undefined;
    if (text === undefined && signature === undefined) return;
    if (text === '' && signature === undefined) return;
    events.push({ type: part.thought === true ? 'reasoning-delta' : 'text-delta', text: text ?? '', ...signed });
  };

  const push = (chunk: unknown): readonly ProviderEvent[] => {
    const record = asRecord(chunk);
    if (record === undefined) return [];
    chunks += 1;
    const error = asRecord(record.error);
    if (error !== undefined) {
      failed = error;
      return [];
    }
    const events: ProviderEvent[] = [];
    if (textAt(recordAt(record, 'promptFeedback'), 'blockReason') !== undefined) finish = 'safety';
    const candidate = asRecord(listAt(record, 'candidates')[0]);
    if (candidate !== undefined) {
      candidates += 1;
      const before = calls.length;
      for (const entry of listAt(recordAt(candidate, 'content'), 'parts')) {
        const part = asRecord(entry);
        if (part !== undefined) pushPart(part, events);
      }
      const isContent = events.length > 0 || calls.length > before;
      finishesEarly ||= isContent && finish !== undefined;
      hasContent ||= isContent;
      readCitations(candidate, citations);
      const reason = textAt(candidate, 'finishReason');
      if (reason !== undefined && reason !== 'FINISH_REASON_UNSPECIFIED') finish = finishByReason[reason] ?? 'stop';
    }
    const usage = readUsage(asRecord(record.usageMetadata));
    if (usage !== undefined) events.push({ type: 'usage', usage });
    return events;
  };

  const end = (): readonly ProviderEvent[] | undefined => {
    // Nothing but empty candidate lists, and a proper end: an empty answer, not a lost one.
    const ended = finish ?? (chunks > 0 && candidates === 0 ? 'stop' : undefined);
    if (ended === undefined) return undefined;
    const kept = ended === 'safety' || ended === 'malformed-call' ? [] : calls;
    return [
      ...kept.map((call): ProviderEvent => ({ type: 'tool-call', call })),
      ...[...citations].map(([url, text]): ProviderEvent => ({ type: 'citation', text, url })),
      { type: 'finish', finish: ended === 'stop' && kept.length > 0 ? 'tool-calls' : ended },
    ];
  };

  return {
    push,
    end,
    state() {
      if (failed !== undefined) return 'failed';
      // proxies send a finish before anything else, or with everything
      const isDone = finish !== undefined && !finishesEarly && (hasContent || finish !== 'stop');
      return isDone ? 'finishing' : 'open';
    },
    failure: () => failed,
  };
}

function readCitations(candidate: WireRecord, citations: Map<string, string>): void {
  const metadata = recordAt(candidate, 'citationMetadata');
  for (const entry of [...listAt(metadata, 'citationSources'), ...listAt(metadata, 'citations')]) {
    const source = asRecord(entry);
    const uri = textAt(source, 'uri');
    if (uri !== undefined) citations.set(uri, textAt(source, 'title') ?? uri);
  }
  for (const entry of listAt(recordAt(candidate, 'groundingMetadata'), 'groundingChunks')) {
    const web = recordAt(asRecord(entry), 'web');
    const uri = textAt(web, 'uri');
    if (uri !== undefined) citations.set(uri, textAt(web, 'title') ?? uri);
  }
}

function readUsage(usage: WireRecord | undefined): Usage | undefined {
  const prompt = countAt(usage, 'promptTokenCount');
  if (usage === undefined || prompt === undefined) return undefined;
  const thoughts = countAt(usage, 'thoughtsTokenCount');
  const cached = countAt(usage, 'cachedContentTokenCount');
  return {
    inputTokens: prompt + (countAt(usage, 'toolUsePromptTokenCount') ?? 0),
    outputTokens: (countAt(usage, 'candidatesTokenCount') ?? 0) + (thoughts ?? 0),
    ...(cached === undefined ? {} : { cachedTokens: cached }),
    ...(thoughts === undefined ? {} : { reasoningTokens: thoughts }),
  };
}
