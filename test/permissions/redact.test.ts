import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/permissions/redact.ts';

const secret = 'correct-horse/battery"staple';
const redact = createRedactor([secret, 'abc']);

describe('redaction', () => {
  it.each([
    ['a known secret', `key is ${secret}!`, 'key is [redacted]!'],
    ['percent-encoded', `?k=${encodeURIComponent(secret)}`, '?k=[redacted]'],
    ['in base64', Buffer.from(secret).toString('base64'), '[redacted]'],
    ['in JSON', JSON.stringify({ a: secret }), '{"a":"[redacted]"}'],
    ['an OpenAI key', 'sk-proj-abcdefghijklmnop1234', '[redacted]'],
    ['a GitHub token', `a ghp_${'a1'.repeat(18)} b`, 'a [redacted] b'],
    ['a fine-grained GitHub token', `github_pat_${'a1'.repeat(18)}`, '[redacted]'],
    ['a GitLab token', 'glpat-abcdefghij1234567890', '[redacted]'],
    ['an npm token', `npm_${'aB3'.repeat(12)}`, '[redacted]'],
    ['a Slack token', 'xoxb-123456789012-abcdef', '[redacted]'],
    ['a Google key', `AIza${'x'.repeat(35)}`, '[redacted]'],
    ['an AWS key id', 'AKIAIOSFODNN7EXAMPLE', '[redacted]'],
    ['a JWT', 'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4', '[redacted]'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nx', '[redacted]\nx'],
    ['a private key cut off', '-----BEGIN PRIVATE KEY-----\nMIIE', '[redacted]'],
    ['a password in an address', 'postgres://u:hunter2@db/x', 'postgres://[redacted]@db/x'],
    ['an assignment', 'export DB_PASSWORD=hunter2hunter2', 'export DB_PASSWORD=[redacted]'],
    ['a quoted field', '"client_secret": "hunter2hunter2"', '"client_secret": "[redacted]"'],
    ['a header', 'Authorization: Bearer abcdefghijkl', 'Authorization: Bearer [redacted]'],
    ['basic authentication', 'authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [redacted]'],
  ])('takes out %s', (_name, text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(redact(text))).toBe(redact(text));
  });

  it.each([
    'max_tokens: 4096 of total tokens',
    'const token = process.env.TOKEN',
    'password: string;',
    'abc',
    'https://a.b:8080/c@d',
    'git@github.com:a/b',
    'skills-and-tasks',
    'token: $TOKEN_HERE',
  ])('leaves %j', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each(['-----BEGIN PRIVATE KEY-----', 'a://', 'a://b:', 'token=', 'eyJ', 'sk-', 'Bearer ', 'authorization: ', 'x'])(
    'is linear in repeats of %j',
    (piece) => {
      const start = performance.now();
      redact(piece.repeat(30_000));
      expect(performance.now() - start).toBeLessThan(5000);
    },
  );
});
