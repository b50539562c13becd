import * as z from 'zod';
import { linesOfStream } from '../lib/jsonl.ts';
import { UsageError } from '../types/errors.ts';
import { lazy } from '../types/lazy.ts';

/** One line of `--input-format stream-json`. */
export const inputRecordSchema = lazy(() =>
  z.object({
    type: z.literal('user'),
    message: z.object({
      role: z.literal('user'),
      content: z.union([z.string(), z.array(z.object({ type: z.literal('text'), text: z.string() }))]),
    }),
  }),
);

/** The prompts of `--input-format stream-json`, one a line; throws a UsageError (42) that names the line. */
export async function* promptsOf(input: AsyncIterable<string>): AsyncGenerator<string> {
  let number = 0;
  for await (const line of linesOfStream(input)) {
    number += 1;
    if (line.trim() === '') continue;
    const text = parsePrompt(line);
    if (text === undefined) {
      throw new UsageError(
        `Line ${number} of the input is no prompt: ${line.slice(0, 80)}. Accepted: {"type":"user","message":{"role":"user","content":"text"}}`,
        42,
      );
    }
    if (text.trim() === '') throw new UsageError(`Line ${number} of the input is an empty prompt.`, 42);
    yield text;
  }
}

function parsePrompt(line: string): string | undefined {
  try {
    const parsed = inputRecordSchema().safeParse(JSON.parse(line));
    if (!parsed.success) return undefined;
    const { content } = parsed.data.message;
    return typeof content === 'string' ? content : content.map((block) => block.text).join('\n');
  } catch {
    return undefined;
  }
}
