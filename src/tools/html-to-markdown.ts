import { attributeOf, decodeEntities, tokenizeHtml } from './html-tokens.ts';

/** Line breaks before and after an element: 1 for a line of its own, 2 for a paragraph. */
const breaks: Readonly<Record<string, 1 | 2>> = {
  ...Object.fromEntries(
    ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'dl', 'table', 'pre', 'blockquote', 'title'].map((name) => [name, 2]),
  ),
  ...Object.fromEntries(
    'div section article header footer main nav aside figure figcaption form fieldset address details summary li dt dd tr option body head'
      .split(' ')
      .map((name) => [name, 1]),
  ),
};
const marks: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*', code: '`', kbd: '`', del: '~~', s: '~~' };
const maxDepth = 8;
const maxLinkChars = 500;

/** Collects Markdown: white space joined, breaks only between texts, lists and quotes indented. */
function createWriter() {
  const parts: string[] = [];
  let pending = 0;
  let space = false;
  let prefix = '';
  let started = false;
  let length = 0;
  const write = (text: string): void => {
    if (pending > 0 && started) parts.push(pending === 2 ? `\n${prefix.trimEnd()}\n` : '\n', prefix);
    else if (space && started) parts.push(' ');
    else if (!started) parts.push(prefix);
    pending = 0;
    space = false;
    started = true;
    parts.push(text);
    length += text.length;
  };
  return {
    write,
    /** Characters written, about. */
    length: () => length,
    /** Text right behind the last one, before a space or break that is due. */
    attach(text: string): void {
      parts.push(text);
    },
    /** Text as in a paragraph. */
    flow(text: string): void {
      const words = text.replace(/\s+/gu, ' ');
      if (/^\s/u.test(words) && pending === 0) space = true;
      if (words.trim() === '') return;
      write(words.trim());
      space = words.endsWith(' ');
    },
    break(lines: 1 | 2): void {
      pending = Math.max(pending, lines);
      space = false;
    },
    /** Written before every line from the next break on. */
    setPrefix(text: string): void {
      prefix = text;
    },
    /** Number of pieces so far, to see whether something was written since. */
    size: () => parts.length,
    truncate(size: number): void {
      parts.length = size;
    },
    text: () => parts.join(''),
  };
}

/**
 * A page as Markdown: headings, paragraphs, lists, links (made absolute), code, quotes and tables. One pass in linear time, since pages
 * are hostile input and this runs where keys are handled; stops soon after `maxChars` of Markdown.
 */
export function htmlToMarkdown(html: string, { base, maxChars }: { base: string; maxChars: number }): string {
  const writer = createWriter();
  const lists: { ordered: boolean; count: number }[] = [];
  const openMarks: string[] = [];
  let quotes = 0;
  let preformatted = 0;
  let link: { size: number; href: string } | undefined;
  let cells = 0;

  const indent = (): void => {
    writer.setPrefix('> '.repeat(Math.min(quotes, maxDepth)) + '  '.repeat(Math.min(Math.max(lists.length - 1, 0), maxDepth)));
  };
  const closeLink = (): void => {
    if (link === undefined) return;
    if (writer.size() > link.size + 1) writer.attach(`](${link.href})`);
    else writer.truncate(link.size);
    link = undefined;
  };

  const open = (name: string, attributes: string): void => {
    const lines = breaks[name];
    if (lines !== undefined) writer.break(name === 'ul' || name === 'ol' ? (lists.length > 0 ? 1 : 2) : lines);
    const mark = marks[name];
    if (mark !== undefined && preformatted === 0) {
      openMarks.push(name);
      writer.write(mark);
    }
    if (/^h[1-6]$/u.test(name)) writer.write(`${'#'.repeat(Number(name[1]))} `);
    switch (name) {
      case 'br':
        if (preformatted > 0) writer.write('\n');
        else writer.break(1);
        return;
      case 'hr':
        writer.break(2);
        writer.write('---');
        writer.break(2);
        return;
      case 'ul':
      case 'ol':
        lists.push({ ordered: name === 'ol', count: 0 });
        indent();
        return;
      case 'li': {
        const list = lists.at(-1);
        if (list !== undefined) list.count += 1;
        writer.write(list?.ordered === true ? `${list.count}. ` : '- ');
        return;
      }
      case 'blockquote':
        quotes += 1;
        indent();
        return;
      case 'pre':
        preformatted += 1;
        if (preformatted === 1) writer.write('```\n');
        return;
      case 'tr':
        cells = 0;
        return;
      case 'td':
      case 'th':
        cells += 1;
        if (cells > 1) writer.write(' | ');
        return;
      case 'img': {
        const alt = attributeOf(attributes, 'alt')?.trim() ?? '';
        if (alt !== '') writer.flow(` ![${alt}] `);
        return;
      }
      case 'a': {
        closeLink();
        const href = attributeOf(attributes, 'href');
        if (href === undefined || href.startsWith('#') || href.length > maxLinkChars || !URL.canParse(href, base)) return;
        writer.flow('');
        writer.write('[');
        link = { size: writer.size() - 1, href: new URL(href, base).href };
        return;
      }
    }
  };

  const close = (name: string): void => {
    if (name === 'a') closeLink();
    const mark = marks[name];
    if (mark !== undefined && openMarks.at(-1) === name) {
      openMarks.pop();
      writer.attach(mark);
    }
    if (name === 'pre' && preformatted > 0) {
      preformatted -= 1;
      if (preformatted === 0) writer.write('\n```');
    }
    if (name === 'ul' || name === 'ol') {
      lists.pop();
      indent();
    }
    if (name === 'blockquote' && quotes > 0) {
      quotes -= 1;
      indent();
    }
    const lines = breaks[name];
    if (lines !== undefined) writer.break((name === 'ul' || name === 'ol') && lists.length > 0 ? 1 : lines);
  };

  for (const token of tokenizeHtml(html)) {
    if (writer.length() > maxChars) break;
    if (token.kind === 'open') open(token.name, token.attributes);
    else if (token.kind === 'close') close(token.name);
    else {
      const text = decodeEntities(token.text);
      if (preformatted > 0) writer.write(text);
      else writer.flow(text);
    }
  }
  closeLink();
  return writer.text().trim();
}
