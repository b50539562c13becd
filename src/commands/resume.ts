import type { Command } from './command.ts';

/** `/resume`: another session of this folder, picked or named. */
export const resumeCommand: Command = {
  name: 'resume',
  aliases: [],
  usage: '[session]',
  summary: 'go on with another session',
  whileBusy: false,
  run(rest, session) {
    session.service.cancelCountdown();
    return rest === '' ? { kind: 'open-picker', picker: 'session' } : { kind: 'new-session', from: { resume: rest } };
  },
};
