import { didYouMean } from '../lib/nearest.ts';
import { UsageError } from '../types/errors.ts';
import type { Options } from './options.ts';
import type { Origin } from './origin.ts';
import { type Draft, readFields, readFile, type WrittenRule } from './read-file.ts';
import { type AgentSettings, type Connection, connectionSchema, isDrivenByDefault } from './sections.ts';
import { isSettingKey, parseSetting, settingKeys } from './setting-value.ts';
import { type SettingKey, type Settings, settings } from './settings.ts';
import type { ConfigFile, Entry } from './settings-file.ts';

export type Profile = {
  readonly name: string;
  /** The provider that it was written for; key and headers are for no other. */
  readonly provider: string | undefined;
  readonly connection: Connection;
  readonly where: string;
};

/** Everything that files, environment and flags say, in force before the first `/set`. */
export type Config = {
  readonly settings: Settings;
  readonly origins: Readonly<Record<SettingKey, Origin>>;
  /** One line each: what was ignored, where, and what was probably meant. */
  readonly warnings: readonly string[];
  readonly rules: readonly WrittenRule[];
  /** A file that may have held permissions could not be read: nothing is allowed by rule, and every change asks. */
  readonly strict: boolean;
  readonly agent: AgentSettings & { readonly name: string };
  readonly agents: Readonly<Record<string, AgentSettings>>;
  readonly profile: Profile | undefined;
  readonly profileNames: readonly string[];
  /** Names of variables that commands may see beside the core set. */
  readonly childEnv: readonly string[];
};

export type ConfigSources = {
  readonly files: readonly ConfigFile[];
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** One object from all layers. Pure. Throws UsageError for an unknown profile (2) and for a wrong value in the environment (52). */
export function resolveConfig(sources: ConfigSources, call: Pick<Options, 'flags' | 'flagNames' | 'profile'>, agentName = 'coder'): Config {
  const draft: Draft = { values: new Map(), warnings: [], rules: [], agents: new Map(), profiles: new Map(), childEnv: [], strict: false };
  for (const file of sources.files) readFile(draft, file);
  const agent = readAgent(draft, agentName);
  const profile = findProfile(draft, call.profile);
  const named = providerNamed(draft, call, profile);
  readEnvironment(draft, sources.env, named);
  if (profile !== undefined) readProfile(draft, profile);
  for (const key of settingKeys) {
    const value = call.flags[key];
    if (value !== undefined) draft.values.set(key, { value, origin: { layer: 'flag', where: call.flagNames[key] ?? `--${key}` } });
  }
  return finish(draft, agent, profile);
}

function readAgent(draft: Draft, name: string): AgentSettings & { readonly name: string } {
  const agent = draft.agents.get(name) ?? {};
  const origin: Origin = { layer: 'agent', where: name };
  const give = (key: SettingKey, value: Settings[SettingKey] | undefined): void => {
    if (value !== undefined) draft.values.set(key, { value, origin });
  };
  give('model', agent.model);
  give('todo-continuation', agent.todoDrivenExecution ?? (isDrivenByDefault(name) ? undefined : false));
  give('max-todo-continuations', agent.maxTodoContinuations);
  give('todo-check-interval', agent.todoCheckIntervalMs);
  return { ...agent, name };
}

function findProfile(
  draft: Draft,
  name: string | undefined,
): { readonly name: string; readonly entry: Entry; readonly where: string } | undefined {
  if (name === undefined) return undefined;
  const found = draft.profiles.get(name);
  if (found !== undefined) return { name, ...found };
  const names = [...draft.profiles.keys()];
  const known = names.length === 0 ? "settings.json has no 'profiles'." : `Known: ${names.join(', ')}.`;
  throw new UsageError(`Unknown profile '${name}'.${didYouMean(name, names)} ${known}`);
}

type FoundProfile = NonNullable<ReturnType<typeof findProfile>>;

function readProfile(draft: Draft, profile: FoundProfile): void {
  const origin: Origin = { layer: 'profile', where: profile.name };
  for (const field of profile.entry.entries) {
    const key = field.key === 'baseUrl' ? 'base-url' : field.key;
    if (!isSettingKey(key)) continue;
    const parsed = parseSetting(key, field.value);
    if ('error' in parsed) throw new UsageError(`profile ${profile.name}: ${parsed.error}`, 52);
    draft.values.set(key, { value: parsed.value, origin });
  }
}

/** The provider that files, profile or flags name, in the spelling `provider` or `provider/model`. */
function providerNamed(draft: Draft, call: Pick<Options, 'flags'>, profile: FoundProfile | undefined): string | undefined {
  const field = (key: string): unknown => profile?.entry.entries.find((entry) => entry.key === key)?.value;
  const named = call.flags.provider ?? field('provider') ?? draft.values.get('provider')?.value;
  if (typeof named === 'string') return named;
  const model = call.flags.model ?? field('model') ?? draft.values.get('model')?.value;
  return typeof model === 'string' && model.includes('/') ? model.slice(0, model.indexOf('/')) : undefined;
}

function readEnvironment(draft: Draft, env: ConfigSources['env'], provider: string | undefined): void {
  for (const key of settingKeys) {
    const { env: variable }: { readonly env?: string } = settings[key];
    if (variable === undefined) continue;
    const text = env[variable];
    // OPENAI_MODEL and the like speak of that one provider
    if (text === undefined || text === '' || (variable.startsWith('OPENAI_') && provider !== undefined && provider !== 'openai')) continue;
    const parsed = parseSetting(key, text);
    if ('error' in parsed) throw new UsageError(parsed.error.replace(`'${key}'`, variable), 52);
    draft.values.set(key, { value: parsed.value, origin: { layer: 'env', where: variable } });
  }
}

function finish(draft: Draft, agent: AgentSettings & { readonly name: string }, found: FoundProfile | undefined): Config {
  const values: Record<string, unknown> = {};
  const origins: Record<string, Origin> = {};
  for (const key of settingKeys) {
    const given = draft.values.get(key);
    values[key] = given === undefined ? settings[key].default : given.value;
    origins[key] = given?.origin ?? { layer: 'default', where: '' };
  }
  if (draft.strict && values['approval-mode'] !== 'plan' && values['approval-mode'] !== 'default') {
    values['approval-mode'] = 'default';
    origins['approval-mode'] = { layer: 'default', where: '' };
    draft.warnings.push("approval-mode is 'default' for now: rules that refuse may be in the file that could not be read.");
  }
  let profile: Profile | undefined;
  if (found !== undefined) {
    const path = found.where.replace(/:\d+$/u, '');
    const section = {
      schema: connectionSchema(),
      entry: found.entry,
      path,
      name: `profiles.${found.name}`,
      alsoKnown: [...settingKeys, 'baseUrl'],
    };
    const provider = found.entry.entries.find((entry) => entry.key === 'provider')?.value;
    profile = {
      name: found.name,
      provider: typeof provider === 'string' ? provider : undefined,
      connection: readFields(draft, section),
      where: found.where,
    };
  }
  return {
    settings: values as Settings, // one value of its own schema for every key
    origins: origins as Record<SettingKey, Origin>, // likewise
    warnings: draft.warnings,
    rules: draft.strict ? draft.rules.filter((rule) => rule.kind !== 'allow') : draft.rules,
    strict: draft.strict,
    agent,
    agents: Object.fromEntries(draft.agents),
    profile,
    profileNames: [...draft.profiles.keys()],
    childEnv: draft.childEnv,
  };
}
