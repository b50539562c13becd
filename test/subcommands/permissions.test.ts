import { describe, expect, it } from 'vitest';
import { explainPermission, parseMode } from '../../src/subcommands/permissions.ts';

const around = { workspace: '/home/u/ws', home: '/home/u' };

describe('permissions explain', () => {
  it('prints verdict, reason and segments as JSON', () => {
    const { text, exitCode } = explainPermission({ command: 'npm test | tail -5', allow: ['shell(npm test *)'], json: true }, around);
    expect(exitCode).toBe(0);
    expect(JSON.parse(text)).toEqual({
      command: 'npm test | tail -5',
      mode: 'default',
      verdict: 'allow',
      by: 'rule',
      reason: 'Allowed by shell(npm test *), read-only.',
      understood: true,
      segments: [
        { join: '', words: ['npm', 'test'], redirects: [], automatic: true, why: 'the rule shell(npm test *) allows it' },
        { join: '|', words: ['tail', '-5'], redirects: [], automatic: true, why: 'it is of the read-only set' },
      ],
      commands: ['npm', 'tail'],
      rulesToAllow: [],
      warnings: [],
    });
  });

  it('says for people what asks and which rule would free it', () => {
    const { text } = explainPermission({ command: 'ls && git status', allow: ['shell(git *)'] }, around);
    expect(text).toBe(
      [
        "ask: in mode default it asks first. 'git' can run other programs or write any file, so a rule must name its first argument, as in shell(npm test *).",
        '     ls  (automatic: it is of the read-only set)',
        "  && git status  (not automatic: 'git' can run other programs or write any file, so a rule must name its first argument, as in shell(npm test *))",
        'To allow it: shell(git status)',
        "The rule 'shell(git *)': 'git' can run other programs or write any file, so a rule must name its first argument, as in shell(npm test *)",
        '',
      ].join('\n'),
    );
  });

  it('names what the grammar did not understand', () => {
    const { text } = explainPermission({ command: 'echo $(rm x)', mode: 'plan' }, around);
    expect(text).toContain('deny: in mode plan it is refused.');
    expect(text).toContain('command words found in it: rm, echo.');
  });

  it.each([
    ['auto_edit', 'auto-edit'],
    ['acceptEdits', 'auto-edit'],
    ['YOLO', 'yolo'],
  ])('takes the mode %s', (given, mode) => {
    expect(parseMode(given)).toBe(mode);
  });

  it('refuses an unknown mode and a rule that is none', () => {
    expect(() => explainPermission({ command: 'ls', mode: 'fast' }, around)).toThrow(
      "Unknown approval mode 'fast'. Accepted: plan, default, auto-edit, yolo.",
    );
    expect(() => explainPermission({ command: 'ls', allow: ['Bash(ls)'] }, around)).toThrow("Did you mean 'shell'?");
  });
});
