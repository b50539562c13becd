/** The input line before anything is loaded. Imports nothing: it is there a moment after node itself. */
export type EarlyLine = {
  /** Ends it and gives what was typed, as raw input. The line stays on screen until its successor draws over it, in the same tick. */
  take(): string;
  /** Ends it and takes it off the screen; what was typed is dropped, so that it answers no question. Nothing happens after `take`. */
  drop(): void;
};

type Host = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'env' | 'cwd' | 'platform' | 'getBuiltinModule' | 'kill' | 'pid' | 'once' | 'off'>;

const enterLine = '\r\u001b[K\u001b[?2004h> ';
const leaveLine = '\r\u001b[K\u001b[?2004l';
/** Sequences that keys and pastes send; none of them is shown. */
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/g;

/** What can be shown of raw input on one line. Everything else waits for the editor. */
export function earlyEcho(raw: string, columns: number): string {
  let line = '';
  for (const character of raw.replace(sequences, '')) {
    if (character === '\u007f' || character === '\b') line = line.slice(0, -1);
    else if (character === '\r' || character === '\n') break;
    else if (character >= ' ' && !(character >= '\u007f' && character <= '\u009f')) line += character;
  }
  return line.slice(0, Math.max(0, columns - 3));
}

/** Whether the user trusts the present folder, as far as a glance can tell: where a question may come first, no line is shown. */
function isTrusted({ env, cwd, platform, getBuiltinModule }: Host): boolean {
  if (platform === 'win32') return false;
  const { TILLDONE_HOME: own, XDG_STATE_HOME: xdg, HOME: home } = env;
  const state = own ? `${own}/state` : `${xdg?.startsWith('/') ? xdg : `${home}/.local/state`}/tilldone`;
  try {
    const trust: unknown = JSON.parse(getBuiltinModule('node:fs').readFileSync(`${state}/trust.json`, 'utf8'));
    return typeof trust === 'object' && trust !== null && 'folders' in trust && Object.hasOwn(Object(trust.folders), cwd());
  } catch {
    return false;
  }
}

/** Shows the line on a terminal in a trusted folder; undefined where there is none to show. Ctrl+C and Ctrl+D still leave. */
export function startEarlyLine(host: Host): EarlyLine | undefined {
  const { stdin, stdout } = host;
  if (stdin.isTTY !== true || stdout.isTTY !== true || host.env.TERM === 'dumb' || !isTrusted(host)) return undefined;
  let typed = '';
  let ended = false;
  const leave = (): void => {
    ended = true;
    stdin.off('data', onData);
    host.off('exit', drop);
  };
  const drop = (): void => {
    if (ended) return;
    leave();
    stdout.write(leaveLine);
    stdin.setRawMode(false);
  };
  const onData = (chunk: string): void => {
    typed += chunk;
    if (chunk.includes('\u0003') || (typed === '\u0004' && chunk === '\u0004')) {
      drop();
      host.kill(host.pid, 'SIGINT');
      return;
    }
    stdout.write(`\r\u001b[K> ${earlyEcho(typed, stdout.columns || 80)}`);
  };
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.on('data', onData);
  host.once('exit', drop);
  stdout.write(enterLine);
  return {
    take() {
      leave();
      return typed;
    },
    drop,
  };
}
