import { type ErrorInfo, type ErrorKind, messageOf } from '../types/errors.ts';
import type { GeminiConfig, OpenAiConfig } from './config.ts';
import { type HeaderSource, readRetryAfter } from './retry-after.ts';
import { scrub } from './scrub.ts';
import { readServerText } from './server-text.ts';
import type { WaitPhase } from './watchdog.ts';
import type { WireFailure } from './wire-stream.ts';
import { asRecord, countAt, idAt, parseJson, textAt, type WireRecord } from './wire-values.ts';

/** An answer that is no stream: a status that is not 2xx, or an error where a stream should be. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly status: number;
  readonly body: string;
  readonly headers: HeaderSource | undefined;
  constructor(status: number, body: string, headers: HeaderSource | undefined) {
    super(`HTTP ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

type Config = OpenAiConfig | GeminiConfig;

/** Puts what went wrong into an ErrorInfo: kind, whether it may be tried again, and a sentence that names the setting to change, never a key. */
export function explainFailure(failure: WireFailure, config: Config, nowMs: number): ErrorInfo {
  const info = explain(failure, config, nowMs);
  return { ...info, message: scrub(info.message, secretsOf(config)) };
}

/** Everything in a configuration that must not be shown. */
export function secretsOf(config: Config): readonly string[] {
  const proxies = [config.proxy?.httpProxy, config.proxy?.httpsProxy].flatMap((proxy) =>
    proxy !== undefined && URL.canParse(proxy) ? [decodeURIComponent(new URL(proxy).password)] : [],
  );
  const headers = Object.entries(config.headers).flatMap(([name, value]) => {
    if (!/auth|key|token|secret|cookie/iu.test(name)) return [];
    const bare = value.replace(/^\w+\s+/u, '');
    const pair = /^Basic\s/iu.test(value) ? Buffer.from(bare, 'base64').toString() : '';
    return [value, bare, pair, pair.slice(pair.indexOf(':') + 1)];
  });
  const query = [...new URL(config.baseUrl).searchParams.values()];
  return [config.apiKey ?? '', ...headers, ...query, ...proxies].filter((secret) => secret !== '');
}

function explain(failure: WireFailure, config: Config, nowMs: number): ErrorInfo {
  const host = new URL(config.baseUrl).host;
  switch (failure.kind) {
    case 'truncated':
      return { kind: 'network', message: `The connection to ${host} closed before the answer was complete.`, retryable: true };
    case 'timeout':
      return { kind: 'timeout', message: timeoutSentence(failure.phase, failure.limitMs, host), retryable: true };
    case 'in-stream':
      return explainError(
        { status: undefined, error: failure.error, text: readServerText(JSON.stringify({ error: failure.error })) },
        config,
        nowMs,
      );
    case 'thrown':
      return explainThrown(failure.thrown, config, nowMs);
  }
}

function timeoutSentence(phase: WaitPhase, limitMs: number, host: string): string {
  const seconds = Math.round(limitMs / 1000);
  if (phase === 'connect') return `No connection to ${host} within ${seconds} s. Check the network, the proxy, or --base-url.`;
  if (phase === 'first-byte')
    return `${host} sent nothing for ${seconds} s. A slow server may need a longer timeouts.firstByte in the profile.`;
  return `${host} went silent for ${seconds} s in the middle of an answer.`;
}

function explainThrown(thrown: unknown, config: Config, nowMs: number): ErrorInfo {
  for (const link of causesOf(thrown)) {
    if (link instanceof HttpFailure) {
      const body = asRecord(parseJson(link.body));
      const error = asRecord(body?.error) ?? body;
      const status = link.status >= 200 && link.status < 300 ? undefined : link.status;
      return explainError({ status, error, text: readServerText(link.body), headers: link.headers }, config, nowMs);
    }
    const record = asRecord(link);
    // How the SDK hands on an error that came inside the stream.
    const inStream = asRecord(record?.error) ?? (typeof record?.error === 'string' ? { message: record.error } : undefined);
    if (inStream !== undefined) return explain({ kind: 'in-stream', error: inStream }, config, nowMs);
    const code = textAt(record, 'code');
    if (code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_HTTP_TOKEN' || (link instanceof TypeError && badHeader.test(link.message))) {
      const where = config.keyName === undefined ? 'the headers of the profile' : `${config.keyName} and the headers of the profile`;
      return { kind: 'bad-request', message: `A header has a character that HTTP does not allow: check ${where}.`, retryable: false };
    }
    if (code !== undefined && /^(?:E[A-Z]|UND_|CERT_|DEPTH_|SELF_|UNABLE_|ERR_TLS|ERR_SSL|HPE_)/u.test(code))
      return explainNetwork(code, config);
  }
  const host = new URL(config.baseUrl).host;
  const text = [thrown, ...causesOf(thrown)].map(messageOf).join(' ');
  if (/bad port/iu.test(text))
    return { kind: 'bad-request', message: `Node's fetch does not allow the port of ${host}: change --base-url.`, retryable: false };
  if (/terminated|fetch failed|network|socket|closed|connection/iu.test(text)) {
    return { kind: 'network', message: `The connection to ${host} was lost.`, retryable: true };
  }
  return {
    kind: 'protocol',
    message: `${host} sent something that is no valid stream (${clip(messageOf(thrown), 200)}).`,
    retryable: true,
  };
}

/** How fetch and the SDK say that a header cannot be sent. Their sentences may hold the key. */
const badHeader = /invalid header (?:name|value)|valid HTTP token|ByteString/iu;

function causesOf(thrown: unknown): readonly unknown[] {
  const links: unknown[] = [];
  for (let link = thrown; typeof link === 'object' && link !== null && links.length < 6; link = asRecord(link)?.cause) links.push(link);
  return links;
}

function explainNetwork(code: string, config: Config): ErrorInfo {
  const host = new URL(config.baseUrl).host;
  const failure = (message: string, retryable: boolean): ErrorInfo => ({ kind: 'network', message: `${message} (${code}).`, retryable });
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return { ...failure(`No connection to ${host} in time`, true), kind: 'timeout' };
  if (code === 'ECONNREFUSED') return failure(`Nothing answers at ${host}: start the server, or change --base-url or --provider`, true);
  if (code === 'ENOTFOUND') return failure(`The host ${host} is not known: check --base-url and the network`, true);
  if (/CERT|SELF_|UNABLE_|TLS|SSL|DEPTH_/u.test(code)) {
    return failure(`The certificate of ${host} is not trusted: name its authority in NODE_EXTRA_CA_CERTS`, false);
  }
  return failure(`The connection to ${host} was lost`, true);
}

type ErrorAnswer = { status: number | undefined; error: WireRecord | undefined; text: string; headers?: HeaderSource | undefined };

function explainError({ status: given, error, text, headers }: ErrorAnswer, config: Config, nowMs: number): ErrorInfo {
  const host = new URL(config.baseUrl).host;
  const status = given ?? statusOfError(error);
  const code = `${idAt(error, 'code') ?? ''} ${textAt(error, 'type') ?? ''} ${textAt(error, 'status') ?? ''}`.toLowerCase();
  const retryAfterMs = readRetryAfter({ headers, error, text, nowMs });
  const said = text === '' ? '' : `: ${clip(text, 300)}`;
  const info = (kind: ErrorKind, advice: string, retryable: boolean): ErrorInfo => ({
    kind,
    message: `${host} answered ${given === undefined ? 'with an error' : `HTTP ${given}`}${said.replace(/[.\s]+$/u, '')}.${advice === '' ? '' : ` ${advice}`}`,
    ...(status === undefined ? {} : { status }),
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
  const keyAdvice = config.keyName === undefined ? 'Set a key with keyEnv in a profile.' : `Check the key in ${config.keyName}.`;
  if (
    status === 401 ||
    (status === 403 && !/not found|model/iu.test(text)) ||
    /api key not valid|invalid api key|incorrect api key|api_key_invalid/iu.test(text)
  ) {
    return info('auth', keyAdvice, false);
  }
  if (status === 403) return info('auth', `The key may not use '${config.model}': change --model, or ${keyAdvice.toLowerCase()}`, false);
  if (status === 402 || code.includes('insufficient_quota'))
    return info('rate-limit', 'The account has no credit left: check its billing, or change --provider.', false);
  if (status === 429) return info('rate-limit', '', true);
  if (isContextLength(code, text)) return info('context-length', '', false);
  if (
    status === 404 ||
    code.includes('model_not_found') ||
    /model\b.{0,80}\b(?:not found|does not exist|is not available|not supported)/iu.test(text)
  ) {
    return info('not-found', `Check --model (now '${config.model}') and --base-url (now ${config.baseUrl.split('?')[0]}).`, false);
  }
  if (status !== undefined && status >= 300 && status < 400) return info('not-found', 'The address has moved: change --base-url.', false);
  if (status === undefined || status === 408 || status === 409 || status === 425 || (status >= 500 && status !== 501))
    return info('server', '', true);
  return info('bad-request', 'If the endpoint has a dialect of its own, see the compat switches of a profile.', false);
}

/** Errors inside a stream carry no status; their code, type or Google status says the same. */
function statusOfError(error: WireRecord | undefined): number | undefined {
  const number = Number(idAt(error, 'code') ?? countAt(error, 'status') ?? Number.NaN);
  if (Number.isInteger(number) && number >= 400 && number < 600) return number;
  const words = `${textAt(error, 'code') ?? ''} ${textAt(error, 'type') ?? ''} ${textAt(error, 'status') ?? ''}`.toLowerCase();
  const table: readonly (readonly [RegExp, number])[] = [
    [/insufficient_quota/u, 429],
    [/rate_limit|resource_exhausted|too_many/u, 429],
    [/overloaded/u, 529],
    [/authentication|invalid_api_key|unauthenticated|unauthorized/u, 401],
    [/permission/u, 403],
    [/not_found/u, 404],
    [/context_length|invalid_request|invalid_argument|failed_precondition/u, 400],
    [/server_error|internal|unavailable|deadline/u, 500],
  ];
  return table.find(([pattern]) => pattern.test(words))?.[1];
}

const contextPatterns: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size|context_window_exceeded/iu,
  /maximum (?:context|model|prompt|input) length/iu,
  /max(?:imum)?[_ ]model[_ ]len/iu,
  /prompt (?:is )?too long|input (?:is )?too long/iu,
  /input token count.{0,40}exceeds/iu,
  /exceeds? (?:the )?(?:available |model'?s? |maximum )?context (?:size|length|window)/iu,
  /context (?:length|size|window) of (?:only )?\d+.{0,40}not enough/iu,
  /context (?:the )?(?:overflow|window (?:is )?(?:full|exceeded))/iu,
  /too large for (?:this )?model with \d+ maximum context/iu,
  /reduce the length of the (?:messages|prompt|input)/iu,
  /(?:inputs?|prompt)\W{0,3} tokens? ?\+ ?\W?max_(?:new_)?tokens\W{0,3} must be/iu,
  /(?:token limit|too many (?:input )?tokens|maximum (?:number of )?(?:input )?tokens)/iu,
  /longer than the (?:model'?s )?context/iu,
];

function isContextLength(code: string, text: string): boolean {
  return contextPatterns.some((pattern) => pattern.test(code) || pattern.test(text));
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
