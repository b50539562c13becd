import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from './helpers/run.ts';

let url = '';
const seenKeys: (string | undefined)[] = [];
const server = createServer((incoming, response) => {
  seenKeys.push(incoming.headers.authorization);
  if (incoming.headers.authorization === 'Bearer sk-planted-wrong-456') {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'Incorrect API key provided: sk-planted-wrong-456' } }));
    return;
  }
  if (incoming.url?.endsWith('/models')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'machine', object: 'model' }] }));
    return;
  }
  const choice = (delta: unknown, finish: string | null) =>
    `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', created: 0, model: 'machine', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'echo', arguments: '{"word":"ready"}' } };
  incoming.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${choice({ role: 'assistant', tool_calls: [call] }, null)}${choice({}, 'tool_calls')}data: [DONE]\n\n`);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server
  url = `http://127.0.0.1:${port}/v1`;
});
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

it('finds a working endpoint, says what set what, and keeps the key to itself', async () => {
  const { code, stdout, stderr } = await run(['doctor', '--provider', 'openai', '-m', 'machine'], {
    env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-planted-secret-123' },
  });
  expect(stdout).toContain('provider         openai (set by --provider)');
  expect(stdout).toContain('model            machine (set by --model)');
  expect(stdout).toContain(`address          ${url} (set by OPENAI_BASE_URL)`);
  expect(stdout).toContain('key              present, from OPENAI_API_KEY');
  expect(stdout).toContain('✓ model listed     yes, one of 1');
  expect(stdout).toContain('✓ tool call        the endpoint answers, and the model calls tools');
  expect(stdout).toContain('Ready.');
  expect(stdout + stderr).not.toContain('planted-secret');
  expect(seenKeys).toContain('Bearer sk-planted-secret-123');
  expect(code).toBe(0);
});

it('names a refused key without showing it', async () => {
  const { code, stdout } = await run(['doctor', '--base-url', url, '-m', 'machine'], { env: { OPENAI_API_KEY: 'sk-planted-wrong-456' } });
  expect(stdout).toContain('provider         custom (chosen because an address is given)');
  expect(stdout).toMatch(/✗ tool call .*OPENAI_API_KEY/u);
  expect(stdout).not.toContain('planted-wrong');
  expect(code).toBe(1);
});

it('says when nobody answers', async () => {
  const { code, stdout } = await run(['doctor', '--base-url', 'http://127.0.0.1:9/v1', '-m', 'machine'], { timeoutMs: 55_000 });
  expect(stdout).toMatch(/✗ tool call/u);
  expect(code).toBe(1);
});
