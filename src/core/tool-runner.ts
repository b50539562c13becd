import { type LoopLimits, type LoopState, noLoop, stepLoop } from '../follow-through/loop-detector.ts';
import { callKey } from '../follow-through/progress.ts';
import type { PermissionGate } from '../permissions/gate.ts';
import { isOutcome, type PreparedCall, type Tool, type ToolContext, type ToolOutcome } from '../tools/tool.ts';
import { messageOf } from '../types/errors.ts';
import type { Place } from '../types/events.ts';
import type { ToolCallPart } from '../types/messages.ts';
import type { Recorder } from './recorder.ts';

export type ToolRunnerDeps = {
  readonly recorder: Recorder;
  readonly tools: readonly Tool[];
  readonly gate: PermissionGate;
  readonly context: (callId: string, place: Place) => ToolContext;
  readonly loopLimits: () => LoopLimits;
  /** Called after each result, before the next call: automatic closing looks here. */
  readonly onResult: (call: ToolCallPart, outcome: ToolOutcome) => void;
};

/** What the calls of a turn lead to. `loop` is set by a strike. */
export type CallsResult = { readonly loop: { readonly strike: 1 | 2; readonly detail: string } | undefined };

/** Read-only calls of one turn that run at the same time. */
const maxParallel = 8;

export type ToolRunner = {
  /** Runs the calls of a turn, each to exactly one result in the order of the calls. Never rejects. */
  run(calls: readonly ToolCallPart[], place: Place, signal: AbortSignal): Promise<CallsResult>;
  /** The loop window restarts with each prompt. */
  startPrompt(): void;
};

type Judged = { readonly outcome: ToolOutcome; readonly acting: boolean; readonly endsRun?: boolean };

export function createToolRunner(deps: ToolRunnerDeps): ToolRunner {
  const byName = new Map(deps.tools.map((tool) => [tool.name, tool]));
  let loop: LoopState = noLoop;
  /** Turns with calls of this prompt, across its runs. */
  let round = 0;

  const runOne = async (call: ToolCallPart, tool: Tool | undefined, place: Place, signal: AbortSignal): Promise<Judged> => {
    if (call.invalid !== undefined) return refuse(`Not run: ${call.invalid}`);
    if (tool === undefined) return refuse(`No tool '${call.name}'. Available: ${[...byName.keys()].join(', ')}.`);
    if (signal.aborted) return refuse('Not run: interrupted by the user.');
    const prepared = await tool.prepare(call.arguments, deps.context(call.callId, place));
    if (isOutcome(prepared)) return { outcome: prepared, acting: false };
    return judgeAndRun(call, tool, prepared, { place, signal });
  };

  const judgeAndRun = async (
    call: ToolCallPart,
    tool: Tool,
    prepared: PreparedCall,
    { place, signal }: { place: Place; signal: AbortSignal },
  ): Promise<Judged> => {
    const acting = tool.kind === 'act' && deps.gate.isActing(prepared.effects);
    const decision = await deps.gate.decide(
      { callId: call.callId, toolName: tool.name, arguments: call.arguments },
      { effects: prepared.effects, preview: prepared.preview },
      signal,
    );
    const { verdict, by, reason, endsRun, requestId } = decision;
    if (verdict === 'refuse' || by === 'user') {
      void deps.recorder.record({ type: 'permission-decision', ...place, requestId, callId: call.callId, verdict, by, reason, endsRun });
    }
    if (verdict === 'refuse') {
      const outcome: ToolOutcome = {
        output: `Not permitted: ${reason}`,
        isError: true,
        ...(decision.needsPerson ? { needsPerson: true } : {}),
      };
      return { outcome, acting, endsRun };
    }
    if (signal.aborted) return { outcome: { output: 'Not run: interrupted by the user.', isError: true }, acting };
    const start = { type: 'tool-start' as const, ...place, callId: call.callId, name: tool.name, effects: prepared.effects, acting };
    // Intent before a side effect: on disk first, so that a crash leaves a trace of what may have happened.
    if (acting) await deps.recorder.record(start, { sync: true });
    else void deps.recorder.record(start);
    const outcome = await prepared.run(
      signal,
      (text) => void deps.recorder.record({ type: 'tool-output', ...place, callId: call.callId, text }),
    );
    return { outcome, acting };
  };

  const settle = async (call: ToolCallPart, tool: Tool | undefined, judged: Judged, place: Place): Promise<CallsResult['loop']> => {
    const { outcome, acting } = judged;
    const recorded = deps.recorder.record(
      {
        type: 'tool-result',
        ...place,
        callId: call.callId,
        name: call.name,
        arguments: call.arguments,
        output: outcome.output,
        isError: outcome.isError,
        acting,
        working: tool?.kind === 'read' || tool?.kind === 'act',
        ...(outcome.unchanged === true ? { unchanged: true } : {}),
        ...(outcome.needsPerson === true ? { needsPerson: true } : {}),
        ...(outcome.waiting === true ? { waiting: true } : {}),
        ...(outcome.display === undefined ? {} : { display: outcome.display }),
      },
      { sync: acting },
    );
    if (acting) await recorded;
    deps.onResult(call, outcome);
    if (outcome.waiting === true) return undefined;
    const key = callKey(call.name, call.arguments, outcome.output);
    const stepped = stepLoop(loop, { key, label: call.name, failed: outcome.isError, turn: round }, deps.loopLimits());
    loop = stepped.state;
    if (stepped.verdict.kind === 'none') return undefined;
    const { strike, detail } = stepped.verdict;
    void deps.recorder.record({ type: 'loop-detected', ...place, detail, strike });
    return { strike, detail };
  };

  return {
    startPrompt() {
      loop = noLoop;
      deps.gate.startPrompt();
    },

    async run(calls, place, signal) {
      round += 1;
      let strike: CallsResult['loop'];
      let ended: string | undefined;
      const waiting: { call: ToolCallPart; tool: Tool; result: Promise<Judged> }[] = [];
      const note = (found: CallsResult['loop']): void => {
        if (found !== undefined && (strike === undefined || found.strike > strike.strike)) strike = found;
        if (strike?.strike === 2) ended = 'Not run: the run was stopped because the calls repeat themselves.';
      };
      const drain = async (): Promise<void> => {
        for (const { call, tool, result } of waiting.splice(0)) {
          const judged = await result;
          if (judged.endsRun === true) ended ??= 'Not run: the user refused an earlier call.';
          note(await settle(call, tool, judged, place));
        }
      };
      for (const call of calls) {
        const tool = byName.get(call.name);
        if (tool?.kind === 'read' && ended === undefined) {
          if (waiting.length >= maxParallel) await drain();
          if (ended === undefined) {
            waiting.push({ call, tool, result: guarded(runOne(call, tool, place, signal)) });
            continue;
          }
        }
        await drain();
        const judged = ended === undefined ? await guarded(runOne(call, tool, place, signal)) : refuse(ended);
        if (judged.endsRun === true) ended ??= 'Not run: the user refused an earlier call.';
        note(await settle(call, tool, judged, place));
      }
      await drain();
      return { loop: strike };
    },
  };
}

function refuse(output: string): Judged {
  return { outcome: { output, isError: true }, acting: false };
}

/** A tool that throws breaks its contract; the call still gets its result. */
async function guarded(running: Promise<Judged>): Promise<Judged> {
  try {
    return await running;
  } catch (thrown) {
    return refuse(`The tool failed: ${messageOf(thrown)}`);
  }
}
