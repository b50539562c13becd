import { appFolders } from './config/folders.ts';

declare const TILLDONE_MAIN: string;

type KeptCode = { read(): Buffer | undefined; write(code: Buffer): void };

/**
 * Loads the program, which the build bundles into one script. V8 compiles it once and what it made is kept in the state folder, where no
 * command of a model may write: the next start takes half the time. Without a place to keep it the program just starts slower.
 * `Main` is what that script exports; `keepCode` is to be called when a chat has run all that its start needs. Other calls keep theirs at the end.
 */
export function loadMain<Main>(argv: readonly string[]): { readonly main: Main; readonly keepCode: () => void } {
  // Imported in the usual way they would cost a call for the version alone, too.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { createRequire } = process.getBuiltinModule('node:module');
  const { constants, Script } = process.getBuiltinModule('node:vm');
  const path = `${__dirname}/${TILLDONE_MAIN}`;
  const kind = kindOf(argv);
  const kept = keptCode(kind);
  const cachedData = kept.read();
  // the build writes one function expression in ASCII: one byte a character, read without decoding or a copy
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  let isKept = cachedData !== undefined && script.cachedDataRejected !== true;
  const keepCode = (): void => {
    if (!isKept) kept.write(script.createCachedData());
    isKept = true;
  };
  process.once('exit', (code) => {
    if (code === 0 && kind !== 'chat') keepCode();
  });
  const module: { exports: unknown } = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module);
  return { main: module.exports as Main, keepCode };
}

/** Each kind of call runs other functions. What is wrongly taken for a chat never comes to its first frame. */
function kindOf(argv: readonly string[]): 'print' | 'command' | 'chat' {
  if (argv.some((word) => word === '-p' || word === '--print')) return 'print';
  return /^(?:[a-z]+|-h|--help)$/u.test(argv[0] ?? '') ? 'command' : 'chat';
}

/** Compiled code of this build on this Node, for this kind of call. */
function keptCode(kind: string): KeptCode {
  const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const { homedir } = process.getBuiltinModule('node:os');
  const { state } = appFolders({ env: process.env, home: homedir(), platform: process.platform });
  const folder = `${state}/code`;
  const path = `${folder}/${TILLDONE_MAIN}-${process.version}-${process.arch}-${kind}`;
  return {
    read() {
      try {
        // V8 does not notice a flipped bit, and crashes: two copies that are the same hold none
        const bytes = readFileSync(path);
        const code = bytes.subarray(0, bytes.length / 2);
        return code.equals(bytes.subarray(code.length)) ? code : undefined;
      } catch {
        return undefined;
      }
    },
    write(code) {
      const temporary = `${path}.${process.pid}`;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(temporary, Buffer.concat([code, code]), { mode: 0o600 });
        renameSync(temporary, path);
        for (const other of readdirSync(folder)) if (!other.startsWith(TILLDONE_MAIN)) rmSync(`${folder}/${other}`, { force: true });
      } catch {
        rmSync(temporary, { force: true });
      }
    },
  };
}
