import * as z from 'zod';

/** How an endpoint differs from the one whose dialect it speaks. Presets set them, a profile overrides each. */
const makeCompatSchema = () =>
  z.strictObject({
    /** Join neighbouring messages of one role: strict chat templates refuse them. */
    joinSameRole: z.boolean().optional(),
    /** Role of the system prompt, which is always the first message and the only one of its kind. */
    systemRole: z.enum(['system', 'developer', 'user']).optional(),
    /** Put a short assistant message between tool results and a user message, in the request only. */
    bridgeToolsToUser: z.boolean().optional(),
    /** Read `<tool_call>{…}</tool_call>` in the text as a call. */
    textToolCalls: z.boolean().optional(),
    /** Field of a delta that carries thoughts; both common names are read when absent. */
    reasoningField: z.string().min(1).optional(),
    /** Send the thoughts of a message with calls back in this field. */
    returnReasoning: z.string().min(1).optional(),
    maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
    /** False: `stream_options` is not sent, and usage is what the server sends by itself. */
    streamOptions: z.boolean().optional(),
    /** False: asks for one call at a time. */
    parallelCalls: z.boolean().optional(),
    /** Ids of calls that another provider made are shortened to nine letters and digits. */
    shortCallIds: z.boolean().optional(),
  });
export type Compat = Readonly<z.infer<ReturnType<typeof makeCompatSchema>>>;

/** Dollars for a million tokens. */
const makePriceSchema = () =>
  z.strictObject({
    input: z.number().nonnegative(),
    output: z.number().nonnegative(),
    cached: z.number().nonnegative().optional(),
  });
export type Price = Readonly<z.infer<ReturnType<typeof makePriceSchema>>>;

/** Seconds of silence after which a request is given up; defaults 15, 120, 120. */
const makeTimeoutsSchema = () =>
  z.strictObject({
    connect: z.number().positive().optional(),
    firstByte: z.number().positive().optional(),
    idle: z.number().positive().optional(),
  });

/** `profiles.<name>` of the user's settings, as far as it is about the provider; other keys are settings and are left to `config`. */
const makeProfileSchema = () =>
  z.object({
    provider: z.string().min(1).optional(),
    model: z.string().min(1).optional(),
    baseUrl: z.url().optional(),
    /** Name of the environment variable, or of the stored key, that holds the key. */
    keyEnv: z.string().min(1).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    extraBody: z.record(z.string(), z.unknown()).optional(),
    compat: makeCompatSchema().optional(),
    contextWindow: z.number().int().positive().optional(),
    price: makePriceSchema().optional(),
    timeouts: makeTimeoutsSchema().optional(),
  });
export type ProviderProfile = Readonly<z.infer<ReturnType<typeof makeProfileSchema>>>;

/** Reads a profile; the schema is built only where there is one. */
export function readProfile(raw: unknown): ProviderProfile | { readonly error: string } {
  if (raw === undefined || raw === null) return {};
  const parsed = makeProfileSchema().safeParse(raw);
  return parsed.success ? parsed.data : { error: z.prettifyError(parsed.error) };
}

/** What the proxy variables of the environment say. */
export type ProxyConfig = { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };

type Endpoint = {
  /** Preset name, or `custom`; it is the provider of every message part that comes from here. */
  readonly id: string;
  readonly model: string;
  readonly offline: false;
  /** Without the path of the call, without a closing slash, and without credentials. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Where the key comes from, or should come from: the setting that an error names. */
  readonly keyName: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly extraBody: Readonly<Record<string, unknown>>;
  readonly contextWindow: number | undefined;
  readonly price: Price | undefined;
  readonly proxy: ProxyConfig | undefined;
  readonly timeoutsMs: { readonly connect: number; readonly firstByte: number; readonly idle: number };
};
export type OpenAiConfig = Endpoint & { readonly kind: 'openai'; readonly compat: Compat };
export type GeminiConfig = Endpoint & { readonly kind: 'gemini' };

/** Which provider to open, complete: nothing is read from the environment after this. */
export type ProviderConfig =
  | { readonly kind: 'builtin'; readonly id: 'builtin'; readonly model: string; readonly offline: true }
  /** `script` is JSON text, see `parseScript`. */
  | { readonly kind: 'scripted'; readonly id: string; readonly model: string; readonly offline: true; readonly script: string }
  | OpenAiConfig
  | GeminiConfig;
