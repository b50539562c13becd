import { afterEach, beforeEach, expect, it } from 'vitest';
import { tools } from '../../src/tools/index.ts';
import { type StrictServer, sse, startStrictServer } from '../../test/helpers/strict-server.ts';
import { run } from '../helpers/run.ts';

let server: StrictServer;
beforeEach(async () => {
  server = await startStrictServer();
  server.reply({ body: sse([{ choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }] }]) });
});
afterEach(() => server.close());

/** Node makes these together with its fetch, all of them when one is asked for. */
const ofFetch = ['Headers', 'Response', 'Request', 'FormData', 'fetch', 'ReadableStream'];
const tell = `for (const name of ${JSON.stringify(ofFetch)}) {
  const { get } = Object.getOwnPropertyDescriptor(globalThis, name);
  const value = get === undefined ? globalThis[name] : undefined;
  Object.defineProperty(globalThis, name, { configurable: true, get() { console.error('touched ' + name); return get === undefined ? value : get.call(globalThis); } });
}`;

/** As the sources do in test/providers: the build leaves out most of the SDK. */
it('the built program sends through the SDK without loading fetch, whatever the variables of the SDK say', async () => {
  const planted = ['ADMIN_KEY', 'ORG_ID', 'PROJECT_ID', 'WEBHOOK_SECRET'].map((name) => [`OPENAI_${name}`, 'planted']);
  const { code, stdout, stderr } = await run(['-p', 'hi', '--model', 'm', '--base-url', `${server.url}/v1`], {
    env: {
      ...Object.fromEntries(planted),
      OPENAI_API_KEY: 'ours',
      OPENAI_BASE_URL: 'http://127.0.0.1:9',
      OPENAI_LOG: 'debug',
      OPENAI_CUSTOM_HEADERS: 'not a header: planted\nX-Planted: planted',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tell)}`,
    },
  });
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'ok\n', stderr: '' });
  const [seen] = server.requests;
  expect(seen?.problem).toBeUndefined();
  const { host, connection, 'content-length': length, ...headers } = seen?.headers ?? {};
  expect(headers).toEqual({
    accept: 'text/event-stream',
    authorization: 'Bearer ours',
    'content-type': 'application/json',
    'user-agent': 'tilldone',
  });
});

it('the parameters of the tools, worked out by the build, are those of the sources', async () => {
  await run(['-p', 'hi', '--model', 'm', '--base-url', `${server.url}/v1`], { env: { OPENAI_API_KEY: 'ours' } });
  const body = server.requests[0]?.body as { tools: { function: { name: string; parameters: unknown } }[] } | undefined; // what the adapter sends
  const parameters = (body?.tools ?? []).map((tool) => [tool.function.name, tool.function.parameters]);
  expect(Object.fromEntries(parameters)).toMatchObject({ shell: { properties: { command: { type: 'string' } } } });
  for (const [name, built] of parameters) expect([name, built]).toEqual([name, tools.find((tool) => tool.name === name)?.parameters]);
});
