// What the bundle does differently from its sources, for the sake of a quick start. Behaviour stays the same: integration-tests/build.test.ts.
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** Ink loads its devtools only when DEV is set; they are no part of a release. */
const stubDevtools = {
  name: 'stub-devtools',
  setup(bundle) {
    bundle.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: 'react-devtools-core', namespace: 'stub' }));
    bundle.onResolve({ filter: /devtools\.js$/ }, ({ importer }) =>
      importer.includes(`${join('node_modules', 'ink')}`) ? { path: 'ink-devtools', namespace: 'stub' } : undefined,
    );
    bundle.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: 'export default {};', loader: 'js' }));
  },
};

/** Ink's layout engine would fetch its own data URL, and the first touch of fetch costs some 25 ms; without fetch it decodes the same bytes. */
const yogaWithoutFetch = {
  name: 'yoga-without-fetch',
  setup(bundle) {
    bundle.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => ({
      contents: `const fetch = undefined;\n${readFileSync(path, 'utf8')}`,
      loader: 'js',
    }));
  },
};

/** Replaces text that must be there: a new version of a package that reads otherwise stops the build instead of losing the change. */
function replaceOnce(source, from, to) {
  if (source.split(from).length !== 2) throw new Error(`build-plugins: expected exactly once: ${from}`);
  return source.replace(from, () => to);
}

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

const lazyUnicode = {
  name: 'lazy-unicode',
  setup(bundle) {
    const files =
      /(?:(?:string-width|wrap-ansi)[\\/]index\.js|line-update\.js|tokenize-ansi\.js|ansi-tokenize[\\/]build[\\/]tokenize\.js|src[\\/]ui[\\/]text\.ts)$/;
    bundle.onLoad({ filter: files }, ({ path }) => {
      const source = makeSegmentersLazy(readFileSync(path, 'utf8'));
      const contents = /string-width[\\/]index\.js$/.test(path) ? quickenStringWidth(source) : source;
      return { contents, loader: extname(path) === '.ts' ? 'ts' : 'js' };
    });
  },
};

export const plugins = [stubDevtools, yogaWithoutFetch, lazyUnicode];
