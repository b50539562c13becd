import type { ProxyConfig } from './config.ts';

let applied = '';

/**
 * Sends the requests of this process through the proxies that the environment names, NO_PROXY honoured. Without a proxy nothing is loaded.
 * It is Node's own fetch that is told, so that both SDKs obey.
 */
export async function applyProxy(proxy: ProxyConfig | undefined): Promise<void> {
  const wanted = proxy === undefined ? '' : JSON.stringify(proxy);
  if (wanted === applied) return;
  const { Agent, EnvHttpProxyAgent, setGlobalDispatcher } = await import('undici');
  const { httpProxy, httpsProxy, noProxy } = proxy ?? {};
  // Empty texts keep undici from looking into the environment itself.
  const proxied = { httpProxy: httpProxy ?? '', httpsProxy: httpsProxy ?? httpProxy ?? '', noProxy: noProxy ?? '' };
  setGlobalDispatcher(proxy === undefined ? new Agent() : new EnvHttpProxyAgent(proxied));
  applied = wanted;
}
