import * as z from 'zod';
import { defineTool, failure, success } from './tool.ts';

export const askUser = defineTool({
  name: 'ask_user',
  kind: 'ask',
  description: 'Ask the user and wait. Only for what you cannot find out or decide.',
  schema: () => z.object({ question: z.string(), options: z.array(z.string()).max(10).optional() }),
  async prepare({ question, options = [] }, context) {
    const text = question.trim();
    if (text === '') return failure('The question is empty');
    return {
      effects: [],
      async run(signal) {
        const answer = await context.ask(text, options, signal);
        switch (answer.kind) {
          case 'answer':
            return success(`The user answers: ${answer.text}`);
          case 'nobody':
            return failure('Nobody can answer here. Decide by yourself and say what you assumed, or mark the item blocked', {
              needsPerson: true,
            });
          case 'aborted':
            return failure('Cancelled before the user answered');
        }
      },
    };
  },
});
