import { formatBytes, headOf } from '../lib/text.ts';
import { messageOf } from '../types/errors.ts';
import { failure, success, type ToolContext, type ToolOutcome } from './tool.ts';
import { judgeHost, sendRequest, systemNetwork, type WebNetwork } from './web-connection.ts';
import { maxBodyBytes, pageToText, readBody } from './web-page.ts';
import { hostOf, parseWebUrl } from './web-url.ts';

/** Redirects that are followed, time for all of it in ms, and characters of a page that are shown. */
export const webLimits = { redirects: 5, timeoutMs: 30_000, chars: 60_000 };

async function fetchPage(start: URL, network: WebNetwork, signal: AbortSignal): Promise<ToolOutcome> {
  let url = start;
  for (let redirects = 0; redirects <= webLimits.redirects; redirects += 1) {
    const judged = await judgeHost(url, network);
    if ('error' in judged) return failure(judged.error);
    signal.throwIfAborted();
    const response = await sendRequest(url, judged.address, { network, signal });
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status >= 300 && status < 400 && location !== undefined) {
      response.destroy();
      if (!URL.canParse(location, url)) return failure(`${url.href} redirects to '${location}', which is no URL`);
      const next = parseWebUrl(new URL(location, url).href);
      if ('error' in next) return failure(`${url.href} redirects to ${location}: ${next.error}`);
      // the user allowed one host
      if (hostOf(next) !== hostOf(url))
        return success(`${url.href} redirects to another host: ${next.href}\nCall web_fetch with that URL if it is wanted`);
      url = next;
      continue;
    }
    const contentType = response.headers['content-type'] ?? '';
    const { bytes, cut } = await readBody(response);
    const text = pageToText(bytes, { contentType, url: url.href, maxChars: webLimits.chars });
    const lines = [`${url.href}: status ${status}, ${contentType === '' ? 'no content type' : contentType}, ${formatBytes(bytes.length)}`];
    if (text === undefined) lines.push('(no text; the content is not shown)');
    else {
      lines.push(headOf(text, webLimits.chars));
      if (text.length > webLimits.chars) lines.push(`(cut after ${webLimits.chars} characters)`);
    }
    if (cut) lines.push(`(the page is larger than ${formatBytes(maxBodyBytes)}; the rest was not read)`);
    return status >= 400 ? failure(lines.join('\n')) : success(lines.join('\n'));
  }
  return failure(`${start.href} redirects more than ${webLimits.redirects} times`);
}

/** Fetches a page and what it redirects to, within the limits. Never rejects. */
export async function fetchInTime(
  url: URL,
  { network = systemNetwork, context, signal }: { network: WebNetwork | undefined; context: ToolContext; signal: AbortSignal },
): Promise<ToolOutcome> {
  if (signal.aborted) return failure('Cancelled');
  const over = new AbortController();
  const late = new AbortController();
  void context.clock.sleep(webLimits.timeoutMs, over.signal).then(() => late.abort());
  try {
    const either = AbortSignal.any([signal, late.signal]);
    // a name lookup cannot be cancelled: it is left to itself
    const aborted = new Promise<never>((_resolve, reject) => {
      either.addEventListener('abort', () => reject(either.reason), { once: true });
    });
    return await Promise.race([fetchPage(url, network, either), aborted]);
  } catch (error) {
    if (signal.aborted) return failure('Cancelled');
    if (late.signal.aborted) return failure(`${url.href} did not answer within ${webLimits.timeoutMs / 1000} s`);
    return failure(`${url.href} could not be fetched: ${messageOf(error)}`);
  } finally {
    over.abort();
  }
}
