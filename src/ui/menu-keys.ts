import { isPress } from './key-bindings.ts';
import type { Key } from './keys.ts';
import { pickerChoices } from './menu-lines.ts';
import type { CompletionMenu, HistorySearch, Picker } from './ui-state.ts';

function stepped(index: number, by: number, length: number): number {
  return length === 0 ? 0 : (Math.min(index, length - 1) + by + length) % length;
}

/** Up and down, by arrow or as readline has them. */
export function stepOf(key: Key): -1 | 0 | 1 {
  if (isPress(key, 'down') || isPress(key, 'n', 'ctrl')) return 1;
  return isPress(key, 'up') || isPress(key, 'p', 'ctrl') ? -1 : 0;
}

export type CompletionStep =
  | { readonly kind: 'pass' }
  | { readonly kind: 'menu'; readonly menu: CompletionMenu }
  | { readonly kind: 'take'; readonly value: string };

/**
 * What a key does while completions are offered. Tab takes one; Enter does so only when what was typed is not whole yet, or another entry was
 * chosen with the arrows: what is whole is sent.
 */
export function completionKey(menu: CompletionMenu, key: Key, typed: string): CompletionStep {
  const by = stepOf(key);
  if (by !== 0) return { kind: 'menu', menu: { ...menu, index: stepped(menu.index, by, menu.items.length), moved: true } };
  const item = menu.items[menu.index];
  if (item === undefined) return { kind: 'pass' };
  if (isPress(key, 'tab')) return { kind: 'take', value: item.value };
  if (!isPress(key, 'enter') || typed === item.value) return { kind: 'pass' };
  const isWhole = menu.items.some(({ value }) => value === typed);
  const isName = typed.startsWith('/') || typed.startsWith('@');
  return menu.moved || (isName && !isWhole) ? { kind: 'take', value: item.value } : { kind: 'pass' };
}

/** The newest line of the history, after `skip` others, that contains the query. */
export function searchHistory(history: readonly string[], query: string, skip: number): HistorySearch {
  const wanted = query.toLowerCase();
  const matches = query === '' ? [] : [...new Set(history.toReversed())].filter((line) => line.toLowerCase().includes(wanted));
  const index = Math.min(skip, Math.max(0, matches.length - 1));
  return { query, skip: index, match: matches[index] };
}

export type SearchStep =
  | { readonly kind: 'search'; readonly search: HistorySearch }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'take'; readonly line: string | undefined };

/** What a key does during a search: type, Ctrl+R for older, Esc to leave; any other key takes what was found. */
export function searchKey(search: HistorySearch, key: Key, history: readonly string[]): SearchStep {
  if (isPress(key, 'r', 'ctrl')) return { kind: 'search', search: searchHistory(history, search.query, search.skip + 1) };
  if (key.kind === 'text' || key.kind === 'paste') {
    return { kind: 'search', search: searchHistory(history, search.query + key.text.replace(/\s+/gu, ' '), 0) };
  }
  if (isPress(key, 'backspace')) return { kind: 'search', search: searchHistory(history, search.query.slice(0, -1), 0) };
  if (isPress(key, 'g', 'ctrl') || isPress(key, 'c', 'ctrl') || isPress(key, 'escape')) return { kind: 'cancel' };
  return { kind: 'take', line: search.match };
}

export type PickerStep =
  | { readonly kind: 'picker'; readonly picker: Picker }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'choose'; readonly id: string };

/** What a key does in a picker: type to narrow, arrows to move, Enter to choose. */
export function pickerKey(picker: Picker, key: Key): PickerStep {
  const choices = pickerChoices(picker);
  const by = stepOf(key);
  if (by !== 0) return { kind: 'picker', picker: { ...picker, index: stepped(picker.index, by, choices.length) } };
  if (key.kind === 'text') return { kind: 'picker', picker: { ...picker, filter: picker.filter + key.text, index: 0 } };
  if (isPress(key, 'backspace')) return { kind: 'picker', picker: { ...picker, filter: picker.filter.slice(0, -1), index: 0 } };
  if (isPress(key, 'escape') || isPress(key, 'c', 'ctrl')) return { kind: 'cancel' };
  const chosen = choices[Math.min(picker.index, choices.length - 1)];
  return isPress(key, 'enter') && chosen !== undefined ? { kind: 'choose', id: chosen.id } : { kind: 'picker', picker };
}
