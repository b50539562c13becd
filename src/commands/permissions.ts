import { parseSetting } from '../config/setting-value.ts';
import { didYouMean } from '../lib/nearest.ts';
import { type ApprovalMode, approvalModes } from '../types/effects.ts';
import type { Command } from './command.ts';

/** `/permissions`: mode, sandbox and rules; another mode; or how a shell command would be judged. */
export const permissionsCommand: Command = {
  name: 'permissions',
  aliases: [],
  usage: '[MODE|explain COMMAND]',
  summary: 'what is asked and what is allowed',
  whileBusy: true,
  run(rest, session) {
    const { approval } = session;
    if (rest === '') {
      const rules = approval.rules();
      const lines = [
        `mode     ${approval.mode()} (of ${approvalModes.join(', ')}; Shift+Tab changes it)`,
        `sandbox  ${approval.sandbox()}`,
        ...(rules.length === 0 ? ['rules    none'] : rules.map((rule, index) => `${index === 0 ? 'rules  ' : '       '}  ${rule}`)),
      ];
      return { kind: 'page', title: 'Permissions', lines };
    }
    const command = /^explain(?:\s+([\s\S]+))?$/u.exec(rest);
    if (command !== null) {
      const [, text] = command;
      if (text === undefined) return { kind: 'notice', level: 'error', text: 'Write it so: /permissions explain COMMAND' };
      return { kind: 'page', title: text, lines: approval.explain(text) };
    }
    const parsed = parseSetting('approval-mode', rest);
    if ('error' in parsed) {
      const guess = didYouMean(rest, [...approvalModes, 'explain']);
      return {
        kind: 'notice',
        level: 'error',
        text: `Unknown mode '${rest}'.${guess} Accepted: ${approvalModes.join(', ')}, explain COMMAND.`,
      };
    }
    approval.setMode(parsed.value as ApprovalMode); // the schema of that key
    return { kind: 'notice', level: 'info', text: `The approval mode is now ${approval.mode()}.` };
  },
  complete: (rest) =>
    [...approvalModes, 'explain']
      .filter((known) => known.startsWith(rest))
      .map((value) => ({ value, help: value === 'explain' ? 'how a command would be judged' : 'mode' })),
};
