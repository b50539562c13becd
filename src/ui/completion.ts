import { completeCommand } from '../commands/index.ts';
import type { Session } from '../continuation/session.ts';
import type { InputState } from './input-state.ts';
import type { CompletionMenu } from './ui-state.ts';

/** The word before the cursor: what a completion replaces. `fragment` is that word, without the @ of a path. */
export function completeAt(input: InputState): { readonly from: number; readonly to: number; readonly fragment: string } {
  const before = input.text.slice(0, input.cursor);
  const from = before.search(/\S*$/u);
  return { from, to: input.cursor, fragment: before.slice(from).replace(/^@/, '') };
}

/** What can be offered at once; `paths` when the word before the cursor is a path, which has to be looked up. */
export function listCompletions(input: InputState, session: Session): CompletionMenu | 'paths' | undefined {
  const before = input.text.slice(0, input.cursor);
  const { from, to } = completeAt(input);
  if (before.startsWith('/') && !before.includes('\n')) {
    const items = completeCommand(before, session);
    return items.length === 0 ? undefined : { items, index: 0, moved: false, from, to };
  }
  return before.charAt(from) === '@' ? 'paths' : undefined;
}
