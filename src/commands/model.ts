import type { Command } from './command.ts';

/** `/model`: pick a model, or change to the one named. */
export const modelCommand: Command = {
  name: 'model',
  aliases: [],
  usage: '[[provider/]model]',
  summary: 'pick the model, or change to one',
  whileBusy: false,
  async run(rest, session) {
    session.service.cancelCountdown();
    if (rest === '') return { kind: 'open-picker', picker: 'model' };
    const error = await session.model.change(rest);
    if (error !== undefined) return { kind: 'notice', level: 'error', text: error };
    const { provider, model, contextWindow } = session.model.current();
    const window = contextWindow === undefined ? 'context window unknown' : `${contextWindow.toLocaleString('en')} tokens of context`;
    return { kind: 'notice', level: 'info', text: `The model is now ${provider}/${model}, ${window}.` };
  },
};
