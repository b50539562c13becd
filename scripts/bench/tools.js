// What a benchmark file gets. It exports `async function measure(tools)` and returns rows made with `tools.row`.
import { spawn } from 'node:child_process';

/** Wall time of one child, in ms; it must exit with 0. */
export function timeChild(argv, options = {}) {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const child = spawn(argv[0], argv.slice(1), { stdio: ['ignore', 'ignore', 'ignore'], ...options });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve(performance.now() - startedMs);
      else reject(new Error(`${argv.join(' ')} ended with ${code}`));
    });
  });
}

export function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Median of each measure, taken in turns, so that a busy machine slows both alike. */
export async function inTurns(measures, rounds) {
  const values = measures.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, measure] of measures.entries()) values[index].push(await measure());
  }
  return values.map(median);
}

/** One line of the report. `limit` is what is promised, `target` what is hoped for; `unit` is `x` for a ratio. */
export function row(name, value, { unit = 'x', limit, target, note = '' } = {}) {
  return { name, value, unit, limit, target, note };
}

export const tools = { timeChild, median, inTurns, row };
