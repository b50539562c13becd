import { describe, expect, it } from 'vitest';
import { decideCall, isActingEffect } from '../../src/permissions/decide.ts';
import type { RuleTexts } from '../../src/permissions/rules.ts';
import { type ApprovalMode, approvalModes, type Effect } from '../../src/types/effects.ts';
import { judgeContext, workspace } from './context.ts';

const read = (path: string): Effect => ({ kind: 'read', path });
const write = (path: string): Effect => ({ kind: 'write', path });
const command = (text: string): Effect => ({ kind: 'command', command: text, cwd: workspace });
const host = (name: string): Effect => ({ kind: 'host', url: `https://${name}/`, host: name });

function verdicts(effect: Effect, rules: Partial<RuleTexts> = {}): string {
  return approvalModes.map((mode) => decideCall({ toolName: 'x', effects: [effect] }, judgeContext(rules, { mode })).verdict).join(' ');
}

describe('the modes (plan, default, auto-edit, yolo)', () => {
  it.each<[string, Effect, string]>([
    ['read in the workspace', read(`${workspace}/a.ts`), 'allow allow allow allow'],
    ['read in an added folder', read('/home/u/lib/a.ts'), 'allow allow allow allow'],
    ['read beside the workspace', read(`${workspace}-other/a.ts`), 'ask ask ask allow'],
    ['read outside', read('/etc/hosts'), 'ask ask ask allow'],
    ['read of a secret-like file', read(`${workspace}/.env.local`), 'ask ask ask allow'],
    ['edit in the workspace', write(`${workspace}/a.ts`), 'deny ask allow allow'],
    ['edit in an added folder', write('/home/u/lib/a.ts'), 'deny ask allow allow'],
    ['edit outside', write('/etc/hosts'), 'deny ask ask ask'],
    ['edit of a secret-like file', write(`${workspace}/.env`), 'deny ask ask allow'],
    ['edit of a protected path', write(`${workspace}/.git/hooks/pre-commit`), 'deny ask ask ask'],
    ['edit of our own settings', write(`${workspace}/.tilldone/settings.json`), 'deny ask ask ask'],
    ['a read-only command', command('ls -la && cat a.ts | head -5'), 'allow allow allow allow'],
    ['a read-only command outside', command('cat /etc/hosts'), 'ask ask ask allow'.replace('ask', 'deny')],
    ['a read-only command on a secret', command('cat .env'), 'deny ask ask allow'],
    ['any other command', command('make'), 'deny ask ask allow'],
    ['a command outside the grammar', command('ls $(pwd)'), 'deny ask ask allow'],
    ['a catastrophic command', command('git reset --hard'), 'deny ask ask ask'],
    ['a command that is never run', command('rm -rf ~'), 'deny deny deny deny'],
    ['a web address', host('example.com'), 'ask ask ask allow'],
  ])('%s', (_name, effect, expected) => {
    expect(verdicts(effect)).toBe(expected);
  });

  it('lets a rule allow a command, but not in plan mode', () => {
    expect(verdicts(command('npm test'), { allow: ['shell(npm test *)'] })).toBe('deny allow allow allow');
  });

  it('takes the strictest of several effects', () => {
    const judged = decideCall(
      { toolName: 'x', effects: [read(`${workspace}/a`), write(`${workspace}/b`), read('/etc/hosts')] },
      judgeContext(),
    );
    expect(judged).toMatchObject({ verdict: 'ask', offer: ['edit(b)', 'read(/etc/**)'] });
  });

  it('allows a tool of our own without effects, and asks for one of an MCP server', () => {
    const modes = (toolName: string, rules: Partial<RuleTexts> = {}): string =>
      approvalModes.map((mode: ApprovalMode) => decideCall({ toolName, effects: [] }, judgeContext(rules, { mode })).verdict).join(' ');
    expect(modes('todo_write')).toBe('allow allow allow allow');
    expect(modes('mcp__db__query')).toBe('deny ask ask allow');
    expect(modes('mcp__db__query', { allow: ['mcp(db/*)'] })).toBe('allow allow allow allow');
    expect(modes('mcp__db__query', { deny: ['mcp(db/query)'] })).toBe('deny deny deny deny');
    expect(modes('ask_user', { deny: ['ask_user'] })).toBe('deny deny deny deny');
  });
});

describe('rules', () => {
  const judge = (effect: Effect, rules: Partial<RuleTexts>, mode: ApprovalMode = 'default'): string =>
    decideCall({ toolName: 'x', effects: [effect] }, judgeContext(rules, { mode })).verdict;

  it.each<[string, Effect, Partial<RuleTexts>, string]>([
    [
      'deny before ask before allow',
      command('npm test'),
      { allow: ['shell(npm test *)'], ask: ['shell(npm *)'], deny: ['shell(npm *)'] },
      'deny',
    ],
    ['ask before allow', command('npm test'), { allow: ['shell(npm test *)'], ask: ['shell(npm *)'] }, 'ask'],
    ['an exact rule covers no more words', command('npm test -- x'), { allow: ['shell(npm test)'] }, 'ask'],
    ['a rule covers words one by one', command('npm testx'), { allow: ['shell(npm test *)'] }, 'ask'],
    ['a star inside a word stays inside it', command('npm run test:unit'), { allow: ['shell(npm run test:*)'] }, 'allow'],
    ['every part needs its rule', command('npm test && make'), { allow: ['shell(npm test *)'] }, 'ask'],
    ['two rules for two parts', command('npm test && make all'), { allow: ['shell(npm test *)', 'shell(make all)'] }, 'allow'],
    ['a rule and the read-only set', command('npm test 2>&1 | tail -20'), { allow: ['shell(npm test *)'] }, 'allow'],
    ['deny behind a wrapper', command('timeout 5 nice npm publish'), { deny: ['shell(npm publish *)'] }, 'deny'],
    ['deny in a substitution', command('echo "$(npm publish)"'), { deny: ['shell(npm publish)'] }, 'deny'],
    ['deny by path', command('/usr/bin/npm publish'), { deny: ['shell(npm publish)'] }, 'deny'],
    ['deny with flags between', command('npm --silent publish x'), { deny: ['shell(npm publish)'] }, 'deny'],
    ['deny of every command', command('ls'), { deny: ['shell'] }, 'deny'],
    ['ask of a read-only command', command('cat a'), { ask: ['shell(cat *)'] }, 'ask'],
    ['deny of a path, read by a command', command('cat secret/a'), { deny: ['read(secret/**)'] }, 'deny'],
    ['deny of a path, after cd', command('cd secret && cat a'), { deny: ['read(secret/**)'] }, 'deny'],
    ['deny of an edit, done by a command', command('echo a > ci/x'), { deny: ['edit(ci/**)'] }, 'deny'],
    ['an allowed edit', write(`${workspace}/src/a/b.ts`), { allow: ['edit(src/**)'] }, 'allow'],
    ['an edit beside it', write(`${workspace}/srcs/b.ts`), { allow: ['edit(src/**)'] }, 'ask'],
    ['a wide rule does not open a protected path', write(`${workspace}/.git/config`), { allow: ['edit(**)'] }, 'ask'],
    ['a rule that spells it does', write(`${workspace}/.vscode/tasks.json`), { allow: ['edit(.vscode/**)'] }, 'allow'],
    ['a wide rule does not open a secret', read(`${workspace}/.env`), { allow: ['read(**)'] }, 'ask'],
    ['a rule that spells it does, too', read(`${workspace}/.env`), { allow: ['read(.env)'] }, 'allow'],
    ['an allowed read outside', read('/etc/hosts'), { allow: ['read(/etc/*)'] }, 'allow'],
    ['a rule on the home folder', read('/home/u/notes/a.md'), { allow: ['read(~/notes/**)'] }, 'allow'],
    ['deny of a name at any depth', read(`${workspace}/a/b/x.snap`), { deny: ['read(*.snap)'] }, 'deny'],
    ['deny in other letters', read(`${workspace}/SECRET/a`), { deny: ['read(secret/**)'] }, 'deny'],
    ['deny of a folder covers what is in it', read(`${workspace}/secret/a/b`), { deny: ['read(secret)'] }, 'deny'],
    ['an allowed host', host('api.example.com'), { allow: ['web(*.example.com)'] }, 'allow'],
    ['a host that only ends alike', host('evilexample.com'), { allow: ['web(*.example.com)'] }, 'ask'],
    ['a host that begins alike', host('api.example.com.evil.org'), { allow: ['web(*.example.com)'] }, 'ask'],
    ['a denied host and what lies below', host('example.com'), { deny: ['web(*.example.com)'] }, 'deny'],
  ])('%s', (_name, effect, rules, expected) => {
    expect(judge(effect, rules)).toBe(expected);
  });

  it('takes the name of a tool for all that is plain to it', () => {
    const allow = ['read_file', 'edit_file', 'web_fetch'];
    const by = (toolName: string, effect: Effect): string => decideCall({ toolName, effects: [effect] }, judgeContext({ allow })).verdict;
    expect(by('read_file', read('/etc/hosts'))).toBe('allow');
    expect(by('read_file', read(`${workspace}/.env`))).toBe('ask');
    expect(by('list_dir', read('/etc'))).toBe('ask');
    expect(by('edit_file', write(`${workspace}/a`))).toBe('allow');
    expect(by('edit_file', write(`${workspace}/.envrc`))).toBe('ask');
    expect(by('edit_file', write('/etc/hosts'))).toBe('ask');
    expect(by('web_fetch', host('example.com'))).toBe('allow');
  });

  it('asks in yolo mode when a deny rule cannot tell which command runs', () => {
    expect(judge(command('c=npm; $c publish'), { deny: ['shell(npm publish)'] }, 'yolo')).toBe('ask');
    expect(judge(command('c=npm; $c publish'), {}, 'yolo')).toBe('allow');
  });

  it('asks in yolo mode before a command writes a protected path', () => {
    expect(judge(command('echo x > .git/hooks/pre-commit'), {}, 'yolo')).toBe('ask');
    expect(judge(command('cp x .envrc'), {}, 'yolo')).toBe('ask');
  });

  it('keeps grep off a folder that holds denied files', () => {
    const search = (path: string): string =>
      decideCall({ toolName: 'grep', effects: [read(path)] }, judgeContext({ deny: ['read(secret/**)'] })).verdict;
    expect([workspace, `${workspace}/secret`, `${workspace}/src`].map(search)).toEqual(['deny', 'deny', 'allow']);
  });
});

describe('what an allow rule does not cover', () => {
  it.each([
    ['cd ..', 'shell(cd *)'],
    ['cd', 'shell(cd *)'],
    ['cd -', 'shell(cd *)'],
    ['cd src && cat ../../x', 'shell(cd *)'],
    ['cp a ../b', 'shell(cp *)'],
    ['cp a .git/hooks/x', 'shell(cp *)'],
    ['mv a /etc/x', 'shell(mv *)'],
    ['grep x .env', 'shell(grep *)'],
    ['grep --file=.env x', 'shell(grep *)'],
    ["test -v 'a[$(touch x)]'", 'shell(test *)'],
    ["printf -v 'a[$(touch x)]' b", 'shell(printf *)'],
    ['git diff --output=x', 'shell(git diff *)'],
    ['git diff --outp x', 'shell(git diff *)'],
    ['git grep -Oless a', 'shell(git grep *)'],
    ['find . -delete', 'shell(find . *)'],
    ['sort a -o b', 'shell(sort a *)'],
    ['tar xf a.tar --to-command=sh', 'shell(tar xf *)'],
    ['tree -o x', 'shell(tree *)'],
    ['export A=b', 'shell(export *)'],
    ['trap x EXIT', 'shell(trap x EXIT)'],
  ])('%s with %s', (text, rule) => {
    expect(decideCall({ toolName: 'shell', effects: [command(text)] }, judgeContext({ allow: [rule] })).verdict).toBe('ask');
  });

  it('looks at where a link leads', () => {
    const context = { ...judgeContext(), realPaths: new Map([[`${workspace}/link`, '/etc/passwd']]) };
    expect(decideCall({ toolName: 'shell', effects: [command('cat link')] }, context).verdict).toBe('ask');
  });
});

describe('what is offered as rule', () => {
  it.each([
    ['mkdir -p a/b', ['shell(mkdir *)']],
    ['rm -rf dist', ['shell(rm -rf dist)']],
    ['pytest -q', ['shell(pytest *)']],
    ['npm run build', ['shell(npm run *)']],
    ['npm test && make all && npm test', ['shell(npm test *)', 'shell(make all *)']],
    ['git -C x status', ['shell(git -C x status)']],
    ['timeout 5 npm test', ['shell(timeout 5 npm test)']],
    ["git commit -m 'a b'", ['shell(git commit *)']],
    ['cat /etc/hosts', ['shell(cat /etc/hosts)']],
    ['node -e "1"', ['shell(node -e 1)']],
    ['eval x', []],
    ['ls $(pwd)', []],
    ['git push --force', []],
  ])('%s: %j', (text, offer) => {
    const judged = decideCall({ toolName: 'shell', effects: [command(text)] }, judgeContext());
    expect(judged.offer).toEqual(offer);
    if (offer.length > 0)
      expect(decideCall({ toolName: 'shell', effects: [command(text)] }, judgeContext({ allow: offer })).verdict).toBe('allow');
  });

  it.each([
    [read('/etc/ssl/a.conf'), ['read(/etc/ssl/**)']],
    [read(`${workspace}/.env`), ['read(.env)']],
    [write(`${workspace}/src/a.ts`), ['edit(src/**)']],
    [write(`${workspace}/a.ts`), ['edit(a.ts)']],
    [write(`${workspace}/.git/config`), ['edit(.git/config)']],
    [write('/etc/hosts'), ['edit(/etc/hosts)']],
    [write(`${workspace}/a*b`), []],
    [host('Example.com'), ['web(example.com)']],
  ])('%j: %j', (effect, offer) => {
    const judged = decideCall({ toolName: 'x', effects: [effect] }, judgeContext());
    expect(judged.offer).toEqual(offer);
    if (offer.length > 0) expect(decideCall({ toolName: 'x', effects: [effect] }, judgeContext({ allow: offer })).verdict).toBe('allow');
  });
});

it.each<[Effect, boolean]>([
  [read('/a'), false],
  [host('a'), false],
  [write('/a'), true],
  [command('ls -la | head'), false],
  [command('cat /etc/hosts'), false],
  [command('ls > x'), true],
  [command('make'), true],
])('%j acts: %s', (effect, acts) => {
  expect(isActingEffect(effect)).toBe(acts);
});
