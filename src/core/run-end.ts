import type { Settings } from '../config/settings.ts';
import type { ErrorInfo } from '../types/errors.ts';
import { type ToolCallPart, toolCallsOf } from '../types/messages.ts';
import type { RunEnd } from '../types/reasons.ts';
import type { TurnResult } from './client.ts';
import type { PromptState } from './prompt-state.ts';
import { idleTurnsAfterReminder } from './reminders.ts';
import type { CallsResult } from './tool-runner.ts';

/** An end of a run, with what there is to say about it. */
export type EndedRun = { readonly end: RunEnd; readonly detail?: string | undefined };

/** How a run ends when the endpoint fails for good. */
export const runEndOfError: Readonly<Record<ErrorInfo['kind'], RunEnd>> = {
  auth: 'auth',
  'rate-limit': 'rate-limit',
  'context-length': 'context-limit',
  'not-found': 'error',
  'bad-request': 'error',
  server: 'error',
  network: 'error',
  timeout: 'error',
  protocol: 'error',
  internal: 'error',
};

/** Responses in a row whose calls came unusable before the run gives up. */
const maxUnusable = 2;
const unusableCall =
  'the response was cut at the output limit, so the call did not arrive whole. It is too long: split it into smaller calls.';

/** The calls of a turn; after a finish of `length` none of them can be trusted to be whole. */
export function usableCalls(result: TurnResult): readonly ToolCallPart[] {
  const calls = toolCallsOf(result.message);
  return result.finish === 'length' ? calls.map((call) => ({ ...call, invalid: unusableCall })) : calls;
}

/** Whether the results of a turn's calls end the run. `unusable` counts the responses in a row with calls that could not run. */
export function endAfterCalls(
  prompt: PromptState,
  settings: Settings,
  calls: { readonly unusable: number; readonly loop: CallsResult['loop'] },
): EndedRun | undefined {
  if (prompt.denied) return { end: 'permission', detail: 'you said no' };
  if (prompt.pause?.by === 'model') return { end: 'paused', detail: prompt.pause.text };
  if (calls.loop?.strike === 2) return { end: 'loop', detail: calls.loop.detail };
  if (calls.unusable > maxUnusable) return { end: 'output-limit' };
  if (prompt.idleTurns >= settings['max-idle-turns'] + idleTurnsAfterReminder) {
    return { end: 'no-progress', detail: `${prompt.idleTurns} turns in a row without progress` };
  }
  return undefined;
}
