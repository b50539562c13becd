import { join } from 'node:path';
import type { Folders } from '../config/folders.ts';
import { openKeyFile, withKey } from '../config/keys.ts';
import { writeUserSettings } from '../config/write-settings.ts';
import { systemClock } from '../lib/clock.ts';
import { isRecord } from '../lib/record.ts';
import { createStateFile } from '../lib/state-file.ts';
import { openProvider } from '../providers/index.ts';
import { resolveProvider } from '../providers/presets.ts';
import { askChoice, askLine } from '../ui/choice-prompt.ts';
import { writeError } from './exit.ts';

/** Servers that are looked for on their usual port, on this machine only. */
const localServers = [
  { provider: 'ollama', name: 'Ollama' },
  { provider: 'lmstudio', name: 'LM Studio' },
  { provider: 'llamacpp', name: 'llama.cpp' },
  { provider: 'vllm', name: 'vLLM' },
] as const;
const lookMs = 2_000;

const keyKinds = [
  { choice: 'openai', text: 'OpenAI', variable: 'OPENAI_API_KEY', looksLike: /^sk-(?!or-)/u },
  { choice: 'gemini', text: 'Gemini', variable: 'GEMINI_API_KEY', looksLike: /^AIza/u },
  { choice: 'openrouter', text: 'OpenRouter', variable: 'OPENROUTER_API_KEY', looksLike: /^sk-or-/u },
] as const;

type FirstStart = { readonly version: 1; readonly asked: boolean };

/** By hand, as the trust file, and for the same reason. */
function parseFirstStart(json: unknown): FirstStart | undefined {
  return isRecord(json) && json.version === 1 && typeof json.asked === 'boolean' ? { version: 1, asked: json.asked } : undefined;
}

/** Asks once, at the first start without a model, how to connect one. True when something was connected. `beforeAsking` clears the way. */
export async function offerConnection(folders: Folders, beforeAsking: () => void): Promise<boolean> {
  const clock = systemClock;
  const file = createStateFile<FirstStart>({
    path: join(folders.state, 'first-start.json'),
    parse: parseFirstStart,
    empty: { version: 1, asked: false },
    clock,
  });
  if (file.read().value.asked) return false;
  beforeAsking();
  const choice = await askChoice({
    lines: ['No model is connected yet. How do you want to work?'],
    choices: [
      { choice: 'key', text: 'Paste an API key of OpenAI, Gemini or OpenRouter' },
      { choice: 'local', text: 'Look for a local server: Ollama, LM Studio, llama.cpp, vLLM' },
      { choice: 'offline', text: 'Offline, with the built-in checklist model' },
    ],
  });
  const connected = choice === 'key' ? await connectByKey(folders) : choice === 'local' ? await connectLocally(folders) : false;
  // Asked again next time when it was wanted and did not work.
  if (connected || choice === 'offline') await file.update((state) => ({ ...state, asked: true }));
  return connected;
}

async function connectByKey(folders: Folders): Promise<boolean> {
  const key = await askLine('API key (hidden):', { hidden: true });
  if (key === undefined) return false;
  const known = keyKinds.find(({ looksLike }) => looksLike.test(key));
  const provider =
    known?.choice ??
    (await askChoice({ lines: ['Whose key is it?'], choices: [...keyKinds, { choice: 'none', text: 'Another one; go on offline' }] }));
  const kind = keyKinds.find(({ choice }) => choice === provider);
  if (kind === undefined) return false;
  const resolved = resolveProvider({ provider: kind.choice }, {}, { [kind.variable]: key });
  const model = 'error' in resolved ? await askLine(`Model at ${kind.text}:`, { hidden: false }) : undefined;
  if ('error' in resolved && model === undefined) return false;
  const problem =
    (await openKeyFile(folders, systemClock).update((keys) => withKey(keys, { name: kind.variable, key }))) ??
    (await writeUserSettings(folders, { provider: kind.choice, ...(model === undefined ? {} : { model }) }, systemClock));
  if (problem !== undefined) writeError(problem);
  return problem === undefined;
}

async function connectLocally(folders: Folders): Promise<boolean> {
  const found = (await Promise.all(localServers.map(listLocal))).flat();
  if (found.length === 0) {
    writeError('No local server answers on its usual port. Start one, then use /provider or --provider.');
    return false;
  }
  const shown = found.slice(0, 8);
  const choice = await askChoice({
    lines: ['Which model?'],
    choices: [...shown.map(({ id, name }) => ({ choice: id, text: `${id} (${name})` })), { choice: '', text: 'None of these' }],
  });
  const chosen = shown.find(({ id }) => id === choice);
  if (chosen === undefined) return false;
  const problem = await writeUserSettings(folders, { provider: chosen.provider, model: chosen.id }, systemClock);
  if (problem !== undefined) writeError(problem);
  return problem === undefined;
}

async function listLocal({
  provider,
  name,
}: (typeof localServers)[number]): Promise<readonly { provider: string; name: string; id: string }[]> {
  const config = resolveProvider({ provider, model: 'any' }, {});
  if ('error' in config) return [];
  try {
    const opened = await openProvider(config, { clock: systemClock });
    const models = (await opened.listModels?.(AbortSignal.timeout(lookMs))) ?? [];
    return models.map(({ id }) => ({ provider, name, id }));
  } catch {
    return []; // it is not there
  }
}
