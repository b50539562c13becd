// Builds when a source changed, then runs the command with the arguments given. Without arguments and without a terminal: the demo.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildWhenStale } from './fresh.js';

buildWhenStale();
const given = process.argv.slice(2);
const args = given.length === 0 && !(process.stdin.isTTY && process.stdout.isTTY) ? ['demo'] : given;
const bin = fileURLToPath(new URL('../bin/tilldone.js', import.meta.url));
const child = spawn(process.execPath, [bin, ...args], { stdio: 'inherit', cwd: process.env.INIT_CWD ?? process.cwd() });
// The terminal sends these to the child as well: it decides how to end, we wait for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? 128 + ({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal] ?? 9)));
