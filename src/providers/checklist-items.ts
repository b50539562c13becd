/** One call that an item needs; `mustFail` turns a non-zero exit into success. */
export type Step = { readonly name: string; readonly arguments: Readonly<Record<string, unknown>>; readonly mustFail?: boolean };

export type ChecklistItem = {
  /** The line without its marker: the content of the todo. */
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';
  /** The fenced block that followed the line. */
  readonly block: string | undefined;
};

const listLine = /^(\s*)(?:[-*+•]|\d{1,6}[.)])\s+(?:\[([^\]]{1,12})\]\s+)?(\S.*)$/u;
const fenceLine = /^(\s*)(`{3,}|~{3,})/u;
const statusByMark: Readonly<Record<string, ChecklistItem['status']>> = {
  x: 'completed',
  X: 'completed',
  '-': 'cancelled',
  '~': 'in_progress',
  completed: 'completed',
  cancelled: 'cancelled',
  blocked: 'blocked',
  in_progress: 'in_progress',
};

/** What only points at the block under the line, and would read as a torn sentence without it. */
const leadsToBlock = /\s*(?:\b(?:with|containing|as follows)\s*:?|:)$/iu;

/** Numbered, bulleted and checkbox lines as items. A line with deeper lines under it and nothing in backticks is a heading, no item. */
export function parseItems(text: string): readonly ChecklistItem[] {
  const lines = text.split(/\r?\n/u);
  const found: { indent: number; content: string; status: ChecklistItem['status']; block: string | undefined }[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const fence = fenceLine.exec(line);
    if (fence !== null) {
      const { block, next } = readBlock(lines, index + 1, { indent: fence[1] ?? '', mark: fence[2] ?? '```' });
      const owner = found.at(-1);
      if (owner !== undefined && owner.block === undefined) owner.block = block;
      index = next;
      continue;
    }
    const match = listLine.exec(line);
    if (match === null) continue;
    const mark = match[2] ?? '';
    const status = Object.hasOwn(statusByMark, mark) ? (statusByMark[mark] ?? 'pending') : 'pending';
    found.push({ indent: (match[1] ?? '').length, content: (match[3] ?? '').trim(), status, block: undefined });
  }
  return found
    .filter((item, index) => {
      const below = found[index + 1];
      return item.content.includes('`') || item.block !== undefined || below === undefined || below.indent <= item.indent;
    })
    .map(({ content, status, block }) => ({ content: block === undefined ? content : content.replace(leadsToBlock, ''), status, block }));
}

function readBlock(lines: readonly string[], start: number, fence: { indent: string; mark: string }): { block: string; next: number } {
  const body: string[] = [];
  for (let index = start; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const trimmed = line.trim();
    if (trimmed.length >= fence.mark.length && [...trimmed].every((character) => character === fence.mark[0])) {
      return { block: body.map((text) => `${text}\n`).join(''), next: index };
    }
    body.push(line.startsWith(fence.indent) ? line.slice(fence.indent.length) : line.trimStart());
  }
  return { block: body.map((text) => `${text}\n`).join(''), next: lines.length };
}

const readVerbs = /^(?:please )?(?:read|show|open|view|print|display)\b/iu;
const listVerbs = /^(?:please )?list\b/iu;
const findVerbs = /^(?:please )?(?:find|locate)\b/iu;
const writeVerbs = /^(?:please )?(?:create|write|make|add|save)\b/iu;
const replacePattern = /\breplace\s+(`+)(.+?)\1\s+(?:with|by)\s+(`+)(.*?)\3\s+in\s+(?:the file\s+)?`([^`]+)`/iu;
const inlineContent = /\b(?:with|containing)\s+(?:the\s+)?(?:content|text|line)?s?\s*:?\s*`([^`]*)`/iu;
/** Only these run what stands in backticks: "delete `build.sh`" must not start it. */
const runVerbs = /\b(?:run|rerun|execute|exec|try|test|check|verify|start|call|build|install|show|print|with|using)\b/iu;
const commandLike = /\s/u;

/** The calls that do an item, or in words why it cannot be done. */
export function stepsOf(item: Pick<ChecklistItem, 'content' | 'block'>): readonly Step[] | { readonly cannot: string } {
  const { content, block } = item;
  const replace = replacePattern.exec(content);
  if (replace !== null) {
    const path = replace[5] ?? '';
    const edit = { old_text: replace[2] ?? '', new_text: replace[4] ?? '' };
    return [
      { name: 'read_file', arguments: { path } },
      { name: 'edit_file', arguments: { path, edits: [edit] } },
    ];
  }
  const spans = [...content.matchAll(/`([^`]+)`/gu)].map((match) => (match[1] ?? '').trim()).filter((span) => span !== '');
  const first = spans[0];
  if (listVerbs.test(content) && (first === undefined || !commandLike.test(first))) {
    return [{ name: 'list_dir', arguments: { path: first ?? '.' } }];
  }
  if (first === undefined) {
    return { cannot: 'it names no command, file or pattern in backticks' };
  }
  if (findVerbs.test(content)) {
    const folder = /\bin\s+`([^`]+)`\s*$/iu.exec(content)?.[1]?.replace(/\/+$/u, '');
    const wanted =
      folder === undefined || folder === '.' || folder === first ? first : `${folder}/${first.includes('/') ? first : `**/${first}`}`;
    return [{ name: 'glob', arguments: { pattern: wanted } }];
  }
  if (writeVerbs.test(content) && !commandLike.test(first)) {
    const text = block ?? inlineText(content) ?? (/\bempty\b/iu.test(content) ? '' : undefined);
    if (text === undefined) return { cannot: `it gives no content for ${first}: put a fenced block under the line` };
    return [{ name: 'write_file', arguments: { path: first, content: text } }];
  }
  if (readVerbs.test(content) && !commandLike.test(first)) {
    return spans.filter((span) => !commandLike.test(span)).map((path) => ({ name: 'read_file', arguments: { path } }));
  }
  const mustFail = /\b(?:must|should|has to|is expected to) fail\b/iu.test(content);
  const before = content.slice(0, content.indexOf('`'));
  if (!mustFail && before.trim() !== '' && !runVerbs.test(before) && !/:\s*$/u.test(before)) {
    return { cannot: `I do not know how to do that with \`${first}\`` };
  }
  return spans.map((command) => ({ name: 'shell', arguments: { command }, ...(mustFail ? { mustFail } : {}) }));
}

function inlineText(content: string): string | undefined {
  const text = inlineContent.exec(content)?.[1];
  return text === undefined ? undefined : `${text}\n`;
}
