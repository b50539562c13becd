import type { Command } from './command.ts';

/** `/provider`: choose where the model runs. */
export const providerCommand: Command = {
  name: 'provider',
  aliases: [],
  usage: '[provider/model]',
  summary: 'choose where the model runs',
  whileBusy: false,
  async run(rest, session) {
    session.service.cancelCountdown();
    if (rest === '') return { kind: 'open-picker', picker: 'provider' };
    if (!/^[^/\s]+\/\S+$/u.test(rest)) {
      return {
        kind: 'notice',
        level: 'error',
        text: `'${rest}' names no model. Write /provider ${rest.replace(/\/$/u, '')}/MODEL, or /provider alone to pick.`,
      };
    }
    const error = await session.model.change(rest);
    if (error !== undefined) return { kind: 'notice', level: 'error', text: error };
    const { provider, model } = session.model.current();
    return { kind: 'notice', level: 'info', text: `The model is now ${provider}/${model}.` };
  },
};
