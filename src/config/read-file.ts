import type * as z from 'zod';
import { didYouMean } from '../lib/nearest.ts';
import type { Origin } from './origin.ts';
import { type AgentSettings, agentSchema, childEnvSchema, type RuleKind, ruleKinds, ruleListSchema, sectionNames } from './sections.ts';
import { isSettingKey, parseSetting, settingKeys } from './setting-value.ts';
import { type SettingKey, type Settings, settings } from './settings.ts';
import { type ConfigFile, type Entry, type FileLayer, parseSettingsFile } from './settings-file.ts';

/** A permission rule as written, and where. Project rules only ever tighten: there are none that allow. */
export type WrittenRule = { readonly text: string; readonly kind: RuleKind; readonly source: 'user' | 'project'; readonly where: string };

/** What the files have said so far. */
export type Draft = {
  readonly values: Map<SettingKey, { readonly value: Settings[SettingKey]; readonly origin: Origin }>;
  readonly warnings: string[];
  readonly rules: WrittenRule[];
  readonly agents: Map<string, AgentSettings>;
  readonly profiles: Map<string, { readonly entry: Entry; readonly where: string }>;
  readonly childEnv: string[];
  strict: boolean;
};

/** Adds one settings file to the draft: what is right counts, everything else becomes a warning. */
export function readFile(draft: Draft, file: ConfigFile): void {
  const parsed = 'text' in file ? parseSettingsFile(file.text) : { problem: file.problem, line: undefined };
  if ('problem' in parsed) {
    const place = parsed.line === undefined ? file.path : `${file.path}:${parsed.line}`;
    draft.warnings.push(`${place}: ${parsed.problem}. The file is ignored, and permissions are at their strictest until it is mended.`);
    draft.strict = true;
    return;
  }
  for (const entry of parsed.entries) {
    const where = `${file.path}:${entry.line}`;
    if (isSettingKey(entry.key)) readSetting(draft, file.layer, entry.key, entry, where);
    else readSection(draft, file, entry, where);
  }
}

function readSetting(draft: Draft, layer: FileLayer, key: SettingKey, entry: Entry, where: string): void {
  const { scopes } = settings[key];
  if (layer !== 'user' && !scopes.some((scope) => scope === 'project')) {
    draft.warnings.push(`${where}: '${key}' is yours to set, a project cannot; ignored.`);
    return;
  }
  const parsed = parseSetting(key, entry.value);
  if ('error' in parsed) {
    draft.warnings.push(`${where}: ${parsed.error}`);
    if (key === 'approval-mode') draft.strict = true;
    return;
  }
  draft.values.set(key, { value: parsed.value, origin: { layer, where } });
}

function readSection(draft: Draft, file: ConfigFile, entry: Entry, where: string): void {
  switch (entry.key) {
    case 'permissions':
      readRules(draft, file, entry);
      return;
    case '$schema':
      return;
    case 'agents':
    case 'profiles':
    case 'child-env':
      if (file.layer !== 'user') draft.warnings.push(`${where}: '${entry.key}' is yours to set, a project cannot; ignored.`);
      else readOwnSection(draft, file, entry, where);
      return;
    default:
      draft.warnings.push(`${where}: Unknown setting '${entry.key}'.${didYouMean(entry.key, [...settingKeys, ...sectionNames])}`);
  }
}

function readOwnSection(draft: Draft, file: ConfigFile, entry: Entry, where: string): void {
  if (entry.key === 'child-env') {
    const names = childEnvSchema().safeParse(entry.value);
    if (names.success) draft.childEnv.push(...names.data);
    else draft.warnings.push(`${where}: 'child-env' must be a list of names of environment variables; ignored.`);
    return;
  }
  if (!isObject(entry.value)) {
    draft.warnings.push(`${where}: '${entry.key}' must be an object, { "name": { … } }; ignored.`);
    return;
  }
  for (const named of entry.entries) {
    const place = `${file.path}:${named.line}`;
    if (entry.key === 'profiles') draft.profiles.set(named.key, { entry: named, where: place });
    else {
      const section = { schema: agentSchema(), entry: named, path: file.path, name: `agents.${named.key}` };
      draft.agents.set(named.key, readFields(draft, section));
    }
  }
}

/** The fields of a section that are right; a warning for each that is not. */
export function readFields<Shape extends z.ZodRawShape>(
  draft: Draft,
  section: { schema: z.ZodObject<Shape>; entry: Entry; path: string; name: string; alsoKnown?: readonly string[] },
): z.infer<z.ZodObject<Shape>> {
  const fields: Record<string, unknown> = {};
  const known = Object.keys(section.schema.shape);
  for (const field of section.entry.entries) {
    const where = `${section.path}:${field.line}`;
    const single = section.schema.safeParse({ [field.key]: field.value });
    if (!known.includes(field.key)) {
      if (section.alsoKnown?.includes(field.key)) continue;
      const guess = didYouMean(field.key, [...known, ...(section.alsoKnown ?? [])]);
      draft.warnings.push(`${where}: Unknown setting '${section.name}.${field.key}'.${guess}`);
    } else if (single.success) fields[field.key] = field.value;
    else draft.warnings.push(`${where}: '${section.name}.${field.key}': ${single.error.issues[0]?.message ?? 'invalid'}; ignored.`);
  }
  return fields as z.infer<z.ZodObject<Shape>>; // every field was parsed by the schema, all of them are optional
}

function readRules(draft: Draft, file: ConfigFile, section: Entry): void {
  const source = file.layer === 'user' ? 'user' : 'project';
  if (!isObject(section.value)) {
    draft.warnings.push(`${file.path}:${section.line}: 'permissions' must be an object with allow, ask and deny; every change asks.`);
    draft.strict = true;
  }
  for (const entry of section.entries) {
    const where = `${file.path}:${entry.line}`;
    const kind = ruleKinds.find((known) => known === entry.key);
    if (kind === undefined) {
      draft.warnings.push(`${where}: Unknown setting 'permissions.${entry.key}'.${didYouMean(entry.key, ruleKinds)}`);
      draft.strict = true;
      continue;
    }
    if (kind === 'allow' && source === 'project') {
      draft.warnings.push(`${where}: a project cannot allow anything, only ask and deny; ignored.`);
      continue;
    }
    const rules = ruleListSchema().safeParse(entry.value);
    if (rules.success) draft.rules.push(...rules.data.map((text) => ({ text, kind, source, where }) as const));
    else {
      draft.warnings.push(`${where}: 'permissions.${kind}' must be a list of rules such as "shell(npm test *)"; every change asks.`);
      draft.strict = true;
    }
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
