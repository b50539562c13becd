import * as z from 'zod';
import { lazy } from '../types/lazy.ts';
import { parseRules, type Rules } from './rules.ts';

/** What "always" allowed, by the real path of the workspace. */
const workspaceRulesSchema = lazy(() => z.object({ version: z.literal(1), workspaces: z.record(z.string(), z.array(z.string())) }));
export type WorkspaceRules = Readonly<z.infer<ReturnType<typeof workspaceRulesSchema>>>;
export const noWorkspaceRules: WorkspaceRules = { version: 1, workspaces: {} };

export function parseWorkspaceRules(json: unknown): WorkspaceRules | undefined {
  return workspaceRulesSchema().safeParse(json).data;
}

/** Adds an allow rule to those of a workspace, once. */
export function addWorkspaceRule(state: WorkspaceRules, workspace: string, rule: string): WorkspaceRules {
  const before = Object.hasOwn(state.workspaces, workspace) ? (state.workspaces[workspace] ?? []) : [];
  return before.includes(rule) ? state : { ...state, workspaces: { ...state.workspaces, [workspace]: [...before, rule] } };
}

/** The stored allow rules of a workspace; those that this version cannot read are left out and named. */
export function workspaceRules(state: WorkspaceRules, workspace: string): { readonly rules: Rules; readonly errors: readonly string[] } {
  const allow = Object.hasOwn(state.workspaces, workspace) ? (state.workspaces[workspace] ?? []) : [];
  const { rules, errors } = parseRules({ allow }, 'workspace');
  return { rules, errors };
}
