import { homedir } from 'node:os';
import { openPlace, openTrustFile } from '../compose.ts';
import { openKeyFile } from '../config/keys.ts';
import { describeOrigin } from '../config/origin.ts';
import { systemClock } from '../lib/clock.ts';
import { pathExists } from '../lib/paths.ts';
import { parseRules, type RuleSource } from '../permissions/rules.ts';
import { openProvider } from '../providers/index.ts';
import { contextWindowOf } from '../providers/models.ts';
import { resolveProvider } from '../providers/presets.ts';
import { listSessions } from '../session/index.ts';
import { describeConfig } from '../subcommands/config.ts';
import { runDoctor } from '../subcommands/doctor.ts';
import { explainPermission } from '../subcommands/permissions.ts';
import { runSessions } from '../subcommands/sessions.ts';
import { trustFolder } from '../subcommands/trust.ts';
import { UsageError } from '../types/errors.ts';
import { writeOut } from './exit.ts';
import type { Invocation } from './invocation.ts';
import { readConfig } from './surroundings.ts';

type Subcommand = Exclude<Invocation, { kind: 'chat' | 'print' | 'demo' | 'completion' }>;

/** Runs a subcommand that opens no session. Resolves with the exit code. */
export async function runSubcommand(call: Subcommand): Promise<number> {
  switch (call.kind) {
    case 'config': {
      const { config, files } = await readConfig(call.options);
      await writeOut(describeConfig(config, { key: call.key, json: call.json, files }));
      return 0;
    }
    case 'sessions': {
      const { cwd: workspace, folders } = await openPlace(call.options);
      const list = () => listSessions(folders.state, workspace);
      const columns = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY;
      return runSessions({ list, workspace, format: call.json ? 'json' : 'text', columns, now: systemClock.now(), write: writeOut });
    }
    case 'trust': {
      const { cwd: folder, folders } = await openPlace({ cd: call.dir, trust: false });
      const { text, exitCode } = await trustFolder({ folder, state: openTrustFile(folders), now: systemClock.now(), exists: pathExists });
      await writeOut(text);
      return exitCode;
    }
    case 'permissions-explain':
      return explain(call);
    case 'doctor':
      return doctor(call);
  }
}

async function explain({ options, ...call }: Extract<Subcommand, { kind: 'permissions-explain' }>): Promise<number> {
  const { config, place } = await readConfig(options);
  const textsOf = (source: RuleSource, kind: 'allow' | 'ask' | 'deny'): string[] =>
    config.rules.filter((rule) => rule.source === source && rule.kind === kind).map((rule) => rule.text);
  const { rules } = parseRules({ allow: textsOf('user', 'allow'), ask: textsOf('user', 'ask'), deny: textsOf('user', 'deny') }, 'user');
  const project = parseRules({ allow: [], ask: textsOf('project', 'ask'), deny: textsOf('project', 'deny') }, 'project').rules;
  const { text, exitCode } = explainPermission(
    { command: call.command, allow: call.allow, json: call.json, ...(call.mode === undefined ? {} : { mode: call.mode }) },
    {
      workspace: place.cwd,
      home: homedir(),
      mode: config.settings['approval-mode'],
      rules: { allow: rules.allow, ask: [...rules.ask, ...project.ask], deny: [...rules.deny, ...project.deny] },
    },
  );
  await writeOut(text);
  return exitCode;
}

async function doctor({ options }: Extract<Subcommand, { kind: 'doctor' }>): Promise<number> {
  const { config, place } = await readConfig(options);
  const { provider, model, 'base-url': baseUrl } = config.settings;
  const stored = openKeyFile(place.folders, systemClock).read().value;
  const found = resolveProvider({ provider, model, baseUrl, profile: config.profile?.connection }, process.env, stored);
  if ('error' in found) throw new UsageError(`${found.error} (to change: ${found.setting})`, found.setting.endsWith('_KEY') ? 41 : 52);
  const origin = (key: 'provider' | 'model' | 'base-url', otherwise: string): string =>
    config.settings[key] === null ? otherwise : `set by ${describeOrigin(config.origins[key])}`;
  const chosen = (): string => {
    if (config.profile !== undefined) return `set by profile ${config.profile.name}`;
    if (found.id === 'custom') return 'chosen because an address is given';
    if (model?.startsWith(`${found.id}/`)) return 'named with the model';
    return 'keyName' in found && found.apiKey !== undefined
      ? `chosen because ${found.keyName} is set`
      : 'chosen because nothing else is set';
  };
  return runDoctor({
    provider: found,
    origins: {
      provider: origin('provider', chosen()),
      model: origin('model', 'the default of this provider'),
      address: origin('base-url', 'the default of this provider'),
    },
    contextWindow: contextWindowOf(found),
    warnings: config.warnings,
    clock: systemClock,
    open: () => openProvider(found, { clock: systemClock }),
    write: writeOut,
  });
}
