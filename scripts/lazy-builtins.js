// Modules that take milliseconds to load and that few calls of the program use: the bundle loads each with the first call of a function.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { replaceOnce } from './replace-once.js';

const require = createRequire(import.meta.url);
const sources = fileURLToPath(new URL('../src/', import.meta.url));
/** Ink's way to the size of a terminal that does not tell it. */
const terminalSize = /terminal-size[\\/]index\.js$/;
const seldom = /^(?:node:(?:child_process|crypto|dns\/promises|fs\/promises|https?|timers\/promises|tls|tty)|jsonc-parser)$/;

/** A module with the same functions and classes, which loads the real one when one of them is used. */
function callers(name) {
  const isFunction = ([, value]) => typeof value === 'function';
  const caller = ([key]) => `export function ${key}(...args) {
  const { ${key}: real } = require('${name}');
  return new.target === undefined ? real(...args) : new real(...args);
}`;
  return Object.entries(require(name)).filter(isFunction).map(caller).join('\n');
}

export const lazyBuiltins = {
  name: 'lazy-builtins',
  setup(bundle) {
    bundle.onResolve({ filter: seldom }, ({ path, importer }) =>
      importer.startsWith(sources) || (terminalSize.test(importer) && path !== 'node:tty')
        ? { path, namespace: 'lazy-builtin' }
        : undefined,
    );
    bundle.onLoad({ filter: seldom, namespace: 'lazy-builtin' }, ({ path }) => ({ contents: callers(path), resolveDir: sources }));
    // Commander can start other programs as its subcommands.
    bundle.onLoad({ filter: /commander[\\/]lib[\\/]command\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const caller = "const childProcess = { spawn: (...args) => require('node:child_process').spawn(...args) };";
      return { contents: replaceOnce(source, "const childProcess = require('node:child_process');", caller) };
    });
  },
};
