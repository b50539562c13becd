import { isInside, isProtectedPath, isSecretLike } from '../lib/paths.ts';
import type { ApprovalMode, Effect } from '../types/effects.ts';
import { decideCommand, isReadOnlyCommand } from './decide-command.ts';
import { findAllowPathRule, findHostRule, findTighteningPathRule, findToolRule, offerForPath } from './match-rules.ts';
import type { Rule, Rules } from './rules.ts';

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
  readonly home: string;
  readonly sandboxed: boolean;
  /** Real paths of absolute paths that a command names, as far as they are known. */
  readonly realPaths?: ReadonlyMap<string, string>;
};

const strictness = { allow: 0, ask: 1, deny: 2 } as const;

/** Judges every effect of a call; the strictest verdict stands. */
export function decideCall(call: { readonly toolName: string; readonly effects: readonly Effect[] }, context: JudgeContext): Judgement {
  const { toolName, effects } = call;
  const denied = findToolRule(context.rules.deny, toolName);
  if (denied) return byRule('deny', denied);
  const asked = findToolRule(context.rules.ask, toolName);
  const judged = effects.map((effect) => decideEffect(effect, toolName, context));
  if (asked) judged.push(byRule('ask', asked));
  else if (effects.length === 0) judged.push(decideWithoutEffects(toolName, context));
  const verdict = judged.reduce<Judgement['verdict']>(
    (worst, next) => (strictness[next.verdict] > strictness[worst] ? next.verdict : worst),
    'allow',
  );
  const decisive = judged.filter((each) => each.verdict === verdict);
  const [first] = decisive;
  if (!first) return { verdict: 'allow', by: 'mode', reason: `${toolName} has no effect.`, offer: [] };
  const offer = decisive.every((each) => each.offer.length > 0) ? [...new Set(decisive.flatMap((each) => each.offer))] : [];
  return { ...first, reason: [...new Set(decisive.map((each) => each.reason))].slice(0, 3).join(' '), offer };
}

/** Whether an effect changes something: any write, or a command outside the read-only set. */
export function isActingEffect(effect: Effect): boolean {
  return effect.kind === 'write' || (effect.kind === 'command' && !isReadOnlyCommand(effect.command));
}

function decideEffect(effect: Effect, toolName: string, context: JudgeContext): Judgement {
  switch (effect.kind) {
    case 'read':
      return decideRead(effect.path, toolName, context);
    case 'write':
      return decideWrite(effect.path, toolName, context);
    case 'command': {
      const { verdict, by, reason, offer } = decideCommand(effect.command, effect.cwd, context);
      return { verdict, by, reason, offer };
    }
    case 'host':
      return decideHost(effect.host, toolName, context);
  }
}

function decideRead(path: string, toolName: string, context: JudgeContext): Judgement {
  const { rules, mode, workspace } = context;
  const denied = findTighteningPathRule(rules.deny, 'read', path, context);
  if (denied) return byRule('deny', denied);
  const hidden = toolName === 'grep' ? rules.deny.find((rule) => mayLieBelow(rule, path, context)) : undefined;
  if (hidden)
    return {
      ...byRule('deny', hidden),
      reason: `${path} holds files that the rule ${hidden.text} denies; search a folder or file beside them.`,
    };
  const asked = findTighteningPathRule(rules.ask, 'read', path, context);
  if (asked) return byRule('ask', asked);
  const isSecret = isSecretLike(path, workspace);
  const allowed = findAllowPathRule(rules.allow, 'read', path, context) ?? (isSecret ? undefined : findToolRule(rules.allow, toolName));
  if (allowed) return byRule('allow', allowed);
  if (isInWorkspace(path, context) && !isSecret) return byMode('allow', context, 'Reading in the workspace needs no approval');
  if (mode === 'yolo') return byMode('allow', context, 'Reading needs no approval');
  return byMode(
    'ask',
    context,
    isSecret ? `${path} may hold secrets` : `${path} is outside the workspace`,
    offerForPath('read', path, context),
  );
}

/** Whether a read rule with a spelled-out folder reaches below the folder that is searched. Secret-like names are withheld by the search itself. */
function mayLieBelow({ match }: Rule, folder: string, { workspace }: JudgeContext): boolean {
  if (match.kind !== 'read' || isSecretLike(match.pattern)) return false;
  const wild = match.pattern.search(/[*?]/u);
  const literal = (wild < 0 ? match.pattern : match.pattern.slice(0, wild)).replace(/[^/]*$/u, wild < 0 ? '$&' : '');
  const absolute = literal.startsWith('/') ? literal : `${workspace}/${literal}`;
  return isInside(absolute.replace(/\/+$/u, ''), folder);
}

function decideWrite(path: string, toolName: string, context: JudgeContext): Judgement {
  const { rules, mode, workspace } = context;
  const denied = findTighteningPathRule(rules.deny, 'edit', path, context);
  if (denied) return byRule('deny', denied);
  if (mode === 'plan') return byMode('deny', context, 'Plan mode changes no file');
  const asked = findTighteningPathRule(rules.ask, 'edit', path, context);
  if (asked) return byRule('ask', asked);
  // a tool that is allowed by its name edits what needs no second look
  const isPlain = isInWorkspace(path, context) && !isProtectedPath(path, workspace) && !isSecretLike(path, workspace);
  const allowed = findAllowPathRule(rules.allow, 'edit', path, context) ?? (isPlain ? findToolRule(rules.allow, toolName) : undefined);
  if (allowed) return byRule('allow', allowed);
  const offer = offerForPath('edit', path, context);
  if (isProtectedPath(path, workspace))
    return { verdict: 'ask', by: 'safety', reason: `${path} is protected: a change there could run code later or loosen a guard.`, offer };
  if (!isInWorkspace(path, context)) return byMode('ask', context, `It writes ${path}, outside the workspace`, offer);
  if (mode === 'yolo' || (mode === 'auto-edit' && !isSecretLike(path, workspace)))
    return byMode('allow', context, 'Edits in the workspace need no approval');
  return byMode('ask', context, mode === 'default' ? 'Edits need approval' : `${path} may hold secrets`, offer);
}

function decideHost(host: string, toolName: string, context: JudgeContext): Judgement {
  const { rules, mode } = context;
  const denied = findHostRule(rules.deny, host, true);
  if (denied) return byRule('deny', denied);
  const asked = findHostRule(rules.ask, host, true);
  if (asked) return byRule('ask', asked);
  const allowed = findHostRule(rules.allow, host, false) ?? findToolRule(rules.allow, toolName);
  if (allowed) return byRule('allow', allowed);
  if (mode === 'yolo') return byMode('allow', context, 'Web addresses need no approval');
  return byMode('ask', context, `It contacts ${host}`, [`web(${host.toLowerCase()})`]);
}

/** A tool of our own without effects touches nothing; one of an MCP server may do anything. */
function decideWithoutEffects(toolName: string, context: JudgeContext): Judgement {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/u.exec(toolName) ?? [];
  if (server === undefined) return byMode('allow', context, `${toolName} touches nothing outside the conversation`);
  const allowed = findToolRule(context.rules.allow, toolName);
  if (allowed) return byRule('allow', allowed);
  if (context.mode === 'plan') return byMode('deny', context, 'Plan mode runs no tools of MCP servers');
  if (context.mode === 'yolo') return byMode('allow', context, 'Tools of MCP servers need no approval');
  return byMode('ask', context, `It runs ${tool} of the MCP server ${server}`, [`mcp(${server}/${tool})`]);
}

function isInWorkspace(path: string, { workspace, extraDirs }: JudgeContext): boolean {
  return [workspace, ...extraDirs].some((folder) => isInside(path, folder));
}

function byRule(verdict: Judgement['verdict'], rule: Rule): Judgement {
  const words = { allow: 'Allowed', ask: 'Asked', deny: 'Denied' } as const;
  return {
    verdict,
    by: rule.source === 'session' ? 'session' : 'rule',
    reason: `${words[verdict]} by the rule ${rule.text} (${rule.source}).`,
    offer: [],
  };
}

function byMode(verdict: Judgement['verdict'], { mode }: JudgeContext, what: string, offer: readonly string[] = []): Judgement {
  return { verdict, by: 'mode', reason: `${what} (mode ${mode}).`, offer };
}
