import { sessionKeys } from '../config/ephemeral.ts';
import { acceptedValues, isSettingKey, settingKeys, showSetting, suggestedValues } from '../config/setting-value.ts';
import { type SettingKey, settings } from '../config/settings.ts';
import type { Session } from '../continuation/session.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { Command, CommandResult } from './command.ts';

/** `/set`: the settings in force, one of them, or a change for this session only. */
export const setCommand: Command = {
  name: 'set',
  aliases: [],
  usage: '[key [value]]',
  summary: 'show settings, or change one for this session',
  whileBusy: true,
  run(rest, session) {
    const [key = '', ...words] = rest.split(/\s+/u);
    const value = words.join(' ');
    if (key === '') return listing(session);
    if (!isSettingKey(key)) {
      return { kind: 'notice', level: 'error', text: `Unknown setting '${key}'.${didYouMean(key, sessionKeys)} /set lists them.` };
    }
    return value === '' ? description(key, session) : change(key, value, session);
  },
  complete(rest) {
    const [key = '', value] = rest.split(/\s+/u);
    if (value === undefined) {
      return sessionKeys.filter((known) => known.startsWith(key)).map((known) => ({ value: known, help: settings[known].help }));
    }
    if (!isSettingKey(key)) return [];
    return [...suggestedValues(key), 'default'].filter((known) => known.startsWith(value)).map((known) => ({ value: known, help: '' }));
  },
};

function listing(session: Session): CommandResult {
  const values = session.settings.get();
  const lines = sessionKeys.map((key) => {
    const shown = `${key.padEnd(24)}  ${showSetting(values[key]).padEnd(8)}`;
    return `${shown}  ${settings[key].help} (${session.settings.origin(key)})`;
  });
  const fixed = settingKeys.filter((key) => !sessionKeys.includes(key));
  return {
    kind: 'page',
    title: 'Settings',
    lines: [...lines, '', `Only at start: ${fixed.join(', ')}. /set KEY VALUE changes one, VALUE default takes it back.`],
  };
}

function description(key: SettingKey, session: Session): CommandResult {
  const value = showSetting(session.settings.get()[key]);
  const lines = [
    settings[key].help,
    `now      ${value}, set by ${session.settings.origin(key)}`,
    `default  ${showSetting(settings[key].default)}`,
    `accepts  ${acceptedValues(key)}`,
  ];
  return { kind: 'page', title: key, lines };
}

async function change(key: SettingKey, value: string, session: Session): Promise<CommandResult> {
  const error = key === 'model' ? await session.model.change(value) : session.settings.set(key, value);
  if (error !== undefined) return { kind: 'notice', level: 'error', text: error };
  if (key === 'model' || (key === 'todo-continuation' && !session.settings.get()[key])) session.service.cancelCountdown();
  const now = key === 'model' ? session.model.current().model : showSetting(session.settings.get()[key]);
  return { kind: 'notice', level: 'info', text: `${key} is now ${now}, for this session.` };
}
