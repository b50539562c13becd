import type { JudgeContext } from '../../src/permissions/decide.ts';
import { parseRules, type RuleSource, type RuleTexts } from '../../src/permissions/rules.ts';

export const workspace = '/home/u/ws';

/** Where test judgements take place; `texts` are rules of the user. */
export function judgeContext(texts: Partial<RuleTexts> = {}, rest: Partial<JudgeContext> & { source?: RuleSource } = {}): JudgeContext {
  const { source = 'user', ...more } = rest;
  const { rules, errors } = parseRules(texts, source);
  if (errors.length > 0) throw new Error(errors.join(' '));
  return { mode: 'default', rules, workspace, extraDirs: ['/home/u/lib'], home: '/home/u', sandboxed: false, ...more };
}
