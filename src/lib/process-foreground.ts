import { spawn } from 'node:child_process';
import type { ProcessExit, ProgramSpec } from './process.ts';

/** Runs a program that has the terminal to itself, such as an editor; resolves when it has ended, never rejects. */
export function runInForeground(spec: ProgramSpec): Promise<ProcessExit> {
  return new Promise((resolve) => {
    const child = spawn(spec.file, [...spec.args], { cwd: spec.cwd, env: { ...spec.env }, stdio: 'inherit' });
    child.once('error', (error) => resolve({ code: null, signal: null, failure: error.message }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}
