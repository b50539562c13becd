import type { Options, SessionChoice } from '../config/options.ts';
import { type SettingKey, type Settings, settings } from '../config/settings.ts';
import { UsageError } from '../types/errors.ts';

/** Options as commander gives them, by camel-cased name. */
export type RawOptions = Readonly<Record<string, unknown>>;

/** The flag that sets a key, `--max-turns`; undefined when it has none. */
export function flagOf(key: SettingKey): string | undefined {
  const definition: { readonly flag?: string } = settings[key];
  return definition.flag;
}

/** The settings that a flag can set. */
export const flagKeys: readonly SettingKey[] = (Object.keys(settings) as SettingKey[]).filter((key) => flagOf(key) !== undefined); // the table's own keys

/** Name under which commander keeps the value of a key's flag. */
export function flagProperty(key: SettingKey): string {
  return (flagOf(key) ?? '').slice(2).replace(/-(\w)/gu, (_dash, letter: string) => letter.toUpperCase());
}

/** `a(x, y), b` are two rules: commas inside parentheses belong to the rule. */
function splitRules(text: string): readonly string[] {
  return (text.match(/(?:[^,(]|\([^)]*\)?)+/gu) ?? []).map((rule) => rule.trim()).filter((rule) => rule !== '');
}

function sessionChoice(raw: RawOptions): SessionChoice {
  const fork = raw.fork === true;
  if (raw.continue === true && raw.resume !== undefined) throw new UsageError('-c and -r name two sessions; give one of them.');
  const chosen = raw.continue === true || (fork && raw.resume === undefined) ? 'latest' : raw.resume;
  if (chosen === undefined) return { kind: 'new' };
  if (raw.session === false) throw new UsageError('--no-session cannot go on with a session; leave one of the two out.');
  if (typeof chosen !== 'string') return { kind: 'pick', fork };
  return { kind: fork ? 'fork' : 'resume', id: chosen };
}

function readFlags(raw: RawOptions): Pick<Options, 'flags' | 'flagNames'> {
  const flags: Record<string, unknown> = {};
  const flagNames: Partial<Record<SettingKey, string>> = {};
  const give = (key: SettingKey, value: unknown, name: string): void => {
    if (value === undefined) return;
    flags[key] = value;
    flagNames[key] = name;
  };
  for (const key of flagKeys) {
    const flag = flagOf(key) ?? '';
    const value = raw[flagProperty(key)];
    give(key, value, value === false ? `--no-${flag.slice(2)}` : flag);
  }
  if (raw.yolo === true) {
    if (flags['approval-mode'] !== undefined && flags['approval-mode'] !== 'yolo') {
      throw new UsageError(`--yolo and --approval-mode ${String(flags['approval-mode'])} contradict each other; give one of them.`);
    }
    give('approval-mode', 'yolo', '--yolo');
  }
  return { flags: flags as Partial<Settings>, flagNames }; // every value came out of parseSetting
}

/** Checks what was given together and turns it into Options. */
export function readOptions(raw: RawOptions, words: readonly string[]): Options {
  const text = (key: string): string | undefined => (typeof raw[key] === 'string' && raw[key] !== '' ? raw[key] : undefined);
  const list = (key: string): readonly string[] => (Array.isArray(raw[key]) ? raw[key].map(String) : []);
  const rules = (key: string): readonly string[] => list(key).flatMap(splitRules);
  const promptInteractive = raw.promptInteractive !== undefined;
  const asked = raw.print !== undefined || raw.prompt !== undefined;
  if (promptInteractive && asked) throw new UsageError('-i and -p contradict each other; give one of them.');
  const outputFormat = raw.json === true ? 'stream-json' : ((raw.outputFormat as Options['outputFormat'] | undefined) ?? 'text');
  if (raw.json === true && raw.outputFormat !== undefined && raw.outputFormat !== 'stream-json') {
    throw new UsageError(`--json and --output-format ${String(raw.outputFormat)} contradict each other; give one of them.`);
  }
  const inputFormat = (raw.inputFormat as Options['inputFormat'] | undefined) ?? 'text'; // checked by choice()
  if (raw.includePartialMessages === true && outputFormat !== 'stream-json') {
    throw new UsageError('--include-partial-messages needs --output-format stream-json.');
  }
  const onlyPrint = ['json', 'outputFormat', 'inputFormat', 'outputLastMessage', 'jsonSchema', 'exitZeroUnfinished'];
  const implied = onlyPrint.some((key) => raw[key] !== undefined);
  if (promptInteractive && implied) throw new UsageError('-i starts the chat; output and input formats belong to -p.');
  const parts = [raw.print, raw.prompt, raw.promptInteractive, ...words].filter((part) => typeof part === 'string' && part !== '-');
  const prompt = parts.join(' ').trim();
  return {
    prompt: prompt === '' ? undefined : prompt,
    print: asked || implied,
    promptInteractive,
    outputFormat,
    inputFormat,
    includePartialMessages: raw.includePartialMessages === true,
    outputLastMessage: text('outputLastMessage'),
    jsonSchema: text('jsonSchema'),
    exitZeroUnfinished: raw.exitZeroUnfinished === true,
    session: sessionChoice(raw),
    saveSession: raw.session !== false,
    name: text('name'),
    profile: text('profile') ?? text('profileLoad'),
    ...readFlags(raw),
    trust: raw.trust === true,
    allowedTools: rules('allowedTools'),
    disallowedTools: rules('disallowedTools'),
    systemPrompt: text('systemPrompt'),
    appendSystemPrompt: text('appendSystemPrompt'),
    cd: text('cd'),
    addDirs: list('addDir'),
    noColor: raw.color === false,
    screenReader: raw.screenReader === true,
    debug: raw.debug === true,
  };
}
