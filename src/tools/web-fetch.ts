import * as z from 'zod';
import { defineTool, failure, type Tool } from './tool.ts';
import type { WebNetwork } from './web-connection.ts';
import { hostOf, parseWebUrl } from './web-url.ts';

/** The tool, on a network, the system's own unless given; each connection goes to an address that was judged, and only to that. */
export function createWebFetch(network?: WebNetwork): Tool {
  return defineTool({
    name: 'web_fetch',
    kind: 'read',
    description: 'Fetch a public web page as Markdown.',
    schema: () => z.object({ url: z.string() }),
    async prepare({ url: text }, context) {
      const url = parseWebUrl(text);
      if ('error' in url) return failure(url.error);
      return {
        effects: [{ kind: 'host', url: url.href, host: hostOf(url) }],
        async run(signal) {
          // what reads a page is loaded by the first that is fetched
          const { fetchInTime } = await import('./web-request.ts');
          return fetchInTime(url, { network, context, signal });
        },
      };
    },
  });
}
