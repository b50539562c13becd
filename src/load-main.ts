import { appFolders } from './config/folders.ts';

declare const TILLDONE_MAIN: string;

type KeptCode = { read(): Buffer | undefined; write(code: Buffer): void };

/** How long after the start the compiled code is kept, ms: by then what a start needs has run, and V8 has thrown away none of it. */
const keepAfterMs = 3_000;
/** Length of the digest before the code, bytes. V8 itself does not notice a flipped bit, and crashes. */
const digestBytes = 32;

/**
 * Loads the program, which the build bundles into one script. V8 compiles it once and what it made is kept in the state folder, where no
 * command of a model may write: the next start takes half the time. Without a place to keep it the program just starts slower.
 * `Main` is what that script exports.
 */
export function loadMain<Main>(argv: readonly string[]): Main {
  // Imported by name they would cost a call for the version alone, too.
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { createRequire } = process.getBuiltinModule('node:module');
  const { constants, Script } = process.getBuiltinModule('node:vm');
  const path = process.getBuiltinModule('node:url').fileURLToPath(new URL(TILLDONE_MAIN, import.meta.url));
  const kept = keptCode(argv);
  const cachedData = kept.read();
  // the build writes ASCII: one byte a character, read without decoding
  const script = new Script(`(function (exports, require, module) {${readFileSync(path, 'latin1')}\n})`, {
    filename: path,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (cachedData === undefined || script.cachedDataRejected === true) {
    let isKept = false;
    const keep = (): void => {
      if (!isKept) kept.write(script.createCachedData());
      isKept = true;
    };
    process.once('exit', (code) => {
      if (code === 0) keep();
    });
    setTimeout(keep, keepAfterMs).unref();
  }
  const module: { exports: unknown } = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module);
  return module.exports as Main;
}

/** Compiled code of this build on this Node, for this kind of call: each kind runs other functions. */
function keptCode(argv: readonly string[]): KeptCode {
  const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const { homedir } = process.getBuiltinModule('node:os');
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digestOf = (code: Buffer): Buffer => createHash('sha256').update(code).digest();
  const { state } = appFolders({ env: process.env, home: homedir(), platform: process.platform });
  const folder = `${state}/code`;
  const kind = argv.some((word) => word === '-p' || word === '--print') ? 'print' : /^[a-z]+$/u.test(argv[0] ?? '') ? 'command' : 'chat';
  const path = `${folder}/${TILLDONE_MAIN}-${process.version}-${process.arch}-${kind}`;
  return {
    read() {
      try {
        const bytes = readFileSync(path);
        const code = bytes.subarray(digestBytes);
        return digestOf(code).equals(bytes.subarray(0, digestBytes)) ? code : undefined;
      } catch {
        return undefined;
      }
    },
    write(code) {
      const temporary = `${path}.${process.pid}`;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(temporary, Buffer.concat([digestOf(code), code]), { mode: 0o600 });
        renameSync(temporary, path);
        for (const other of readdirSync(folder)) if (!other.startsWith(TILLDONE_MAIN)) rmSync(`${folder}/${other}`, { force: true });
      } catch {
        rmSync(temporary, { force: true });
      }
    },
  };
}
