import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { earlyEcho, startEarlyLine } from '../src/early-line.ts';

it.each([
  ['text', 'abc', 'abc'],
  ['backspace', 'abc\u007fd', 'abd'],
  ['stops at the end of the line', 'one\rtwo', 'one'],
  ['keys that show nothing', 'a\u001b[Db\u001bOAc\u001b', 'abc'],
  ['marks of a paste', '\u001b[200~pasted\u001b[201~', 'pasted'],
  ['control characters', 'a\u0001\u009bb', 'ab'],
  ['more than fits', 'x'.repeat(50), 'x'.repeat(17)],
])('earlyEcho: %s', (_name, raw, shown) => {
  expect(earlyEcho(raw, 20)).toBe(shown);
});

/** A process with a terminal, in a folder that is trusted unless said otherwise. */
function createHost(change: { trusted?: boolean; tty?: boolean; TERM?: string } = {}) {
  const written: string[] = [];
  const calls: string[] = [];
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: change.tty ?? true,
    setRawMode: (on: boolean) => calls.push(`raw ${on}`),
    setEncoding: () => {},
  });
  const stdout = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
  const folders = change.trusted === false ? {} : { '/work': { trustedAt: 1 } };
  const host = Object.assign(new EventEmitter(), {
    stdin,
    stdout,
    env: { TILLDONE_HOME: '/home/u/.tilldone', TERM: change.TERM ?? 'xterm' },
    cwd: () => '/work',
    platform: 'linux',
    pid: 7,
    kill: (_pid: number, signal: string) => calls.push(`kill ${signal}`),
    getBuiltinModule: () => ({
      readFileSync(path: string) {
        expect(path).toBe('/home/u/.tilldone/state/trust.json');
        return JSON.stringify({ version: 1, folders });
      },
    }),
  });
  // the part of a process that the line uses
  return { host: host as unknown as Parameters<typeof startEarlyLine>[0], stdin, written, calls };
}

describe('startEarlyLine', () => {
  it('shows a prompt, echoes what is typed, and hands it over raw', () => {
    const { host, stdin, written, calls } = createHost();
    const line = startEarlyLine(host);
    stdin.emit('data', 'hi');
    stdin.emit('data', '\u007f\r');
    expect(written).toEqual(['\r\u001b[K\u001b[?2004h> ', '\r\u001b[K> hi', '\r\u001b[K> h']);
    expect(line?.take()).toBe('hi\u007f\r');
    line?.drop();
    expect(stdin.listenerCount('data')).toBe(0);
    expect(calls).toEqual(['raw true']);
  });

  it.each([
    ['the folder is not trusted', { trusted: false }],
    ['there is no terminal', { tty: false }],
    ['the terminal is dumb', { TERM: 'dumb' }],
  ])('shows nothing when %s', (_name, change) => {
    const { host, written } = createHost(change);
    expect(startEarlyLine(host)).toBeUndefined();
    expect(written).toEqual([]);
  });

  it.each(['drop', 'exit'])('gives the terminal back on %s', (how) => {
    const { host, written, calls } = createHost();
    const line = startEarlyLine(host);
    if (how === 'drop') line?.drop();
    else (host as unknown as EventEmitter).emit('exit');
    expect(written.at(-1)).toBe('\r\u001b[K\u001b[?2004l');
    expect(calls).toEqual(['raw true', 'raw false']);
  });

  it('Ctrl+C leaves', () => {
    const { host, stdin, calls } = createHost();
    startEarlyLine(host);
    stdin.emit('data', 'x\u0003');
    expect(calls).toEqual(['raw true', 'raw false', 'kill SIGINT']);
  });
});
