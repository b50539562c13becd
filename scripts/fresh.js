import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Time of the last change below `path`, in ms; 0 when it is not there. */
function changedMs(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, changedMs(join(path, name))), stat.mtimeMs);
}

/** Builds dist/ when a source is newer than it; exits with the build's code when that fails. */
export function buildWhenStale() {
  const builtMs = changedMs(join(root, 'dist', 'cli.cjs'));
  const sources = ['src', 'package.json', 'scripts/build.js', 'scripts/build-plugins.js'].map((name) => changedMs(join(root, name)));
  if (builtMs > Math.max(...sources)) return;
  const build = spawnSync(process.execPath, [join(root, 'scripts', 'build.js')], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (build.status !== 0) process.exit(build.status ?? 1);
}
