#!/usr/bin/env node
// Records one real response as a fixture for test/fixtures/wire, without keys or account names.
//
//   node scripts/record-fixture.js --target https://api.openai.com/v1 --out test/fixtures/wire/openai/name.json --quirk "what is special"
//
// It listens on a port of 127.0.0.1, passes the first streaming request on to the target, and writes what came back. Point the program at it:
//   tilldone --provider openai --base-url http://127.0.0.1:PORT/v1 -p "read a.txt"
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';

const { values } = parseArgs({
  options: { target: { type: 'string' }, out: { type: 'string' }, quirk: { type: 'string' }, port: { type: 'string', default: '0' } },
});
if (values.target === undefined || values.out === undefined) {
  process.stderr.write('Usage: record-fixture --target URL --out FILE [--quirk TEXT] [--port N]\n');
  process.exit(2);
}
const target = values.target.replace(/\/+$/u, '');
const out = values.out;
const { scrub } = await tsImport('../src/providers/scrub.ts', import.meta.url);
const { createOpenAiAssembler } = await tsImport('../src/providers/openai-assemble.ts', import.meta.url);
const { createGeminiAssembler } = await tsImport('../src/providers/gemini-assemble.ts', import.meta.url);

/** Headers that carry keys or belong to one connection only. */
const perConnection = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding']);
/** Fields that name the account or the moment, and say nothing about the dialect. */
const replaced = { id: 'recorded', created: 0, system_fingerprint: 'recorded', responseId: 'recorded', createTime: 'recorded' };

const server = createServer(async (incoming, response) => {
  const parts = [];
  for await (const part of incoming) parts.push(part);
  const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !perConnection.has(name)));
  const secrets = Object.entries(headers).flatMap(([name, value]) =>
    /auth|key|token|cookie|organization|project/iu.test(name) ? [String(value).replace(/^\w+\s+/u, '')] : [],
  );
  const body = Buffer.concat(parts);
  // The base URL of a caller ends with the same version as the target, which stands there already.
  const path = (incoming.url ?? '/').replace(/^\/v1(?=\/)/u, target.endsWith('/v1') ? '' : '/v1');
  const answer = await fetch(`${target}${path}`, { method: incoming.method, headers, ...(body.length === 0 ? {} : { body }) });
  const copied = ['content-type', 'retry-after'].flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name)]] : []));
  response.writeHead(answer.status, Object.fromEntries(copied));
  let raw = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    response.write(chunk);
    raw += decoder.decode(chunk, { stream: true });
  }
  response.end();
  if (incoming.method !== 'POST') return;
  writeFileSync(
    out,
    toFixture({
      raw: scrub(raw, secrets),
      status: answer.status,
      headers: Object.fromEntries(copied),
      gemini: /:streamGenerateContent/u.test(path),
    }),
  );
  process.stdout.write(`Wrote ${out}. Read it before you commit it.\n`);
  server.close();
  server.closeAllConnections();
});

function toFixture({ raw, status, headers, gemini }) {
  const quirk = values.quirk ?? 'recorded';
  if (status !== 200) return `${JSON.stringify({ quirk, status, headers, raw, events: [] }, null, 2)}\n`;
  const data = raw.split(/\r?\n/u).flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []));
  const done = data.includes('[DONE]');
  const chunks = data.filter((text) => text !== '[DONE]').map((text) => neutral(JSON.parse(text)));
  const one = (items) => items.map((item) => `    ${JSON.stringify(item)}`).join(',\n');
  const ending = gemini || done ? '' : '  "done": false,\n';
  return `{\n  "quirk": ${JSON.stringify(quirk)},\n${ending}  "chunks": [\n${one(chunks)}\n  ],\n  "events": [\n${one(replay(chunks, { gemini, done }))}\n  ]\n}\n`;
}

function neutral(chunk) {
  const known = Object.entries(replaced).filter(([key]) => key in chunk);
  return { ...chunk, ...Object.fromEntries(known) };
}

/** What our own adapter makes of it today: to be read and judged, then it is what the test expects. */
function replay(chunks, { gemini, done }) {
  let ids = 0;
  const newId = () => `tilldone-id-${String(++ids).padStart(4, '0')}`;
  const assembler = gemini
    ? createGeminiAssembler({ usedIds: new Set(), newId })
    : createOpenAiAssembler({ compat: {}, toolNames: new Set(), usedIds: new Set(), newId });
  const events = chunks.flatMap((chunk) => [...assembler.push(chunk)]);
  return [...events, ...(assembler.end(done) ?? [])];
}

server.listen(Number(values.port), '127.0.0.1', () => {
  process.stdout.write(`Recording from ${target}: send one request to http://127.0.0.1:${server.address().port}\n`);
});
