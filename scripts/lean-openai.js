// The part of the openai package that goes into the bundle: a client for chat completions and models, without Node's fetch.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { replaceOnce } from './replace-once.js';

const headerList = fileURLToPath(new URL('../src/providers/openai-headers.ts', import.meta.url));

/** What the client makes one of each for every API there is, and what a chat completion may be wrapped in. Nothing of it is called. */
const unused =
  /openai[\\/](?:auth[\\/]workload-identity-auth|resources[\\/](?!index\.|shared\.|models\.|chat\.|chat[\\/]).*|lib[\\/](?:ChatCompletion(?:Stream|Runner|StreamingRunner)|RunnableFunction|parser))\.mjs$/;

/** A module with the same names, in which nothing is. */
function emptied(source) {
  const names = [...source.matchAll(/^export (?:class|function|const) (\w+)/gm)].map(([, name]) => name);
  return names.map((name) => `export class ${name} {}`).join('\n');
}

/** Its log is off, and still it would describe each request for it, and take secrets out of that. */
function withoutDetails(source) {
  const undescribed = replaceOnce(
    source,
    'formatRequestDetails = (details) => {',
    'formatRequestDetails = () => ({});\nconst unused = (details) => {',
  );
  return `class Headers {}\n${replaceOnce(undescribed, 'export function redactURL(value) {', "export const redactURL = () => '';\nfunction unusedUrl(value) {")}`;
}

/** Node makes these globals of its fetch, whose loading costs a third of what node itself costs to start. */
const withoutFetch = [
  [/openai[\\/]internal[\\/]headers\.mjs$/, (source) => `import { HeaderList as Headers } from ${JSON.stringify(headerList)};\n${source}`],
  [/openai[\\/]internal[\\/]utils[\\/]log\.mjs$/, withoutDetails],
  [/openai[\\/]client\.mjs$/, (source) => `class FormData {}\n${source.replaceAll('globalThis.ReadableStream', 'undefined')}`],
];

export const leanOpenAi = {
  name: 'lean-openai',
  setup(bundle) {
    bundle.onLoad({ filter: /openai[\\/](?:resources|lib|auth)[\\/]/ }, ({ path }) =>
      unused.test(path) ? { contents: emptied(readFileSync(path, 'utf8')), loader: 'js' } : undefined,
    );
    for (const [filter, edit] of withoutFetch)
      bundle.onLoad({ filter }, ({ path }) => ({ contents: edit(readFileSync(path, 'utf8')), loader: 'js' }));
    // It is told everything, so there is nothing to look for.
    bundle.onLoad({ filter: /openai[\\/]internal[\\/]utils[\\/]env\.mjs$/ }, () => ({
      contents: 'export const readEnv = () => undefined;',
      loader: 'js',
    }));
  },
};
