import { subscribe } from 'node:diagnostics_channel';

export type TransportWatch = {
  /** The fault of the socket, which some libraries replace by one of their own without its code. */
  error(): unknown;
  stop(): void;
};
type Waiter = { readonly key: string; readonly onSent: () => void; request: unknown; error: unknown };
/** As undici documents the messages of its channels; every field is checked. */
type ChannelMessage = { readonly request?: { readonly origin?: unknown; readonly path?: unknown }; readonly error?: unknown };

const waiters: Waiter[] = [];
let subscribed = false;

/**
 * Tells when a request to `url` has its connection: Node's fetch says so only on its diagnostics channel, at the moment it sends the
 * headers. Of several requests to one address the oldest is told.
 */
export function watchTransport(url: string, onSent: () => void): TransportWatch {
  if (!subscribed) {
    subscribed = true;
    subscribe('undici:client:sendHeaders', (message) => {
      const waiter = waiterOf(message as ChannelMessage);
      if (waiter === undefined || waiter.request !== undefined) return;
      waiter.request = (message as ChannelMessage).request;
      waiter.onSent();
    });
    subscribe('undici:request:error', (message) => {
      const waiter = waiterOf(message as ChannelMessage);
      if (waiter !== undefined) waiter.error = (message as ChannelMessage).error;
    });
  }
  const { origin, pathname, search } = new URL(url);
  const waiter: Waiter = { key: `${origin}${pathname}${search}`, onSent, request: undefined, error: undefined };
  waiters.push(waiter);
  return {
    error: () => waiter.error,
    stop() {
      const at = waiters.indexOf(waiter);
      if (at !== -1) waiters.splice(at, 1);
    },
  };
}

function waiterOf({ request }: ChannelMessage): Waiter | undefined {
  const own = waiters.find((waiter) => waiter.request === request && request !== undefined);
  if (own !== undefined) return own;
  const key = `${String(request?.origin)}${String(request?.path)}`;
  return waiters.find((waiter) => waiter.key === key && waiter.request === undefined);
}
