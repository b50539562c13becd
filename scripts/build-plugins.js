// What the bundle does differently from its sources, for the sake of a quick start. Behaviour stays the same: integration-tests/build.test.ts.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { lazyBuiltins } from './lazy-builtins.js';
import { lazyZod } from './lazy-zod.js';
import { leanOpenAi } from './lean-openai.js';
import { replaceOnce } from './replace-once.js';

/** A plugin that edits the files whose path matches. */
function editing(name, filter, edit) {
  return {
    name,
    setup(bundle) {
      bundle.onLoad({ filter }, ({ path }) => ({
        contents: edit(readFileSync(path, 'utf8')),
        loader: extname(path) === '.ts' ? 'ts' : 'js',
      }));
    },
  };
}

/** Ink awaits its devtools at the top level, which one script cannot; they are loaded only when DEV is set, and are no part of a release. */
const inkWithoutDevtools = editing('ink-without-devtools', /ink[\\/]build[\\/]reconciler\.js$/, (source) =>
  replaceOnce(replaceOnce(source, "await import('./devtools.js')", 'undefined'), 'await loadPackageJson()', 'packageInfo'),
);

/** Ink's layout engine is made at once from the bytes that its package holds: as a promise, it too would need an await at the top level. */
const yogaAtOnce = [
  editing('yoga-binary', /yoga-wasm-base64-esm\.js$/, (source) => {
    const [url = '', base64 = ''] = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)/.exec(source) ?? [];
    const module = replaceOnce(replaceOnce(source, url, ''), 'import.meta.url', "''");
    return `export const binary = Buffer.from('${base64}', 'base64');\n${module}`;
  }),
  editing('yoga-module', /yoga-layout[\\/]dist[\\/]src[\\/]index\.js$/, (source) => {
    const imported = replaceOnce(source, 'import loadYoga from', 'import loadYoga, { binary } from');
    return replaceOnce(
      imported,
      'const Yoga = wrapAssembly(await loadYoga());',
      `const yoga = {
  instantiateWasm(imports, done) {
    done(new WebAssembly.Instance(new WebAssembly.Module(binary), imports));
    return {};
  },
};
loadYoga(yoga);
const Yoga = wrapAssembly(yoga);`,
    );
  }),
];

/** It checks one argument with node:assert, whose loading takes a tenth of a start. */
const exitWithoutAssert = editing('exit-without-assert', /signal-exit[\\/]index\.js$/, (source) =>
  replaceOnce(source, "var assert = require('assert')", 'var assert = { equal: function () {} }'),
);

const singles = String.raw`\u2010-\u2027\u2030-\u205E\u2190-\u21FF\u2500-\u25FC\u2713-\u2718`;
/** Latin text, box drawing, arrows and ticks: each character is one column wide. */
const narrow = String.raw`/^[\u0020-\u007E\u00A0-\u00AC\u00AE-\u02FF${singles}]*$/`;
/** The same and controls, styles among them: each character is a grapheme by itself. Not CR, which joins with LF. */
const unjoined = String.raw`/^[\u0000-\u000C\u000E-\u02FF${singles}\u{100000}-\u{10FFFD}]*$/u`;
/** What ui/row-slots.ts puts in place of a row; one column wide, as everything of private use. */
const slot = String.raw`/^[\u{100000}-\u{10FFFD}]$/u`;

const segmenterLine = /^const (\w+) = new Intl\.Segmenter\((.*)\);$/gm;

/** The first use of a segmenter in a process costs some 20 ms; most calls have only plain text to show. */
function makeSegmentersLazy(source) {
  // slice-ansi asks a result for `containing`, which only a real one has
  const plain = source.includes('.containing(') ? '' : 'if (unjoined.test(text)) return graphemesOfPlain(text);';
  return source.replace(
    segmenterLine,
    (_line, name, args) =>
      `const unjoined = ${unjoined};
function graphemesOfPlain(input) {
  let next = 0;
  return Array.from(input, (segment) => {
    const index = next;
    next += segment.length;
    return { segment, index, input };
  });
}
const ${name} = {
  made: undefined,
  segment(text) {
    ${plain}
    this.made ??= new Intl.Segmenter(${args});
    return this.made.segment(text);
  },
};`,
  );
}

/**
 * \\p{RGI_Emoji} costs some 50 ms when the expression is made. Every RGI emoji holds a character that is shown as emoji by itself, or U+FE0F;
 * only then is it asked. Plain text is as wide as it is long.
 */
function quickenStringWidth(source) {
  const lazy = replaceOnce(
    source,
    'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
    `const narrow = ${narrow};\nconst slot = ${slot};\nlet rgiEmojiRegex;\nconst mayBeEmoji = /[\\p{Emoji_Presentation}\\uFE0F]/u;`,
  );
  const asked = replaceOnce(
    lazy,
    'rgiEmojiRegex.test(segment)',
    "(mayBeEmoji.test(segment) && (rgiEmojiRegex ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(segment))",
  );
  return replaceOnce(
    asked,
    '\tlet width = 0;\n\tconst eastAsianWidthOptions',
    '\tif (ambiguousIsNarrow && (narrow.test(string) || slot.test(string))) return slot.test(string) ? 1 : string.length;\n\n\tlet width = 0;\n\tconst eastAsianWidthOptions',
  );
}

const unicodeFiles =
  /(?:(?:string-width|wrap-ansi)[\\/]index\.js|line-update\.js|tokenize-ansi\.js|ansi-tokenize[\\/]build[\\/]tokenize\.js|src[\\/]ui[\\/]text\.ts)$/;
const lazyUnicode = editing('lazy-unicode', unicodeFiles, (source) => {
  const lazy = makeSegmentersLazy(source);
  return source.includes('rgiEmojiRegex') ? quickenStringWidth(lazy) : lazy;
});

/** What no first frame needs is loaded by its first call. */
const lazyPackages = editing('lazy-packages', /src[\\/]ui[\\/](?:markdown|diff-lines)\.ts$/, (source) => {
  const [line = '', name, from] = /^import \{ (\w+) \} from '(marked|diff)';$/m.exec(source) ?? [];
  const lazy = `function ${name}(...args) {
    const loaded = require('${from}').${name};
    return new.target === undefined ? loaded(...args) : new loaded(...args);
  }`;
  return replaceOnce(source, line, lazy);
});

/** The first touch of `performance` loads what measures it, some 5 ms; the time of day will do to share out work and to time a frame. */
const dateAsClock = editing(
  'date-as-clock',
  /(?:scheduler\.production\.js|ink[\\/]build[\\/]ink\.js)$/,
  (source) => `const performance = Date;\n${source}`,
);

export const plugins = [
  inkWithoutDevtools,
  ...yogaAtOnce,
  exitWithoutAssert,
  lazyPackages,
  dateAsClock,
  lazyUnicode,
  lazyBuiltins,
  lazyZod,
  leanOpenAi,
];
