import { homedir } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import { resolveRealPath } from '../lib/paths.ts';
import type { ApprovalAnswer, AskUser } from '../types/ask.ts';
import type { ApprovalMode, Effect, Preview } from '../types/effects.ts';
import { decideCall, isActingEffect, type Judgement } from './decide.ts';
import { pathsToResolve } from './decide-command.ts';
import type { Rules } from './rules.ts';

/** What became of a call, as the tool runner and the log need it. */
export type GateDecision = {
  readonly verdict: 'allow' | 'refuse';
  /** `user`: a fresh answer. `session`: an answer that was given before, remembered. */
  readonly by: 'user' | 'rule' | 'mode' | 'session' | 'safety' | 'nobody' | 'abort';
  readonly reason: string;
  /** The user said no without a reason: the run ends and waits for the user. */
  readonly endsRun: boolean;
  /** Nobody could be asked. */
  readonly needsPerson: boolean;
  readonly requestId: string;
};

/** The part of a prepared call that is judged. */
export type JudgedCall = { readonly effects: readonly Effect[]; readonly preview?: Preview | undefined };

/** Stands between a prepared call and its run: judges it, asks where a person must decide, remembers the answers. */
export type PermissionGate = {
  /** Never rejects. Questions are put one after the other, and a call that an answer in between has settled is not asked. */
  decide(
    call: { readonly callId: string; readonly toolName: string; readonly arguments: Readonly<Record<string, unknown>> },
    prepared: JudgedCall,
    signal: AbortSignal,
  ): Promise<GateDecision>;
  /** Whether the effects change something: any write, or a command outside the built-in read-only set. */
  isActing(effects: readonly Effect[]): boolean;
  /** Forgets what was refused in the previous prompt: within a prompt the same refused call is refused again without asking. */
  startPrompt(): void;
};

export type GateDeps = {
  readonly mode: () => ApprovalMode;
  readonly rules: () => Rules;
  /** Makes the rule part of what `rules` returns; for `always` it is stored for this workspace, too. */
  addRule(rule: string, scope: 'session' | 'always'): void;
  /** Real path. */
  readonly workspace: string;
  readonly extraDirs: () => readonly string[];
  readonly sandboxed: () => boolean;
  readonly ask: AskUser['approve'];
  readonly clock: Clock;
};

/** The gate of one session. */
export function createGate(deps: GateDeps): PermissionGate {
  const refused = new Set<string>();
  let refusals = 0;
  let lastQuestion: Promise<unknown> = Promise.resolve();

  const judge = async (toolName: string, effects: readonly Effect[]): Promise<Judgement> => {
    const realPaths = await resolvePaths(effects);
    const context = {
      mode: deps.mode(),
      rules: deps.rules(),
      workspace: deps.workspace,
      extraDirs: deps.extraDirs(),
      home: homedir(),
      sandboxed: deps.sandboxed(),
      realPaths,
    };
    return decideCall({ toolName, effects }, context);
  };

  return {
    async decide(call, { effects, preview }, signal) {
      const requestId = deps.clock.newId();
      const settled = (judgement: Judgement): GateDecision | undefined => {
        const { by, reason } = judgement;
        if (signal.aborted) return decision('refuse', { by: 'abort', reason: 'Interrupted before it was decided.', requestId });
        if (judgement.verdict === 'allow') return decision('allow', { by, reason, requestId });
        if (judgement.verdict === 'deny') return decision('refuse', { by, reason, requestId });
        if (!refused.has(key)) return undefined;
        return decision('refuse', { by: 'session', reason: 'The user refused this same call before; it was not asked again.', requestId });
      };
      const key = callKey(call.toolName, call.arguments);
      const first = settled(await judge(call.toolName, effects));
      if (first) return first;

      const refusalsBefore = refusals;
      const question = lastQuestion.then(async () => {
        const judgement = await judge(call.toolName, effects);
        const early = settled(judgement);
        if (early) return early;
        if (refusals !== refusalsBefore) {
          return decision('refuse', {
            by: 'user',
            reason: 'Not asked: the user refused another call and stopped the run.',
            requestId,
            endsRun: true,
          });
        }
        const { offer } = judgement;
        const request = {
          requestId,
          callId: call.callId,
          toolName: call.toolName,
          effects,
          preview,
          reason: judgement.reason,
          rule: offer.length > 0 ? offer.join(', ') : undefined,
        };
        const answer = await deps.ask(request, signal);
        if (answer.kind === 'no') {
          refused.add(key);
          if (!answer.reason?.trim()) refusals += 1;
        }
        if (answer.kind === 'session' || answer.kind === 'always') for (const rule of offer) deps.addRule(rule, answer.kind);
        return answered(answer, requestId, judgement.reason);
      });
      lastQuestion = question.catch(() => undefined);
      return question.catch((thrown: unknown) =>
        decision('refuse', { by: 'nobody', reason: `The question could not be asked: ${String(thrown)}`, requestId, needsPerson: true }),
      );
    },
    isActing: (effects) => effects.some(isActingEffect),
    startPrompt() {
      refused.clear();
    },
  };
}

/** Links are followed for this many paths of a call; a command that names more is asked about. */
const maxResolved = 1000;

/** Where the paths lead that commands name, links resolved. */
async function resolvePaths(effects: readonly Effect[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const effect of effects) {
    if (effect.kind !== 'command') continue;
    for (const path of new Set(pathsToResolve(effect.command, effect.cwd))) {
      const real = found.size < maxResolved ? await resolveRealPath(path, effect.cwd) : { error: 'too many' };
      // what cannot be resolved lies outside: it is asked about
      found.set(path, 'path' in real ? real.path : '/');
    }
  }
  return found;
}

function answered(answer: ApprovalAnswer, requestId: string, asked: string): GateDecision {
  switch (answer.kind) {
    case 'once':
      return decision('allow', { by: 'user', reason: 'Allowed once by the user.', requestId });
    case 'session':
      return decision('allow', { by: 'user', reason: 'Allowed by the user for this session.', requestId });
    case 'always':
      return decision('allow', { by: 'user', reason: 'Allowed by the user, always in this workspace.', requestId });
    case 'no': {
      const reason = answer.reason?.trim();
      if (reason) return decision('refuse', { by: 'user', reason: `The user refused: ${reason}`, requestId });
      return decision('refuse', { by: 'user', reason: 'The user refused.', requestId, endsRun: true });
    }
    case 'nobody':
      return decision('refuse', {
        by: 'nobody',
        reason: `It needs a person's approval and nobody can be asked: ${asked}`,
        requestId,
        needsPerson: true,
      });
    case 'aborted':
      return decision('refuse', { by: 'abort', reason: 'Interrupted before it was answered.', requestId });
  }
}

function decision(
  verdict: GateDecision['verdict'],
  rest: Pick<GateDecision, 'by' | 'reason' | 'requestId'> & Partial<Pick<GateDecision, 'endsRun' | 'needsPerson'>>,
): GateDecision {
  return { verdict, endsRun: false, needsPerson: false, ...rest };
}

/** The same for equal arguments in any order of keys. */
function callKey(toolName: string, args: Readonly<Record<string, unknown>>): string {
  const ordered = (_key: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
      : value;
  return `${toolName} ${JSON.stringify(args, ordered)}`;
}
