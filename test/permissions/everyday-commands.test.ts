import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decideCommand } from '../../src/permissions/decide-command.ts';
import { judgeContext, workspace } from './context.ts';

const rows = readFileSync(new URL('../fixtures/everyday-commands.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [command = '', ...rules] = line.split('\t').filter((cell) => cell !== '');
    return { command, rules };
  });

it('is a corpus of at least 150 different commands', () => {
  expect(new Set(rows.map(({ command }) => command)).size).toBeGreaterThanOrEqual(150);
});

it('runs at least nine of ten without asking, once their rule is given', () => {
  const asking = rows.filter(({ command, rules }) => decideCommand(command, workspace, judgeContext({ allow: rules })).verdict !== 'allow');
  expect(asking.map(({ command }) => command)).toEqual([
    './gradlew test',
    'time npm run build',
    'NODE_ENV=test npm test',
    'npm test > out.txt',
    'ls *.ts',
    'cat src/*.ts | wc -l',
    'echo $PATH',
    'for f in a b; do echo $f; done',
    'env | grep NODE',
  ]);
  expect(asking.length / rows.length).toBeLessThan(0.1);
});

it('asks for all but the read-only set as long as no rule is given', () => {
  const automatic = rows.filter(({ command }) => decideCommand(command, workspace, judgeContext()).verdict === 'allow');
  expect(automatic.filter(({ rules }) => rules.length > 0)).toEqual([]);
  expect(automatic.length).toBeGreaterThan(20);
});

it('offers a rule for what asks, and the rule frees it', () => {
  const unoffered = rows.filter(({ command }) => {
    const judged = decideCommand(command, workspace, judgeContext());
    if (judged.verdict === 'allow') return false;
    return judged.offer.length === 0 || decideCommand(command, workspace, judgeContext({ allow: judged.offer })).verdict !== 'allow';
  });
  expect(unoffered.length / rows.length).toBeLessThan(0.1);
});
