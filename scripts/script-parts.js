// The packages that only some calls use are scripts of their own beside the program's: what is not loaded is not read, and V8 unpacks no code of it.
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = fileURLToPath(new URL('../src/', import.meta.url));
/** What the program's own sources import, by the script that it goes into. */
const parts = {
  schemas: /^used-of-zod$/,
  screen: /^(?:react(?:\/jsx-runtime)?|ink|marked|diff|highlight\.js(?:\/.*)?)$/,
  proxy: /^undici$/,
  gemini: /^@google\/generative-ai$/,
};

/** A plugin for the program's script, and what it left out for each other script: the names of its modules. */
export function leaveOutParts() {
  const left = new Map(Object.keys(parts).map((part) => [part, new Set()]));
  const plugin = {
    name: 'leave-out-parts',
    setup(bundle) {
      bundle.onResolve({ filter: /\.part$/ }, ({ path }) => ({ path, external: true }));
      for (const [part, filter] of Object.entries(parts)) {
        bundle.onResolve({ filter }, ({ path, importer }) => {
          if (!importer.startsWith(sources)) return undefined;
          left.get(part)?.add(path);
          return { path, namespace: 'part', pluginData: part };
        });
      }
      // src/load-main.ts answers this require
      bundle.onLoad({ filter: /./, namespace: 'part' }, ({ path, pluginData: part }) => ({
        contents: `module.exports = require('./${part}.part')(${JSON.stringify(path)});`,
        resolveDir: root,
      }));
    },
  };
  return { plugin, left };
}

/** The entry of another script: a function that gives the module of that name. */
export function partEntry(names) {
  const cases = [...names].sort().map((name) => `case ${JSON.stringify(name)}: return require(${JSON.stringify(name)});`);
  return {
    contents: `module.exports = (name) => { switch (name) { ${cases.join('\n')} } };`,
    resolveDir: root,
    sourcefile: 'part-entry.js',
  };
}

/** The entry can only require; its modules are resolved as the program's imports would be. */
export const resolveAsImports = {
  name: 'resolve-as-imports',
  setup(bundle) {
    bundle.onResolve({ filter: /^[^.]/ }, ({ path, importer, resolveDir, kind }) =>
      kind === 'require-call' && importer.endsWith('part-entry.js')
        ? bundle.resolve(path, { kind: 'import-statement', resolveDir })
        : undefined,
    );
  },
};
