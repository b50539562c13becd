import { startEarlyLine } from './early-line.ts';
import { version } from './lib/version.ts';
import { loadMain } from './load-main.ts';

// What is loaded here is loaded by every call: nothing but the version and the first line, so that neither costs more than node itself.
const argv = process.argv.slice(2);
const [only = ''] = argv;
if (argv.length === 1 && ['--version', '-v', '-V'].includes(only)) process.stdout.write(`${version}\n`);
else {
  const early = argv.length === 0 ? startEarlyLine(process) : undefined;
  const { main, keepCode, onUse } = loadMain<typeof import('./cli/main.ts')>(argv);
  void main.main(argv, { early, onShown: keepCode, onUse });
}
