import { describe, expect, it } from 'vitest';
import type { OpenAiConfig } from '../../src/providers/config.ts';
import { explainFailure, HttpFailure } from '../../src/providers/failure.ts';
import { resolveProvider } from '../../src/providers/presets.ts';
import { readServerText } from '../../src/providers/server-text.ts';
import type { WireFailure } from '../../src/providers/wire-stream.ts';

function openAiConfig(): OpenAiConfig {
  const resolved = resolveProvider({ provider: 'openai', model: 'gpt-x' }, { OPENAI_API_KEY: 'sk-test-0123456789abcdef' });
  if ('error' in resolved || resolved.kind !== 'openai') throw new Error('an openai preset gives an openai configuration');
  return resolved;
}
const config = openAiConfig();

const http = (status: number, body: unknown, headers: Record<string, string> = {}): WireFailure => ({
  kind: 'thrown',
  thrown: new Error('wrapped', {
    cause: new HttpFailure(status, typeof body === 'string' ? body : JSON.stringify(body), new Headers(headers)),
  }),
});
const network = (code: string): WireFailure => ({
  kind: 'thrown',
  thrown: new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) }),
});
const inStream = (error: Record<string, unknown>): WireFailure => ({ kind: 'in-stream', error });

describe('explainFailure', () => {
  it.each<[string, WireFailure, string, boolean, string]>([
    ['401', http(401, { error: { message: 'no' } }), 'auth', false, 'Check the key in OPENAI_API_KEY'],
    ['403', http(403, { error: { message: 'forbidden region' } }), 'auth', false, 'OPENAI_API_KEY'],
    ['403 about the model', http(403, { error: { message: 'project has no access to model gpt-x' } }), 'auth', false, '--model'],
    ['404', http(404, { error: { message: 'The model gpt-x does not exist' } }), 'not-found', false, "--model (now 'gpt-x')"],
    ['400 that means 404', http(400, { error: { message: 'x', code: 'model_not_found' } }), 'not-found', false, '--base-url'],
    ['402', http(402, { error: { message: 'Insufficient Balance' } }), 'rate-limit', false, 'billing'],
    ['429', http(429, { error: { message: 'slow down' } }), 'rate-limit', true, 'slow down'],
    ['429 without credit', http(429, { error: { message: 'quota', code: 'insufficient_quota' } }), 'rate-limit', false, 'billing'],
    ['400', http(400, { error: { message: 'bad field' } }), 'bad-request', false, 'compat switches'],
    ['422', http(422, { detail: [{ msg: 'field required' }] }), 'bad-request', false, 'field required'],
    ['307', http(307, ''), 'not-found', false, 'has moved'],
    ['408', http(408, 'timeout'), 'server', true, 'HTTP 408'],
    ['500', http(500, 'oops'), 'server', true, 'oops'],
    ['501', http(501, 'not here'), 'bad-request', false, 'not here'],
    ['529', http(529, { error: { message: 'Overloaded' } }), 'server', true, 'Overloaded'],
    ['no body', http(503, ''), 'server', true, 'answered HTTP 503.'],
    [
      '200 that is an error',
      http(200, { error: { message: 'model is loading' } }),
      'server',
      true,
      'answered with an error: model is loading',
    ],
    ['in-stream rate limit', inStream({ message: 'x', type: 'rate_limit_error' }), 'rate-limit', true, 'x'],
    ['in-stream overload', inStream({ message: 'x', type: 'overloaded_error' }), 'server', true, 'x'],
    ['in-stream status', inStream({ message: 'x', code: 401 }), 'auth', false, 'OPENAI_API_KEY'],
    ['in-stream Google status', inStream({ message: 'x', status: 'RESOURCE_EXHAUSTED' }), 'rate-limit', true, 'x'],
    [
      'in-stream context length',
      inStream({ message: 'maximum context length is 10', code: 'context_length_exceeded' }),
      'context-length',
      false,
      'maximum',
    ],
    ['in-stream, nothing known', inStream({ message: 'weird' }), 'server', true, 'weird'],
    ['refused', network('ECONNREFUSED'), 'network', true, 'start the server, or change --base-url'],
    ['unknown host', network('ENOTFOUND'), 'network', true, '--base-url'],
    ['certificate', network('SELF_SIGNED_CERT_IN_CHAIN'), 'network', false, 'NODE_EXTRA_CA_CERTS'],
    ['certificate, other code', network('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'network', false, 'NODE_EXTRA_CA_CERTS'],
    ['reset', network('ECONNRESET'), 'network', true, 'was lost'],
    ['closed socket', network('UND_ERR_SOCKET'), 'network', true, 'was lost'],
    ['connect timeout of Node', network('UND_ERR_CONNECT_TIMEOUT'), 'timeout', true, 'in time'],
    ['a bare TypeError', { kind: 'thrown', thrown: new TypeError('terminated') }, 'network', true, 'was lost'],
    [
      'a fault that only the socket knows',
      {
        kind: 'thrown',
        thrown: new Error('Error reading from the stream', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) }),
      },
      'network',
      true,
      'Nothing answers',
    ],
    [
      'a port that fetch refuses',
      { kind: 'thrown', thrown: new TypeError('fetch failed', { cause: new Error('bad port') }) },
      'bad-request',
      false,
      '--base-url',
    ],
    ['garbled JSON', { kind: 'thrown', thrown: new SyntaxError('malformed') }, 'protocol', true, 'no valid stream'],
    ['truncated', { kind: 'truncated' }, 'network', true, 'closed before the answer was complete'],
    ['connect timeout', { kind: 'timeout', phase: 'connect', limitMs: 15_000 }, 'timeout', true, 'within 15 s'],
    ['first-byte timeout', { kind: 'timeout', phase: 'first-byte', limitMs: 120_000 }, 'timeout', true, 'timeouts.firstByte'],
    ['idle timeout', { kind: 'timeout', phase: 'idle', limitMs: 120_000 }, 'timeout', true, 'in the middle'],
  ])('%s', (_, failure, kind, retryable, text) => {
    const info = explainFailure(failure, config, 0);
    expect(info).toMatchObject({ kind, retryable });
    expect(info.message).toContain(text);
    expect(info.message).toMatch(/^[^\n]{5,700}\.$/u);
  });

  it('carries the wait that was asked for', () => {
    expect(explainFailure(http(429, '', { 'retry-after': '7' }), config, 0).retryAfterMs).toBe(7000);
  });
});

describe('readServerText', () => {
  it.each([
    ['{"error":{"message":"a"}}', 'a'],
    ['{"error":"a"}', 'a'],
    ['{"message":"a"}', 'a'],
    ['{"detail":"a"}', 'a'],
    ['{"detail":[{"msg":"a"},{"msg":"b"}]}', 'a; b'],
    ['[{"error":{"message":"a"}}]', 'a'],
    ['{"error":{"message":"a","metadata":{"raw":"{\\"error\\":{\\"message\\":\\"b\\"}}"}}}', 'a (b)'],
    ['<html><title> 502\nBad </title></html>', '502 Bad'],
    ['<html><style>x{}</style><p>no</p> <b>title</b></html>', 'no title'],
    ['plain\n text', 'plain text'],
    ['', ''],
  ])('%s', (body, text) => expect(readServerText(body)).toBe(text));
});
