// Benchmarks: npm run bench [area …]. Figures are ratios of one run where there is a baseline; nothing here fails a test run.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildWhenStale } from '../fresh.js';
import { tools } from './tools.js';

if (process.env.TILLDONE_BENCH_CHILD === undefined) {
  // again with tsx, so that benchmarks may be TypeScript and import from src/
  const { status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', fileURLToPath(import.meta.url), ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: { ...process.env, TILLDONE_BENCH_CHILD: '1' },
    },
  );
  process.exit(status ?? 1);
}

buildWhenStale();
const folder = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(folder)
  .filter((name) => /\.(js|ts|tsx)$/.test(name) && !['bench.js', 'tools.js', 'tools.d.ts'].includes(name))
  .filter((name) => wanted.length === 0 || wanted.some((area) => name.startsWith(area)))
  .sort();

let missed = 0;
for (const name of files) {
  const path = `${folder}${name}`;
  console.log(`\n${name.replace(/\.\w+$/, '')}`);
  try {
    if (/export (?:async )?(?:function|const) measure\b/.test(readFileSync(path, 'utf8'))) {
      const { measure } = await import(pathToFileURL(path).href);
      for (const row of await measure(tools)) missed += print(row);
    } else {
      const { status } = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', path], { stdio: 'inherit', env: process.env });
      if (status !== 0) missed += 1;
    }
  } catch (error) {
    missed += 1;
    console.log(`  failed: ${error instanceof Error ? error.message : error}`);
  }
}
console.log(missed === 0 ? '\nEvery limit is kept.' : `\n${missed} above their limit.`);
process.exit(missed === 0 ? 0 : 1);

/** Prints a row; 1 when it is above its limit. */
function print({ name, value, unit, limit, target, note }) {
  const over = limit !== undefined && value > limit;
  const shown = `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ${unit}`;
  const bound = [limit === undefined ? '' : `limit ${limit}`, target === undefined ? '' : `target ${target}`].filter(Boolean).join(', ');
  console.log(`  ${over ? '✗' : '✓'} ${name.padEnd(52)} ${shown.padStart(12)}  ${bound}${note === '' ? '' : `  ${note}`}`);
  return over ? 1 : 0;
}
