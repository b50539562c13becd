import { readArguments } from './call-arguments.ts';
import type { ProviderCall } from './provider.ts';
import { asRecord, parseJson, textAt } from './wire-values.ts';

const open = '<tool_call>';
const close = '</tool_call>';

export type TextCalls = {
  /** Text that is surely no call; the rest is held back. */
  push(text: string): string;
  /** What was held and turned out to be text, and the calls. */
  end(): { readonly text: string; readonly calls: readonly Omit<ProviderCall, 'callId'>[] };
};

/**
 * Finds calls that a server without a parser prints as text: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`. Only tools that were
 * offered count; a block that is not closed, not JSON or of another name stays text.
 */
export function createTextCalls(toolNames: ReadonlySet<string>): TextCalls {
  const calls: Omit<ProviderCall, 'callId'>[] = [];
  let held = '';
  const push = (text: string): string => {
    held += text;
    let out = '';
    for (;;) {
      const start = held.indexOf(open);
      if (start === -1) {
        const keep = partialLength(held);
        out += held.slice(0, held.length - keep);
        held = held.slice(held.length - keep);
        return out;
      }
      const stop = held.indexOf(close, start);
      out += held.slice(0, start);
      held = held.slice(start);
      if (stop === -1) return out;
      const block = held.slice(0, stop - start + close.length);
      const call = readCall(block.slice(open.length, -close.length), toolNames);
      if (call === undefined) out += block;
      else calls.push(call);
      held = held.slice(block.length);
    }
  };
  return { push, end: () => ({ text: held, calls }) };
}

function readCall(json: string, toolNames: ReadonlySet<string>): Omit<ProviderCall, 'callId'> | undefined {
  const record = asRecord(parseJson(json.trim()));
  const name = textAt(record, 'name');
  if (record === undefined || name === undefined || !toolNames.has(name)) return undefined;
  const raw = record.arguments ?? record.parameters ?? {};
  return { name, ...readArguments(typeof raw === 'string' ? raw : JSON.stringify(raw)) };
}

/** How much of the end may be the beginning of the opening tag. */
function partialLength(text: string): number {
  for (let length = Math.min(open.length - 1, text.length); length > 0; length -= 1) {
    if (open.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
