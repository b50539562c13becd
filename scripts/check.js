// Types, lint, unused code and architecture, side by side; one summary at the end.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const checks = [
  ['types', 'tsc', ['--noEmit', '-p', '.', '--pretty', 'false']],
  ['lint', 'biome', ['check', '--error-on-warnings', '--diagnostic-level=warn', '.']],
  ['unused', 'knip', ['--no-progress', '--no-config-hints']],
  ['architecture', 'vitest', ['run', 'test/architecture.test.ts', '--reporter=dot']],
];

function runCheck([name, tool, args]) {
  return new Promise((resolve) => {
    const startedMs = performance.now();
    const child = spawn(`node_modules/.bin/${tool}`, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    const end = (ok, extra = '') => resolve({ name, ok, output: output + extra, seconds: (performance.now() - startedMs) / 1000 });
    child.on('error', (error) => end(false, error.message));
    child.on('close', (code) => end(code === 0));
  });
}

const results = await Promise.all(checks.map(runCheck));
for (const { name, ok, output } of results) if (!ok) console.log(`--- ${name}\n${output.trimEnd()}\n`);
for (const { name, ok, seconds } of results) console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`);
process.exit(results.every(({ ok }) => ok) ? 0 : 1);
