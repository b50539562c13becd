import type { Cursor } from './editor-lines.ts';
import { oneLine, truncateLine, widthOf } from './text.ts';
import type { Paint } from './theme.ts';
import type { CompletionMenu, HistorySearch, Picker } from './ui-state.ts';

type Options = { readonly width: number; readonly paint: Paint };

/** The slice of a long list that shows the selected entry. */
function windowOf<Entry>(
  entries: readonly Entry[],
  index: number,
  rows: number,
): { readonly entries: readonly Entry[]; readonly top: number } {
  const top = Math.max(0, Math.min(index - Math.floor(rows / 2), entries.length - rows));
  return { entries: entries.slice(top, top + rows), top };
}

function choiceRows(
  choices: readonly { label: string; detail: string }[],
  index: number,
  options: Options,
  maxRows: number,
): readonly string[] {
  const { width, paint } = options;
  const { entries, top } = windowOf(choices, index, maxRows);
  const column = Math.min(Math.floor(width / 2), Math.max(0, ...entries.map(({ label }) => widthOf(label))));
  return entries.map(({ label, detail }, at) => {
    const chosen = top + at === index;
    const name = truncateLine(label, column);
    const text = `${chosen ? '›' : ' '} ${name}${' '.repeat(Math.max(0, column - widthOf(name)))}`;
    const help = truncateLine(oneLine(detail), width - widthOf(text) - 2);
    const row = chosen ? paint('accent', text.trimEnd()) + ' '.repeat(text.length - text.trimEnd().length) : text;
    return help === '' ? row.trimEnd() : `${row}  ${paint('dim', help)}`;
  });
}

/** What the input could go on with. */
export function menuLines(menu: CompletionMenu, options: Options, maxRows: number): readonly string[] {
  return choiceRows(
    menu.items.map(({ value, help }) => ({ label: value, detail: help })),
    menu.index,
    options,
    maxRows,
  );
}

/** The entries of a picker that the typed text leaves over. */
export function pickerChoices(picker: Picker): Picker['items'] {
  const words = picker.filter.toLowerCase().split(/\s+/).filter(Boolean);
  return picker.items.filter(({ label, detail }) => words.every((word) => `${label} ${detail}`.toLowerCase().includes(word)));
}

/** A list to choose from, narrowed by typing. */
export function pickerLines(picker: Picker, options: Options, maxRows: number): readonly string[] {
  const { width, paint } = options;
  const choices = pickerChoices(picker);
  const filter = picker.filter === '' ? 'type to search, Enter to choose, Esc to go back' : picker.filter;
  const title = truncateLine(`${paint('bold', picker.title)} ${paint('dim', filter)}`, width);
  if (choices.length === 0) return [title, paint('dim', '  nothing matches')];
  return [title, ...choiceRows(choices, Math.min(picker.index, choices.length - 1), options, Math.max(1, maxRows - 1))];
}

/** The line of a search through the history. */
export function searchLine(search: HistorySearch, options: Options): { readonly rows: readonly string[]; readonly cursor: Cursor } {
  const { width, paint } = options;
  const head = truncateLine(`search: ${search.query}`, Math.max(1, width - 1));
  const match = search.match === undefined ? (search.query === '' ? '' : ' → nothing found') : ` → ${oneLine(search.match)}`;
  return { rows: [head + paint('dim', truncateLine(match, width - widthOf(head)))], cursor: { x: widthOf(head), y: 0 } };
}
