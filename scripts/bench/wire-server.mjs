// The endpoint of the wire benchmark, in a process of its own, so that its work is not counted. GET /times gives what it measured.
import { createServer } from 'node:http';

const burst = 20_000;
const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const end = (reason) => `${chunk({}, reason)}data: [DONE]\n\n`;
const word = chunk({ content: 'word ' });
/** Ms between the end of an answer and the arrival of the next request. */
let gaps = [];
let answeredMs;

const server = createServer(async (incoming, response) => {
  const arrivedMs = performance.now();
  const parts = [];
  for await (const part of incoming) parts.push(part);
  if (incoming.method === 'GET') {
    response.end(JSON.stringify(gaps));
    gaps = [];
    answeredMs = undefined;
    return;
  }
  const body = Buffer.concat(parts).toString();
  const done = () => {
    answeredMs = performance.now();
  };
  if (answeredMs !== undefined) gaps.push(arrivedMs - answeredMs);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (body.includes('"burst"')) {
    for (let sent = 0; sent < burst; sent += 20) {
      if (!response.write(word.repeat(20))) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end(end('stop'));
  } else if (body.includes('"turns"')) {
    const turn = JSON.parse(body).messages.filter((message) => message.role === 'tool').length;
    const call = {
      index: 0,
      id: `c${turn}`,
      type: 'function',
      function: { name: 'read_file', arguments: JSON.stringify({ path: `f${turn}.txt` }) },
    };
    response.end(turn < 50 ? chunk({ tool_calls: [call] }) + end('tool_calls') : word + end('stop'), done);
  } else response.end(word + end('stop'), done);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
