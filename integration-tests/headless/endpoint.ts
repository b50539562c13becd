import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A loopback endpoint that answers every request with one status and body, or never. */
export async function startEndpoint(status: number, body: unknown): Promise<{ readonly args: readonly string[]; close(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server
  return {
    args: ['--base-url', `http://127.0.0.1:${port}/v1`, '--model', 'machine', '--yolo'],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
