// Bundles src/ into dist/: a small entry, and the program as one script whose compiled code can be kept.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { plugins } from './build-plugins.js';
import { packChunks } from './chunks.js';
import { leaveOutParts, partEntry, resolveAsImports } from './script-parts.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
/** Whoever starts in the moment of a build may still load the script of the one before; it stays this long, ms. */
const keepStaleMs = 10 * 60_000;

// ink 8 needs it, Node 20 lacks it
const withResolvers =
  'Promise.withResolvers ??= function () { let resolve, reject; const promise = new this((a, b) => { resolve = a; reject = b; }); return { promise, resolve, reject }; };';

/** What a call without a person imports at run time, to an endpoint that speaks Chat Completions; a chat needs it, too. */
const runByMostCalls = [
  'src/cli/main.ts',
  'src/cli/program.ts',
  'src/cli/one-shot.ts',
  'src/compose.ts',
  'src/open-session.ts',
  'src/providers/openai.ts',
  'src/providers/proxy.ts',
  'src/providers/retry.ts',
];

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const common = {
  absWorkingDir: root,
  outdir: dist,
  write: false,
  metafile: true,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  mainFields: ['module', 'main'],
  external: ['@vscode/ripgrep'],
  plugins,
  legalComments: 'none',
  logLevel: 'warning',
};
const define = {
  'process.env.NODE_ENV': '"production"',
  'process.env.DEV': '"false"',
  TILLDONE_VERSION: JSON.stringify(version),
};
/** What each tool takes, as JSON Schema, by name; worked out from the sources. */
async function toolParameters() {
  const { outputFiles } = await build({
    ...common,
    define,
    plugins: [],
    entryPoints: ['src/tools/index.ts'],
    format: 'cjs',
    minify: false,
  });
  const module = { exports: {} };
  new Function('module', 'exports', 'require', outputFiles[0].text)(module, module.exports, createRequire(import.meta.url));
  return Object.fromEntries(module.exports.tools.map(({ name, parameters }) => [name, parameters]));
}

// The program's own scripts: see scripts/chunks.js and src/load-main.ts.
// as text: esbuild would have each module ask for a value that is an object
const withParameters = { ...define, TILLDONE_TOOL_PARAMETERS: JSON.stringify(JSON.stringify(await toolParameters())) };
const { plugin: leaveOut, left } = leaveOutParts();
const program = await build({
  ...common,
  define: withParameters,
  plugins: [leaveOut, ...plugins],
  entryPoints: ['src/cli/main.ts'],
  format: 'esm',
  splitting: true,
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  minify: false,
});
const { main, rest } = packChunks(program, runByMostCalls);
const scripts = [
  { name: 'main', text: await minified(`${withResolvers}\n${main}`), metafile: program.metafile },
  { name: 'rest', text: await minified(rest), metafile: program.metafile },
];
for (const [name, modules] of left) {
  const result = await build({ ...common, define, plugins: [resolveAsImports, ...plugins], stdin: partEntry(modules), format: 'cjs' });
  scripts.push({ name, text: result.outputFiles[0].text, metafile: result.metafile });
}
const codes = scripts.map(({ name, text }) => ({ name, code: `(function (exports, require, module) {${toAscii(text)}\n})` }));
const hash = createHash('sha256');
for (const { code } of codes) hash.update(code);
const buildId = hash.digest('hex').slice(0, 12);
const entry = await build({
  ...common,
  define: { ...define, TILLDONE_BUILD: JSON.stringify(buildId) },
  entryPoints: ['src/cli.ts'],
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
});

mkdirSync(dist, { recursive: true });
const clean = process.argv.includes('--clean');
const written = new Set(['THIRD_PARTY_LICENSES']);
// The entry goes last, so that whoever starts now finds what it names.
const files = [
  ...codes.map(({ name, code }) => ({ path: join(dist, `${name}-${buildId}.js`), contents: code })),
  { path: join(dist, 'cli.cjs'), contents: entry.outputFiles[0].contents },
];
for (const file of files) {
  written.add(basename(file.path));
  writeWhole(file.path, file.contents);
}
writeWhole(join(dist, 'THIRD_PARTY_LICENSES'), licenses(scripts.map(({ metafile }) => metafile)));
for (const name of readdirSync(dist)) {
  const path = join(dist, name);
  if (!written.has(name) && (clean || Date.now() - statSync(path).mtimeMs > keepStaleMs)) rmSync(path, { recursive: true, force: true });
}
console.log(`dist: ${codes.map(({ name, code }) => `${name} ${Math.round(code.length / 1024)} KB`).join(', ')}`);

async function minified(text) {
  const { code } = await transform(text, { minify: true, target: common.target, legalComments: 'none' });
  return code;
}

/** esbuild leaves characters beyond ASCII in regular expressions, where an escape means the same. */
function toAscii(text) {
  return text.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Writes beside the target and renames: a reader sees the old file or the new one. */
function writeWhole(path, contents) {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

/** The licence texts of everything that went into the bundle, package by package. */
function licenses(metafiles) {
  const folders = new Set();
  for (const output of metafiles.flatMap(({ outputs }) => Object.values(outputs))) {
    for (const input of Object.keys(output.inputs)) {
      const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
      if (found) folders.add(join(root, found[1]));
    }
  }
  const sections = [...folders].sort().map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder)
      .filter((name) => /^(licen[cs]e|notice|copying)/i.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8').trim());
    const license = typeof manifest.license === 'string' ? manifest.license : (manifest.license?.type ?? 'see its source');
    return `${manifest.name} ${manifest.version} (${license})\n\n${texts.join('\n\n') || `Declared licence: ${license}`}\n`;
  });
  return `Parts of these packages are included in the bundle beside this file.\n\n${sections.join(`\n${'-'.repeat(78)}\n\n`)}`;
}
