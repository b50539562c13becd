// The part of .ci/run that counts: runs each step, adds up what vitest reports, and says at the end what failed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'tilldone-ci-'));
const otherNodes = ['22.23.3', '24.21.0'];
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const startedMs = performance.now();
const problems = [];
let passed = 0;
let failed = 0;

function heading(text) {
  console.log(`\n== ${text} (${((performance.now() - startedMs) / 1000).toFixed(0)} s)`);
}

/** Runs a program with its output shown; true when it ended well. */
function step(name, argv, options = {}) {
  heading(name);
  const { status, error } = spawnSync(argv[0], argv.slice(1), { cwd: root, stdio: 'inherit', ...options });
  if (status === 0) return true;
  problems.push(`${name}: ${error?.message ?? `ended with ${status}`}`);
  return false;
}

/** Runs vitest and adds up its report. A run in which a test was skipped is a failure unless only some were asked for. */
function tests(name, { node = process.execPath, config, args = [], env = {}, some = false }) {
  heading(name);
  const report = join(scratch, `${name.replace(/\W+/g, '-')}.json`);
  const argv = [vitest, 'run', '--config', config, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args];
  const { status } = spawnSync(node, argv, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (!existsSync(report)) {
    failed += 1;
    problems.push(`${name}: no report (ended with ${status})`);
    return;
  }
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  // a file that could not be loaded has no tests to count
  const broken = testResults.filter((file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'));
  passed += numPassedTests;
  failed += numFailedTests + broken.length;
  for (const file of testResults) {
    for (const test of file.assertionResults) {
      if (test.status === 'failed') problems.push(`${name}: ${relative(root, file.name)}: ${test.fullName}`);
      else if (!some && ['skipped', 'pending'].includes(test.status)) {
        failed += 1;
        problems.push(`${name}: skipped, so not proven: ${relative(root, file.name)}: ${test.fullName}`);
      }
    }
  }
  problems.push(...broken.map((file) => `${name}: ${relative(root, file.name)}: ${String(file.message).split('\n')[0]}`));
  if (status !== 0 && numFailedTests + broken.length === 0) {
    failed += 1;
    problems.push(`${name}: vitest ended with ${status} (an error outside the tests)`);
  }
}

/** Another Node from its npm package, outside the project; undefined when it cannot be had. */
function installNode(version) {
  const prefix = join(scratch, `node-${version}`);
  const name = `node-${process.platform}-${process.arch}@${version}`;
  if (!step(`install ${name}`, ['npm', 'install', '--prefix', prefix, '--no-audit', '--no-fund', '--no-save', name])) return undefined;
  return join(prefix, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
}

if (!step('npm run check', ['npm', 'run', '--silent', 'check'])) failed += 1;
tests('unit tests', { config: 'vitest.config.ts' });
const built = step('npm run build', ['npm', 'run', '--silent', 'build']);
if (!built) failed += 1;
if (built) tests('integration tests', { config: 'vitest.integration.config.ts' });
for (const version of otherNodes) {
  const node = installNode(version);
  if (node === undefined) {
    failed += 1;
    continue;
  }
  tests(`unit tests on Node ${version}`, { node, config: 'vitest.config.ts', env: { TILLDONE_SOAK_FACTOR: '0.2' } });
  const args = ['integration-tests/cli.test.ts', '-t', 'the main job|demo|settings reach'];
  if (built) tests(`smokes on Node ${version}`, { node, config: 'vitest.integration.config.ts', args, some: true });
}

rmSync(scratch, { recursive: true, force: true });
heading('done');
for (const problem of problems) console.log(`  ${problem}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
