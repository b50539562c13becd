import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { checkGeminiRequest, type IssuedSignatures } from './strict-server-gemini.ts';
import { checkOpenAiRequest, type TemplateOptions } from './strict-server-openai.ts';

/** What happens at byte `at` of the body. cut: a proper end. drop: the socket closes. reset: RST. stall: silence. garble: one wrong byte. */
export type Fault = { readonly kind: 'cut' | 'drop' | 'reset' | 'stall' | 'garble'; readonly at: number };

export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole body, or pieces that are written one by one. */
  readonly body: string | Buffer | readonly string[];
  readonly fault?: Fault;
  /** Silence before the head of the response. */
  readonly silent?: boolean;
  /** The socket stays open after the last byte. */
  readonly hang?: boolean;
  /** Answered even when the request is not valid. */
  readonly unchecked?: boolean;
};

export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawBody: string;
  readonly body: unknown;
  /** Why it was refused. */
  readonly problem: string | undefined;
};

export type StrictServer = {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Replies in order; the last one is for every further request. */
  reply(...replies: readonly Reply[]): void;
  replyWith(answer: (request: SeenRequest, index: number) => Reply): void;
  /** Requests whose response is not finished. */
  open(): number;
  close(): Promise<void>;
};

export type StrictOptions = TemplateOptions & {
  readonly key?: string;
  readonly issued?: IssuedSignatures;
};

const eventStream = { 'content-type': 'text/event-stream' };

/** Chunks as server-sent events, `[DONE]` at the end unless told otherwise. */
export function sse(chunks: readonly unknown[], options: { readonly done?: boolean } = {}): string {
  const events = chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('');
  return options.done === false ? events : `${events}data: [DONE]\n\n`;
}

/** A server on the loopback that speaks both dialects and refuses every request that the real endpoints would refuse. */
export async function startStrictServer(options: StrictOptions = {}): Promise<StrictServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let answer: (request: SeenRequest, index: number) => Reply = () => ({ status: 500, body: 'no reply was set' });
  let open = 0;

  const server = createServer((incoming, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const rawBody = Buffer.concat(parts).toString();
      const seen = inspect(incoming, rawBody, options);
      requests.push(seen);
      const reply = answer(seen, requests.length - 1);
      if (seen.problem !== undefined && reply.unchecked !== true) refuse(response, seen.problem);
      else void send(response, reply);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens on a port has one

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    reply(...replies) {
      let next = 0;
      answer = () => {
        const reply = replies[Math.min(next, replies.length - 1)] ?? { status: 500, body: 'no reply was set' };
        next += 1;
        return reply;
      };
    },
    replyWith(given) {
      answer = given;
    },
    open: () => open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function inspect(incoming: IncomingMessage, rawBody: string, options: StrictOptions): SeenRequest {
  const { method = '', url: path = '', headers } = incoming;
  let body: unknown;
  let problem: string | undefined;
  if (method === 'POST') {
    try {
      body = JSON.parse(rawBody);
      if (path.endsWith('/chat/completions')) problem = checkOpenAiRequest(body, options);
      else if (/\/v1beta\/models\/[\w.-]+:streamGenerateContent\?alt=sse$/u.test(path)) problem = checkGeminiRequest(body, options.issued);
      else problem = `no such path: ${path}`;
    } catch (thrown) {
      problem = `the body is not JSON: ${String(thrown)}`;
    }
    if (!/^application\/json/u.test(headers['content-type'] ?? '')) problem ??= 'content-type must be application/json';
  }
  const key = headers['x-goog-api-key'] ?? headers.authorization?.replace(/^Bearer /u, '');
  if (options.key !== undefined && key !== options.key) problem ??= 'wrong key';
  return { method, path, headers, rawBody, body, problem };
}

function refuse(response: ServerResponse, problem: string): void {
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message: problem, type: 'invalid_request_error', code: null } }));
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.silent === true) return;
  const { fault } = reply;
  response.on('error', () => undefined);
  response.writeHead(reply.status ?? 200, { ...(reply.status === undefined ? eventStream : {}), ...reply.headers });
  response.flushHeaders();
  const pieces = Array.isArray(reply.body) ? reply.body.map((piece) => Buffer.from(piece)) : [Buffer.from(reply.body as string | Buffer)]; // no array here
  const whole = fault === undefined ? undefined : Buffer.concat(pieces);
  if (fault !== undefined && whole !== undefined) {
    if (fault.kind === 'garble') {
      const garbled = Buffer.from(whole);
      garbled.writeUInt8((garbled[fault.at] ?? 0) ^ 0x55, Math.min(fault.at, garbled.length - 1));
      response.end(garbled);
      return;
    }
    const sent = whole.subarray(0, fault.at);
    if (sent.length > 0) await new Promise<void>((resolve) => response.write(sent, () => resolve()));
    if (fault.kind === 'cut') response.end();
    else if (fault.kind === 'drop') response.socket?.destroy();
    else if (fault.kind === 'reset') response.socket?.resetAndDestroy();
    return;
  }
  for (const piece of pieces) {
    if (response.destroyed) return;
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
  }
  if (reply.hang !== true) response.end();
}
