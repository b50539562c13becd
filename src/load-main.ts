import { appFolders } from './config/folders.ts';

declare const TILLDONE_BUILD: string;
/** A part of our own code, as scripts/chunks.js makes it. */
type Chunks = Readonly<Record<string, (exports: object, require: (id: string) => unknown) => void>>;

/** The entry's own, as the bundle has it; all scripts lie beside the entry. */
declare const require: (id: string) => unknown;

/**
 * Loads the program, which the build bundles into a few scripts: `main` and `rest` of our own, and one for each group of packages that only some
 * calls need. V8 compiles each once and what it made is kept in the state folder, where no command of a model may write: the next start takes half
 * the time. Without a place to keep it the program just starts slower. `Main` is what cli/main.ts exports; `keepCode` is to be called when a chat has
 * run all that its start needs. Other calls keep theirs at the end, and once more when one makes another use of the program, as told by `onUse`:
 * what a call by the offline model never ran would be compiled by every call to an endpoint.
 */
export function loadMain<Main>(argv: readonly string[]): {
  readonly main: Main;
  readonly keepCode: () => void;
  readonly onUse: (use: string) => void;
} {
  // Imported in the usual way they would cost a call for the version alone, too.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { constants, Script } = process.getBuiltinModule('node:vm');
  const kind = kindOf(argv);
  const code = keptCode(kind);
  const scripts: { readonly keep: () => void; isKept: boolean }[] = [];
  let use = '';
  const loaded = new Map<string, unknown>();
  const once = (id: string, make: () => unknown): unknown => {
    if (!loaded.has(id)) loaded.set(id, make());
    return loaded.get(id);
  };

  const runScript = (name: string): unknown => {
    const path = `${__dirname}/${name}-${TILLDONE_BUILD}.js`;
    const cachedData = code.read(name);
    // the build writes one function expression in ASCII: one byte a character, read without decoding or a copy
    const script = new Script(readFileSync(path, 'latin1'), {
      filename: path,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    scripts.push({
      keep: () => code.write(name, script.createCachedData()),
      isKept: cachedData !== undefined && script.cachedDataRejected !== true,
    });
    const module: { exports: unknown } = { exports: {} };
    script.runInThisContext()(module.exports, requireFor, module);
    return module.exports;
  };
  const scriptOf = (name: string): unknown => once(name, () => runScript(name));
  const runChunk = (id: string): unknown => {
    const chunks = scriptOf('main') as Chunks;
    const run = chunks[id] ?? (scriptOf('rest') as Chunks)[id];
    if (run === undefined) throw new Error(`The build has no ${id}`);
    const exports = {};
    run(exports, requireFor);
    return exports;
  };
  /** What the scripts require: packages of another script, chunks of our own two, and what Node has. */
  const requireFor = (id: string): unknown => {
    if (id.endsWith('.part')) return scriptOf(id.slice('./'.length, -'.part'.length));
    return once(id, () => (id.startsWith('./') ? runChunk(id) : require(id)));
  };

  const keepCode = (): void => {
    const isNewUse = use !== '' && !code.hasUse(use);
    for (const script of scripts) {
      if (!script.isKept || isNewUse) script.keep();
      script.isKept = true;
    }
    if (isNewUse) code.addUse(use);
  };
  process.once('exit', (exitCode) => {
    if (exitCode === 0 && kind !== 'chat') keepCode();
  });
  const onUse = (what: string): void => {
    use = what;
  };
  return { main: requireFor('./main.js') as Main, keepCode, onUse };
}

/** Each kind of call runs other functions. What is wrongly taken for a chat never comes to its first frame. */
function kindOf(argv: readonly string[]): 'print' | 'command' | 'chat' {
  if (argv.some((word) => word === '-p' || word === '--print')) return 'print';
  return /^(?:[a-z]+|-h|--help)$/u.test(argv[0] ?? '') ? 'command' : 'chat';
}

type KeptCode = {
  read(script: string): Buffer | undefined;
  write(script: string, code: Buffer): void;
  /** Whether the kept code comes from a call that made this use of the program. */
  hasUse(use: string): boolean;
  addUse(use: string): void;
};

/** Bytes of the checksum behind the code. */
const sumBytes = 4;

/** Compiled code of this build on this Node, for this kind of call. */
function keptCode(kind: string): KeptCode {
  const { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const { crc32 } = process.getBuiltinModule('node:zlib');
  const { homedir } = process.getBuiltinModule('node:os');
  const { state } = appFolders({ env: process.env, home: homedir(), platform: process.platform });
  const folder = `${state}/code`;
  const pathOf = (script: string): string => `${folder}/${TILLDONE_BUILD}-${process.version}-${process.arch}-${kind}-${script}`;

  return {
    read(script) {
      try {
        const bytes = readFileSync(pathOf(script));
        const code = bytes.subarray(0, -sumBytes);
        // V8 does not notice a flipped bit, and crashes
        return code.length > 0 && crc32(code) === bytes.readUInt32LE(code.length) ? code : undefined;
      } catch {
        return undefined;
      }
    },
    write(script, code) {
      const path = pathOf(script);
      const temporary = `${path}.${process.pid}`;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const sum = Buffer.alloc(sumBytes);
        sum.writeUInt32LE(crc32(code));
        writeFileSync(temporary, Buffer.concat([code, sum]), { mode: 0o600 });
        renameSync(temporary, path);
        for (const other of readdirSync(folder)) if (!other.startsWith(TILLDONE_BUILD)) rmSync(`${folder}/${other}`, { force: true });
      } catch {
        rmSync(temporary, { force: true });
      }
    },
    hasUse: (use) => existsSync(pathOf(use)),
    addUse(use) {
      try {
        writeFileSync(pathOf(use), '', { mode: 0o600 });
      } catch {
        // there is no place to keep anything
      }
    },
  };
}
