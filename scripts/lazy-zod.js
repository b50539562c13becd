// Zod takes some 6 ms to load, a seventh of what node itself takes, and a start without settings files needs no schema: the bundle loads it
// with the first one that is made.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const line = "import * as z from 'zod';";
const onlyTypes = new Set(['core', 'infer']);

/** Our sources that import it, by path. */
function users() {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).filter(({ name }) => name.endsWith('.ts'));
  const texts = files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]);
  return new Map(texts.filter(([, text]) => text.includes(line)));
}

export const lazyZod = {
  name: 'lazy-zod',
  setup(bundle) {
    const sources = users();
    // What is not named stays out of the bundle.
    const names = new Set([...sources.values()].flatMap((text) => [...text.matchAll(/\bz\.([a-z]\w*)/g)].map(([, name]) => name)));
    const used = [...names].filter((name) => !onlyTypes.has(name)).join(', ');
    bundle.onResolve({ filter: /^used-of-zod$/ }, ({ path }) => ({ path, namespace: 'lazy-zod' }));
    bundle.onLoad({ filter: /^used-of-zod$/, namespace: 'lazy-zod' }, () => ({
      contents: `export { ${used} } from 'zod';`,
      resolveDir: root,
    }));
    bundle.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = sources.get(path);
      return text === undefined
        ? undefined
        : {
            contents: text.replace(
              line,
              "let used; const z = new Proxy({}, { get: (_, name) => (used ??= require('used-of-zod'))[name] });",
            ),
            loader: 'ts',
            resolveDir: dirname(path),
          };
    });
  },
};
