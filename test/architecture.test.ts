import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A folder imports only lower levels; folders of one level do not import each other. */
const levels: Readonly<Record<string, number>> = {
  types: 0,
  lib: 0,
  providers: 1,
  tools: 1,
  permissions: 1,
  todos: 1,
  session: 1,
  config: 1,
  'follow-through': 1,
  core: 2,
  continuation: 3,
  commands: 4,
  headless: 5,
  ui: 5,
  subcommands: 5,
  'early-line': 6,
  'load-main': 6,
  'open-session': 6,
  compose: 7,
  cli: 8,
};
/** Of the two at the bottom, lib may speak of types; types speak of nothing of ours. */
const allowedAcross = new Set(['lib -> types']);

/** Packages that only these files may import; `*` stands for anything in the path. */
const packages: Readonly<Record<string, readonly string[]>> = {
  react: ['ui/*'],
  'react/jsx-runtime': ['ui/*'],
  ink: ['ui/ink.ts'],
  openai: ['providers/openai*'],
  '@google/generative-ai': ['providers/gemini*'],
  undici: ['providers/*'],
  commander: ['cli/program.ts', 'cli/subcommands.ts'],
  'jsonc-parser': ['config/*'],
};

const fileSystem = [
  'tools/*',
  'session/journal.ts',
  'session/index.ts',
  'session/lock.ts',
  'config/load.ts',
  'config/instructions.ts',
  'lib/paths.ts',
  'lib/atomic-file.ts',
  'lib/state-file.ts',
  'lib/history-file.ts',
  'lib/list-paths.ts',
  'lib/output-file.ts',
  'lib/plain-input.ts',
  'lib/small-file.ts',
  'lib/sync-file.ts',
  'lib/edit-text.ts',
  'lib/throwaway-folder.ts',
];
const builtins: Readonly<Record<string, readonly string[]>> = {
  'node:fs': fileSystem,
  'node:fs/promises': fileSystem,
  'node:child_process': ['lib/process.ts', 'lib/process-foreground.ts'],
  // nothing listens; the one thing of ours that dials is web_fetch, the SDKs dial by themselves
  'node:net': ['tools/web-connection.ts'],
  'node:http': ['tools/web-*', 'providers/wire-http.ts'],
  'node:https': ['tools/web-*', 'providers/wire-http.ts'],
  'node:vm': [],
  'node:worker_threads': [],
};

const processAllowed = [
  'cli.ts',
  'cli/*',
  'early-line.ts',
  'load-main.ts',
  'compose.ts',
  'open-session.ts',
  'config/load.ts',
  'ui/start.tsx',
  'ui/choice-prompt.ts',
  'lib/clock.ts',
  'lib/process*',
  'lib/terminal.ts',
];
// load-main.ts runs before the program is there, and nothing waits for what it puts off
const clockAllowed = ['lib/clock.ts', 'load-main.ts'];
const clockNames = new Set(['setTimeout', 'setInterval', 'performance']);
const clockCalls = new Set(['Date.now', 'Math.random', 'crypto.randomUUID', 'crypto.getRandomValues']);
const clockImports = new Set(['randomBytes', 'randomUUID', 'randomInt', 'setTimeout', 'setInterval', 'performance']);

type Import = { readonly specifier: string; readonly names: readonly string[] };
type Source = {
  /** From src/, with slashes. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly defaultExport: boolean;
  /** `export * from`, `enum`, `namespace`. */
  readonly forbidden: readonly string[];
  readonly usesProcess: readonly string[];
  readonly usesClock: readonly string[];
};

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return /\.tsx?$/u.test(entry.name) ? [path] : [];
  });
}

function readSource(path: string): Source {
  const text = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const imports: Import[] = [];
  const forbidden: string[] = [];
  const usesProcess: string[] = [];
  const usesClock: string[] = [];
  let defaultExport = false;
  const place = (node: ts.Node): string => `line ${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const bindings = node.importClause?.namedBindings;
      const names =
        bindings !== undefined && ts.isNamedImports(bindings)
          ? bindings.elements.map((element) => (element.propertyName ?? element.name).text)
          : [];
      imports.push({ specifier: node.moduleSpecifier.text, names });
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
      imports.push({ specifier: node.moduleSpecifier.text, names: [] });
      if (node.exportClause === undefined) forbidden.push(`export * in ${place(node)}`);
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      imports.push({ specifier: node.argument.literal.text, names: [] });
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier !== undefined && ts.isStringLiteralLike(specifier)) imports.push({ specifier: specifier.text, names: [] });
    }
    if (ts.isExportAssignment(node)) defaultExport = true;
    if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) defaultExport = true;
    if (ts.isEnumDeclaration(node) || ts.isModuleDeclaration(node)) forbidden.push(`${node.getText().slice(0, 30)} in ${place(node)}`);
    if (ts.isPropertyAccessExpression(node)) {
      const text = `${node.expression.getText()}.${node.name.text}`;
      if (node.expression.getText() === 'process') usesProcess.push(`${text} in ${place(node)}`);
      if (clockCalls.has(text)) usesClock.push(`${text} in ${place(node)}`);
    }
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && clockNames.has(node.expression.text)) {
      usesClock.push(`${node.expression.text} in ${place(node)}`);
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0) {
      usesClock.push(`new Date() in ${place(node)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const { specifier, names } of imports) {
    if (['node:crypto', 'node:timers', 'node:timers/promises', 'node:perf_hooks'].includes(specifier)) {
      usesClock.push(...names.filter((name) => clockImports.has(name)).map((name) => `${name} of ${specifier}`));
    }
    if (specifier === 'node:process') usesProcess.push(specifier);
  }
  // a variable of ours may be called process; what counts is the global
  const shadowed = /\b(?:const|let|for \(const|\()\s*process\b|\(process\)|[,{]\s*process\s*[,:}]/u.test(text);
  return {
    path: relative(join(root, 'src'), path).replaceAll('\\', '/'),
    lines: text.split('\n').length,
    imports,
    defaultExport,
    forbidden,
    usesProcess: shadowed
      ? usesProcess.filter((use) => /process\.(?:env|exit|argv|std|on|off|cwd|pid|platform)\b/u.test(use))
      : usesProcess,
    usesClock,
  };
}

const sources = filesBelow(join(root, 'src')).map(readSource);

function fits(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern));
}

/** The folder that a source belongs to, or its own name at the top. */
function areaOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : path.replace(/\.tsx?$/u, '');
}

function findings(judge: (source: Source) => readonly string[]): readonly string[] {
  return sources.flatMap((source) => judge(source).map((problem) => `${source.path}: ${problem}`));
}

function targetOf(source: Source, specifier: string): string {
  return relative(join(root, 'src'), join(root, 'src', dirname(source.path), specifier)).replaceAll('\\', '/');
}

describe('structure of src/', () => {
  it('every folder has a level', () => {
    expect([...new Set(sources.map(({ path }) => areaOf(path)))].filter((area) => levels[area] === undefined)).toEqual([]);
  });

  it('a folder imports only lower levels', () => {
    const wrong = findings((source) =>
      source.imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => [areaOf(source.path), areaOf(targetOf(source, specifier))] as const)
        .filter(([from, to]) => from !== to && !allowedAcross.has(`${from} -> ${to}`) && (levels[to] ?? 99) >= (levels[from] ?? -1))
        .map(([from, to]) => `${from} must not import ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('imports of ours name the file with its ending, and it is there', () => {
    const known = new Set(sources.map(({ path }) => path));
    expect(
      findings((source) =>
        source.imports
          .filter(({ specifier }) => specifier.startsWith('.') && !known.has(targetOf(source, specifier)))
          .map(({ specifier }) => specifier),
      ),
    ).toEqual([]);
  });

  it('types import nothing but zod', () => {
    expect(
      findings(({ path, imports }) =>
        path.startsWith('types/')
          ? imports.filter(({ specifier }) => !/^(?:zod$|\.\/)/u.test(specifier)).map(({ specifier }) => specifier)
          : [],
      ),
    ).toEqual([]);
  });

  it('the early line imports nothing', () => {
    expect(findings(({ path, imports }) => (path === 'early-line.ts' ? imports.map(({ specifier }) => specifier) : []))).toEqual([]);
  });

  it('the entry loads nothing that --version does not need', () => {
    const entry = readFileSync(join(root, 'src', 'cli.ts'), 'utf8');
    const atOnce = [...entry.matchAll(/^import (?!type\b).* from '(.+)';$/gmu)].map(([, specifier]) => specifier);
    expect(atOnce).toEqual(['./early-line.ts', './lib/version.ts', './load-main.ts']);
    expect(sources.find(({ path }) => path === 'load-main.ts')?.imports.map(({ specifier }) => specifier)).toEqual(['./config/folders.ts']);
  });

  it.each(Object.entries(packages))('%s is imported in its place only', (name, places) => {
    expect(
      findings(({ path, imports }) =>
        fits(path, places)
          ? []
          : imports.filter(({ specifier }) => specifier === name || specifier.startsWith(`${name}/`)).map(({ specifier }) => specifier),
      ),
    ).toEqual([]);
  });

  it.each(Object.entries(builtins))('%s is imported in its place only', (name, places) => {
    expect(
      findings(({ path, imports }) =>
        fits(path, places) ? [] : imports.filter(({ specifier }) => specifier === name).map(({ specifier }) => specifier),
      ),
    ).toEqual([]);
  });

  it('built-in modules are written with node:', () => {
    const bare = /^(?:fs|path|os|crypto|child_process|events|util|url|stream|readline|tty|http|https|net|zlib)(?:\/|$)/u;
    expect(findings(({ imports }) => imports.filter(({ specifier }) => bare.test(specifier)).map(({ specifier }) => specifier))).toEqual(
      [],
    );
  });

  it('the process is touched at the edge only', () => {
    expect(findings(({ path, usesProcess }) => (fits(path, processAllowed) ? [] : usesProcess))).toEqual([]);
  });

  it('only the command line ends the process', () => {
    expect(
      findings(({ path, usesProcess }) =>
        fits(path, ['cli.ts', 'cli/*']) ? [] : usesProcess.filter((use) => use.startsWith('process.exit ')),
      ),
    ).toEqual([]);
  });

  it('time, chance and ids come from the clock', () => {
    expect(findings(({ path, usesClock }) => (fits(path, clockAllowed) ? [] : usesClock))).toEqual([]);
  });

  it('no default exports, enums, namespaces or export *', () => {
    expect(findings(({ defaultExport, forbidden }) => [...(defaultExport ? ['default export'] : []), ...forbidden])).toEqual([]);
  });

  it('no file is longer than 400 lines', () => {
    expect(findings(({ lines }) => (lines > 400 ? [`${lines} lines`] : []))).toEqual([]);
  });
});

describe('tests', () => {
  const tests = ['test', 'integration-tests'].flatMap((folder) => filesBelow(join(root, folder)));
  const offenders = (pattern: RegExp): readonly string[] =>
    tests
      .filter((path) => !path.endsWith('architecture.test.ts') && pattern.test(readFileSync(path, 'utf8')))
      .map((path) => relative(root, path));

  it('mock no modules', () => {
    expect(offenders(/\bvi\.(?:mock|doMock|stubGlobal)\b/u)).toEqual([]);
  });

  it('none is left focused or switched off', () => {
    expect(offenders(/\b(?:it|test|describe)(?:\.each)?\.(?:only|skip|todo)\b/u)).toEqual([]);
  });

  it('mirror src/', () => {
    const areas = new Set(sources.map(({ path }) => areaOf(path)));
    const folders = readdirSync(join(root, 'test'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !areas.has(name) && !['helpers', 'fixtures'].includes(name))).toEqual([]);
  });
});

describe('the package', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  it('pins every dependency exactly', () => {
    const all = Object.entries<string>({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/u.test(version))).toEqual([]);
  });
  it('installs nothing but the search binary', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(['@vscode/ripgrep']);
  });
});
