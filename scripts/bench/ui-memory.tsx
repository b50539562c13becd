import { EventEmitter } from 'node:events';
import { App } from '../../src/ui/components/App.tsx';
import { render } from '../../src/ui/ink.ts';
import { createRowSlots } from '../../src/ui/row-slots.ts';
import { createSessionLink } from '../../src/ui/session-link.ts';
import { createPaint } from '../../src/ui/theme.ts';
import { emptyUi } from '../../src/ui/ui-state.ts';
import { createUiStore } from '../../src/ui/ui-store.ts';
import { createScriptedSession, event } from '../../test/helpers/scripted-session.ts';
import type { BenchTools, Row } from './tools.js';

const turns = 2_000;
const warmUp = 200;

Promise.withResolvers ??= function withResolvers<Value>() {
  let resolve: (value: Value | PromiseLike<Value>) => void = () => {};
  let reject: (reason?: unknown) => void = () => {};
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
};

function heapMegabytes(): number {
  global.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

/** A day's work in fast motion: every turn thinks, writes two screens of text, and runs two tools with long outputs. */
export async function measure({ row }: BenchTools): Promise<readonly Row[]> {
  const write = (_text: string, callback?: () => void): boolean => {
    callback?.();
    return true;
  };
  const stdout = Object.assign(new EventEmitter(), { isTTY: true, columns: 120, rows: 40, writable: true, write });
  const stdin = Object.assign(new EventEmitter(), { isTTY: false });
  const paint = createPaint('dark', 'truecolor');
  const timers = { now: () => performance.now(), after: () => () => {} };
  const store = createUiStore({ ...emptyUi, size: { columns: 120, rows: 40 } }, { timers, paint, highlight: (code) => code });
  const scripted = createScriptedSession();
  const none = (): void => {};
  const link = createSessionLink(scripted.session, {
    store,
    timers,
    openSession: async () => scripted.session,
    onSession: none,
    notify: none,
    setTitle: none,
  });
  link.attach(scripted.session);
  const slots = createRowSlots();
  const ink = render(<App store={store} service={scripted.session.service} paint={paint} slots={slots} />, {
    stdout: stdout as unknown as NodeJS.WriteStream, // what Ink uses of it
    stdin: stdin as unknown as NodeJS.ReadStream,
    interactive: true,
    maxFps: 1000,
    patchConsole: false,
  });
  const text = 'A sentence of an answer, with `code` and **marks**, as they come from a model. ';
  let before = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    if (turn === warmUp) before = heapMegabytes();
    scripted.emit(event('turn-start', { reminded: false, elapsedMs: 0 }));
    for (let part = 0; part < 20; part += 1) {
      scripted.emit(event('text-delta', { text: `${text}${turn} ${part}${part % 5 === 4 ? '\n\n' : ''}` }));
      if (part % 5 === 4) store.flush();
    }
    for (const name of ['read_file', 'shell']) {
      const callId = `${turn}-${name}`;
      scripted.emit(event('tool-start', { callId, name, effects: [], acting: true }));
      scripted.emit(event('tool-output', { callId, text: `${turn} ${'output '.repeat(500)}` }));
      scripted.emit(
        event('tool-result', {
          callId,
          name,
          arguments: { path: `file-${turn}` },
          output: `${'line\n'.repeat(400)}${turn}`,
          isError: false,
          acting: true,
          working: true,
        }),
      );
    }
    store.flush();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const after = heapMegabytes();
  ink.unmount();
  return [row(`memory growth over ${turns - warmUp} turns`, after - before, { unit: 'MB', limit: 100 })];
}
