// The program as a few scripts: esbuild cuts it into chunks where something is imported at run time, and each chunk becomes a function in one of
// two scripts, that of what most calls run and the rest. Only the functions of chunks that are loaded come to be.
import { basename } from 'node:path';
import { init, parse } from 'es-module-lexer';

await init;

/**
 * The chunks of a build with `splitting` that was not minified, as the text of two scripts whose exports are functions by chunk. The first has
 * what `entries`, paths of sources, import statically.
 */
export function packChunks({ outputFiles, metafile }, entries) {
  const texts = new Map(outputFiles.map((file) => [basename(file.path), file.text]));
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const first = new Set();
  const visit = (name) => {
    if (first.has(name)) return;
    first.add(name);
    for (const { kind, path } of outputs.get(name).imports)
      if (kind === 'import-statement' && outputs.has(basename(path))) visit(basename(path));
  };
  for (const entry of entries) {
    const [name] = [...outputs].find(([, output]) => output.entryPoint === entry) ?? [];
    if (name === undefined) throw new Error(`chunks: nothing imports ${entry} at run time`);
    visit(name);
  }
  const pack = (names) =>
    `module.exports = {${names.map((name) => `${JSON.stringify(`./${name}`)}: ${toFunction(name, texts.get(name))}`).join(',\n')}};`;
  const names = [...texts.keys()];
  return { main: pack(names.filter((name) => first.has(name))), rest: pack(names.filter((name) => !first.has(name))) };
}

/** Whether a name at the top of a chunk, as esbuild writes it without minifying, gets a value more than once. */
function changes(name, text) {
  const escaped = name.replaceAll('$', '\\$');
  const assigned = new RegExp(String.raw`(?<![.\w$])${escaped}\s*(?:=(?![=>])|[-+]=|\?\?=|\|\|=|\+\+|--)`, 'g');
  const declaredEmpty = new RegExp(String.raw`^var (?:[\w$]+, )*${escaped}[,;]`, 'm');
  return [...text.matchAll(assigned)].length > 1 || declaredEmpty.test(text);
}

/** What a module that is required exports, as an import at run time sees it: its names, and as default itself or what it calls so. */
const withNames = `{
  const all = exports.default;
  Object.assign(exports, all, all.__esModule ? undefined : { default: all });
}`;

/** A chunk as a function of `exports` and `require`. An import is read once: no export may change afterwards. */
function toFunction(name, text) {
  const [imports, exports] = parse(text, name);
  const edits = imports.map(({ ss, se, d, n, s, e }) => {
    if (d === -2) throw new Error(`chunks: ${name} uses import.meta`);
    // a dynamic import of another package is Node's
    if (d >= 0) return n?.startsWith('./') ? [ss, se, `Promise.resolve().then(() => require(${text.slice(s, e)}))`] : undefined;
    return [ss, se, toRequire(text.slice(ss, se), n)];
  });
  const exported = exports.map(({ ss, n, ln }) => {
    const statement = /^export(?:\s*\{[^}"]*\}|\s+default\b)/.exec(text.slice(ss))?.[0];
    if (statement === undefined) throw new Error(`chunks: an export of ${name} that is not understood: ${text.slice(ss, ss + 60)}`);
    const isValue = ln === undefined;
    if (!isValue && changes(ln, text)) throw new Error(`chunks: ${name} exports ${ln}, which changes after it was imported`);
    edits.push([ss, ss + statement.length, isValue ? 'exports.default =' : '']);
    return isValue ? withNames : `exports.${n} = ${ln};`;
  });
  let body = text;
  const unique = new Map(edits.filter(Boolean).map((edit) => [edit[0], edit]));
  for (const [from, to, by] of [...unique.values()].sort((left, right) => right[0] - left[0]))
    body = body.slice(0, from) + by + body.slice(to);
  return `function (exports, require) {"use strict";${body}\n${exported.join('')}}`;
}

/** A static import as a declaration. */
function toRequire(statement, id) {
  const required = `require(${JSON.stringify(id)})`;
  const clause = /^import\s*(.*?)\s*(?:from\s*)?["'][^"']*["']$/s.exec(statement)?.[1] ?? '';
  const [, whole = '', , names = ''] = /^(?:\*\s*as\s+)?([\w$]*)(\s*,\s*)?(\{[^}]*\})?$/s.exec(clause) ?? [];
  if (clause !== '' && whole === '' && names === '') throw new Error(`chunks: an import that is not understood: ${statement}`);
  const parts = [];
  const isDefaultOfChunk = whole !== '' && !clause.startsWith('*') && id.startsWith('./');
  if (whole !== '') parts.push(isDefaultOfChunk ? `{ default: ${whole} } = ${required}` : `${whole} = ${required}`);
  if (names !== '') parts.push(`${names.replace(/([\w$]+)\s+as\s+([\w$]+)/g, '$1: $2')} = ${required}`);
  return parts.length === 0 ? required : `const ${parts.join(', ')}`;
}
