import { version } from './lib/version.ts';

// What is loaded here is loaded by every call: nothing but the version, so that --version costs no more than node itself.
const argv = process.argv.slice(2);
const [only = ''] = argv;
if (argv.length === 1 && ['--version', '-v', '-V'].includes(only)) process.stdout.write(`${version}\n`);
else void import('./cli/main.ts').then(({ main }) => main(argv));
