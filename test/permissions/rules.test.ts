import { describe, expect, it } from 'vitest';
import { joinRules, parseRule, parseRules } from '../../src/permissions/rules.ts';

function read(text: string, kind: 'allow' | 'ask' | 'deny' = 'allow'): unknown {
  const parsed = parseRule(text, kind, 'user');
  return 'error' in parsed ? parsed.error : parsed.rule.match;
}

describe('parseRule', () => {
  it.each([
    ['shell(npm test *)', { kind: 'shell', words: ['npm', 'test'], open: true }],
    ['shell(npm test)', { kind: 'shell', words: ['npm', 'test'], open: false }],
    ["shell(git commit -m 'a b')", { kind: 'shell', words: ['git', 'commit', '-m', 'a b'], open: false }],
    [' read(docs/**) ', { kind: 'read', pattern: 'docs/**' }],
    ['read', { kind: 'read', pattern: '**' }],
    ['edit(src/**)', { kind: 'edit', pattern: 'src/**' }],
    ['web(*.Example.com)', { kind: 'web', pattern: '*.example.com' }],
    ['mcp(server/tool)', { kind: 'mcp', server: 'server', tool: 'tool' }],
    ['mcp(server)', { kind: 'mcp', server: 'server', tool: '*' }],
    ['todo_write', { kind: 'tool', name: 'todo_write' }],
  ])('%s', (text, match) => {
    expect(read(text)).toEqual(match);
  });

  it('takes any command in a deny rule', () => {
    expect(read('shell', 'deny')).toEqual({ kind: 'shell', words: [], open: true });
    expect(read('shell(*)', 'ask')).toEqual({ kind: 'shell', words: [], open: true });
  });

  it.each([
    ['', 'not of the form'],
    ['npm test', 'not of the form'],
    ['shell(npm test', 'not of the form'],
    ['Bash(npm test:*)', "Did you mean 'shell'?"],
    ['shel(ls *)', "Did you mean 'shell'?"],
    ['foo(bar)', 'names no known tool'],
    ['todo_write(x)', 'names no known tool'],
    ['shell()', 'can never match'],
    ['read( )', 'can never match'],
    ['shell(*)', 'can never match'],
    ['shell', 'can never match'],
    ['shell(n* test)', 'can never match'],
    ['shell(./cat *)', 'can never match'],
    ['shell(ls && cat *)', 'can never match'],
    ['shell(ls; cat *)', 'can never match'],
    ['shell(ls | cat)', 'can never match'],
    ['shell(echo é)', 'can never match'],
    ["shell(echo 'a)", 'quote that is not closed'],
    ['edit(../x)', 'can never match'],
    ['web(https://a.b/c)', 'can never match'],
    ['mcp(a/b/c)', 'can never match'],
  ])('refuses %s: %s', (text, words) => {
    expect(read(text)).toContain(words);
  });

  it.each([
    ['shell(git *)', 'must name its first argument'],
    ['shell(find -name *)', 'must name its first argument'],
    ['shell(node -e *)', 'must name its first argument'],
    ['shell(npm t*)', 'must name its first argument'],
    ['shell(timeout 5 *)', 'spells the whole line'],
    ['shell(eval *)', 'always asks'],
    ['shell(foo test:*)', "write 'test *'"],
  ])('warns of %s', (text, words) => {
    const parsed = parseRule(text, 'allow', 'user');
    expect('error' in parsed ? parsed.error : parsed.warning).toContain(words);
  });
});

describe('parseRules', () => {
  it('drops the allow rules of a project, with a warning, and keeps what tightens', () => {
    const { rules, warnings, errors } = parseRules({ allow: ['shell(ls *)'], ask: ['edit(ci/**)'], deny: ['shell(rm *)'] }, 'project');
    expect(rules.allow).toEqual([]);
    expect(rules.ask).toHaveLength(1);
    expect(rules.deny).toHaveLength(1);
    expect(warnings).toEqual(["The project's allow rule 'shell(ls *)' is ignored: project files may only tighten (ask, deny)."]);
    expect(errors).toEqual([]);
  });

  it('keeps the good rules beside a bad one', () => {
    const { rules, errors } = parseRules({ deny: ['nonsense', 'shell(rm *)'] }, 'user');
    expect(rules.deny.map((rule) => rule.text)).toEqual(['shell(rm *)']);
    expect(errors).toHaveLength(1);
  });

  it('joins sources in order, but no allow rule of a project', () => {
    const forged = {
      allow: [{ text: 'edit', source: 'project' as const, match: { kind: 'edit' as const, pattern: '**' } }],
      ask: [],
      deny: [],
    };
    const user = parseRules({ allow: ['edit(src/**)'] }, 'user').rules;
    expect(joinRules(forged, user).allow.map((rule) => rule.text)).toEqual(['edit(src/**)']);
  });
});
