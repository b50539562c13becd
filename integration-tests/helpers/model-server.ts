import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the machine says to one request. `text` may be a list of deltas, or deltas that the test sends when it wants. */
export type Answer = {
  readonly text?: string | readonly string[] | AsyncIterable<string>;
  readonly calls?: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
};

export type WireMessage = {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
};
export type SeenRequest = { readonly messages: readonly WireMessage[]; readonly body: string };

/** An OpenAI-compatible endpoint on the loopback address whose model is a function of the number of the request and of what was sent. */
export type ModelServer = {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Arguments that point the command at this server, with a mode that asks nothing. */
  readonly args: readonly string[];
  close(): Promise<void>;
};

export async function startModelServer(machine: (index: number, request: SeenRequest) => Answer): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const body = await bodyOf(incoming);
    const parsed = JSON.parse(body) as { messages: readonly WireMessage[] }; // our own client sends it
    const request: SeenRequest = { messages: parsed.messages, body };
    const index = requests.push(request) - 1;
    const answer = machine(index, request);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta: unknown, finish: string | null = null): void => {
      const chunk = {
        id: `r${index}`,
        object: 'chat.completion.chunk',
        created: 0,
        model: 'machine',
        choices: [{ index: 0, delta, finish_reason: finish }],
      };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    send({ role: 'assistant', content: '' });
    for await (const text of typeof answer.text === 'string' ? [answer.text] : (answer.text ?? [])) {
      if (response.destroyed) break;
      send({ content: text });
    }
    const calls = answer.calls ?? [];
    for (const [at, call] of calls.entries()) {
      send({
        tool_calls: [
          {
            index: at,
            id: `call_${index}_${at}`,
            type: 'function',
            function: { name: call.name, arguments: JSON.stringify(call.arguments) },
          },
        ],
      });
    }
    send({}, calls.length > 0 ? 'tool_calls' : 'stop');
    response.write(
      `data: ${JSON.stringify({ id: `r${index}`, object: 'chat.completion.chunk', created: 0, model: 'machine', choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } })}\n\n`,
    );
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server
  const url = `http://127.0.0.1:${port}/v1`;
  return {
    url,
    requests,
    args: ['--base-url', url, '--model', 'machine', '--yolo'],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

type Item = { readonly content: string; readonly status: 'pending' | 'in_progress' | 'completed' };

/** A `todo_write` of items 1 to `total`, the first `done` of them completed, and perhaps the next one in progress. */
export function listCall(total: number, done: number, inProgress = false): { name: string; arguments: Record<string, unknown> } {
  const todos: Item[] = Array.from({ length: total }, (_, index) => ({
    content: `write file ${index + 1}`,
    status: index < done ? 'completed' : inProgress && index === done ? 'in_progress' : 'pending',
  }));
  return { name: 'todo_write', arguments: { todos } };
}

/** The call that does item `number`: it writes a file of that number. */
export function workCall(number: number): { name: string; arguments: Record<string, unknown> } {
  return { name: 'write_file', arguments: { path: `file-${number}.txt`, content: `${number}\n` } };
}
