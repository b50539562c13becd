// The random tests again, with many more cases: npm run soak [factor] [name of a test file …]. TILLDONE_SEED chooses the cases.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const factor = words.find((word) => /^\d+$/.test(word)) ?? '500';
const wanted = words.filter((word) => word !== factor);
const seed = process.env.TILLDONE_SEED ?? '1';

function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** The test files that know the factor, or a helper that does. */
const helpers = filesBelow('test/helpers').filter((path) => readFileSync(join(root, path), 'utf8').includes('TILLDONE_SOAK_FACTOR'));
const marks = ['TILLDONE_SOAK_FACTOR', 'soakFactor', ...helpers.map((path) => path.replace(/^.*\/helpers\//, 'helpers/'))];
const random = (folder) =>
  filesBelow(folder).filter((path) => {
    if (!/\.test\.tsx?$/.test(path)) return false;
    const text = readFileSync(join(root, path), 'utf8');
    return marks.some((mark) => text.includes(mark)) && (wanted.length === 0 || wanted.some((word) => path.includes(word)));
  });

const env = { ...process.env, TILLDONE_SOAK_FACTOR: factor, TILLDONE_SEED: seed };
const startedMs = performance.now();
let failed = false;
for (const [config, folder] of [
  ['vitest.config.ts', 'test'],
  ['vitest.integration.config.ts', 'integration-tests'],
]) {
  const files = random(folder);
  if (files.length === 0) continue;
  if (folder === 'integration-tests') spawnSync(process.execPath, [join(root, 'scripts', 'build.js')], { cwd: root, stdio: 'inherit' });
  const args = ['run', '--config', config, '--testTimeout=0', '--hookTimeout=0', ...files];
  const { status } = spawnSync(join(root, 'node_modules', '.bin', 'vitest'), args, { cwd: root, env, stdio: 'inherit' });
  failed ||= status !== 0;
}
console.log(
  `soak: factor ${factor}, seed ${seed}, ${((performance.now() - startedMs) / 1000).toFixed(0)} s, ${failed ? 'FAILED' : 'no violation'}`,
);
process.exit(failed ? 1 : 0);
