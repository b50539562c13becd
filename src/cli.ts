import { version } from './lib/version.ts';

if (process.argv[2] === '--version') process.stdout.write(`${version}\n`);
