import { isAbsolute, relative } from 'node:path';
import type { ApprovalMode, Effect } from '../types/effects.ts';
import type { Rules } from './rules.ts';

/** What the rules and the mode say of a call, before any person is asked. */
export type Judgement = {
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly by: 'rule' | 'mode' | 'session' | 'safety';
  readonly reason: string;
  /** The rules that "always" would add; empty when no rule may cover the call. */
  readonly offer: readonly string[];
};

export type JudgeContext = {
  readonly mode: ApprovalMode;
  readonly rules: Rules;
  /** Real path. */
  readonly workspace: string;
  readonly extraDirs: readonly string[];
  readonly sandboxed: boolean;
};

const strictness = { allow: 0, ask: 1, deny: 2 } as const;

/** Judges every effect of a call; the strictest verdict stands. */
export function decideCall(call: { readonly toolName: string; readonly effects: readonly Effect[] }, context: JudgeContext): Judgement {
  const nothing: Judgement = {
    verdict: 'allow',
    by: 'mode',
    reason: `${call.toolName} touches nothing outside the conversation.`,
    offer: [],
  };
  return call.effects
    .map((effect) => decideEffect(effect, context))
    .reduce((strictest, next) => (strictness[next.verdict] > strictness[strictest.verdict] ? next : strictest), nothing);
}

/** Whether an effect changes something. */
export function isActingEffect(effect: Effect): boolean {
  return effect.kind === 'write' || effect.kind === 'command';
}

function decideEffect(effect: Effect, context: JudgeContext): Judgement {
  const { mode } = context;
  const inside = (path: string): boolean => [context.workspace, ...context.extraDirs].some((folder) => isWithin(path, folder));
  const by = (verdict: Judgement['verdict'], what: string): Judgement => ({
    verdict,
    by: 'mode',
    reason: `${what} (mode ${mode})`,
    offer: [],
  });
  switch (effect.kind) {
    case 'read':
      return inside(effect.path) || mode === 'yolo' ? by('allow', 'Reading is free') : by('ask', `${effect.path} is outside the workspace`);
    case 'write':
      if (mode === 'plan') return by('deny', 'Plan mode changes nothing');
      return inside(effect.path) && mode !== 'default' ? by('allow', 'Edits are free') : by('ask', `It writes ${effect.path}`);
    case 'command':
      if (mode === 'plan') return by('deny', 'Plan mode runs only read-only commands');
      return mode === 'yolo' ? by('allow', 'Commands are free') : by('ask', 'No rule allows this command');
    case 'host':
      return mode === 'yolo' ? by('allow', 'The web is free') : by('ask', `It contacts ${effect.host}`);
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way));
}
