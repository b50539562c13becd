// Bundles src/ into dist/: one small entry, every heavy library behind its own lazily loaded chunk.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { plugins } from './build-plugins.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
/** A process that was started before this build may still load a chunk of the one before; old chunks stay this long. */
const keepStaleMs = 10 * 60_000;

const banner = [
  `import { createRequire as __createRequire } from 'node:module';`,
  'const require = __createRequire(import.meta.url);',
  // ink 8 needs it, Node 20 lacks it
  'Promise.withResolvers ??= function () { let resolve, reject; const promise = new this((a, b) => { resolve = a; reject = b; }); return { promise, resolve, reject }; };',
].join('');

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const result = await build({
  absWorkingDir: root,
  entryPoints: ['src/cli.ts'],
  outdir: dist,
  write: false,
  metafile: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  keepNames: false,
  splitting: true,
  chunkNames: '[name]-[hash]',
  mainFields: ['module', 'main'],
  banner: { js: banner },
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
    TILLDONE_VERSION: JSON.stringify(version),
  },
  external: ['@vscode/ripgrep'],
  plugins,
  legalComments: 'none',
  logLevel: 'warning',
});

mkdirSync(dist, { recursive: true });
const clean = process.argv.includes('--clean');
const written = new Set(['THIRD_PARTY_LICENSES']);
// The entry goes last, so that whoever starts now finds all that it names.
const files = [...result.outputFiles].sort((left, right) => Number(isEntry(left.path)) - Number(isEntry(right.path)));
for (const file of files) {
  written.add(basename(file.path));
  writeWhole(file.path, file.contents);
}
writeWhole(join(dist, 'THIRD_PARTY_LICENSES'), licenses(result.metafile));
for (const name of readdirSync(dist)) {
  const path = join(dist, name);
  if (!written.has(name) && (clean || Date.now() - statSync(path).mtimeMs > keepStaleMs)) rmSync(path, { recursive: true, force: true });
}
const bytes = result.outputFiles.reduce((sum, file) => sum + file.contents.length, 0);
console.log(`dist: ${result.outputFiles.length} files, ${Math.round(bytes / 1024)} KB`);

function isEntry(path) {
  return basename(path) === 'cli.js';
}

/** Writes beside the target and renames: a reader sees the old file or the new one. */
function writeWhole(path, contents) {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

/** The licence texts of everything that went into the bundle, package by package. */
function licenses(metafile) {
  const folders = new Set();
  for (const output of Object.values(metafile.outputs)) {
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
