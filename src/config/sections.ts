import * as z from 'zod';
import { lazy } from '../types/lazy.ts';

const positive = () => z.number().int().positive();

/** `agents.<name>`: how one kind of agent works. */
export const agentSchema = lazy(() =>
  z
    .object({
      model: z.string().min(1),
      maxTokens: positive(),
      reasoningEffort: z.string().min(1),
      todoDrivenExecution: z.boolean(),
      maxTodoContinuations: z.number().int().min(0),
      todoCheckIntervalMs: z.number().min(0),
    })
    .partial(),
);
export type AgentSettings = Readonly<z.infer<ReturnType<typeof agentSchema>>>;

/** Whether an agent is driven by its list when nothing says otherwise. */
const drivenByDefault: Readonly<Record<string, boolean>> = { coder: true, task: false, plan: false };

export function isDrivenByDefault(agent: string): boolean {
  return drivenByDefault[agent] ?? true;
}

/** What `profiles.<name>` holds beside settings: how to reach one endpoint, and where it differs. The provider judges the values. */
export const connectionSchema = lazy(() =>
  z
    .object({
      /** Name of the environment variable that holds the key; never the key. */
      keyEnv: z.string().min(1),
      headers: z.record(z.string(), z.string()),
      /** Further fields of each request's body. */
      extraBody: z.record(z.string(), z.unknown()),
      /** Compatibility switches of the wire, by name. */
      compat: z.record(z.string(), z.unknown()),
      contextWindow: positive(),
      /** US dollars per million tokens: input, output, cached. */
      price: z.record(z.string(), z.number().min(0)),
      /** Seconds: connect, firstByte, idle. */
      timeouts: z.record(z.string(), z.number().positive()),
    })
    .partial(),
);
export type Connection = Readonly<z.infer<ReturnType<typeof connectionSchema>>>;

/** Rules as they are written; they are parsed where they are judged. */
export const ruleKinds = ['allow', 'ask', 'deny'] as const;
export type RuleKind = (typeof ruleKinds)[number];
export const ruleListSchema = lazy(() => z.array(z.string().min(1)));

/** Names of environment variables that commands of the agent may see beside the core set. */
export const childEnvSchema = lazy(() =>
  z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u, 'must be the name of an environment variable')),
);

/** Keys of a settings file that are no single setting. */
export const sectionNames = ['agents', 'profiles', 'permissions', 'child-env', '$schema'] as const;
