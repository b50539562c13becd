import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { judgeAddress } from './web-address.ts';
import { hostOf } from './web-url.ts';

/** The network as a fetch uses it; tests pass their own and watch every connection. */
export type WebNetwork = {
  /** Every address of a name. May reject. */
  resolve(host: string): Promise<readonly string[]>;
  /** Opens a connection to exactly this address. */
  connect(target: { address: string; port: number }): Socket;
};

export const systemNetwork: WebNetwork = {
  resolve: async (host) => (await lookup(host, { all: true })).map((entry) => entry.address),
  connect: ({ address, port }) => connectTcp({ host: address, port }),
};

/** The address to connect to: looked up once, and refused when any address of the name is one that must not be reached. */
export async function judgeHost(url: URL, network: WebNetwork): Promise<{ readonly address: string } | { readonly error: string }> {
  const host = hostOf(url);
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await network.resolve(host) : [host];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { error: code === 'ENOTFOUND' ? `The host ${host} is not known` : `The host ${host} could not be looked up (${code ?? error})` };
  }
  for (const address of addresses) {
    const refusal = judgeAddress(address);
    if (refusal !== undefined) return { error: `${host} leads to ${address}, which is ${refusal}: only public addresses are fetched` };
  }
  const [address] = addresses;
  return address === undefined ? { error: `The host ${host} has no address` } : { address };
}

/** Sends one GET request over a connection to the judged address. Rejects when it fails or the signal aborts. */
export function sendRequest(url: URL, address: string, options: { network: WebNetwork; signal: AbortSignal }): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const host = hostOf(url);
  const createConnection = (): Socket => {
    const socket = options.network.connect({ address, port });
    // a certificate is checked against the name, and names of addresses are none (RFC 6066 3)
    return secure ? connectTls({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}), ALPNProtocols: ['http/1.1'] }) : socket;
  };
  return new Promise((resolve, reject) => {
    const send = secure ? httpsRequest : httpRequest;
    const request = send(url, {
      // no agent, not even `false`: with one, createConnection would be ignored and the name looked up again
      createConnection,
      defaultPort: secure ? 443 : 80,
      signal: options.signal,
      headers: {
        accept: 'text/html, text/markdown, text/plain, application/json;q=0.9, */*;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'tilldone',
      },
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.end();
  });
}
