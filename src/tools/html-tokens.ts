export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string }
  | { readonly kind: 'close'; readonly name: string };

/** Elements whose content is no text of the page. */
const skipped = new Set(['script', 'style', 'noscript', 'iframe', 'template', 'svg', 'object', 'canvas', 'select']);

/** How far a tag is read with regard to quotes; longer ones end at the next `>`. Keeps hostile pages linear. */
const maxQuotedTag = 8192;

function endOfTag(html: string, start: number): number {
  let quote = '';
  const limit = Math.min(html.length, start + maxQuotedTag);
  for (let at = start; at < limit; at += 1) {
    const character = html[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at;
    else if ((character === '"' || character === "'") && html[at - 1] === '=') quote = character;
  }
  return html.indexOf('>', start);
}

/** Tags and texts of a page, in one pass; comments, scripts and the like left out. Never throws, whatever the page is. */
export function* tokenizeHtml(html: string): Generator<HtmlToken> {
  const neverClosed = new Set<string>();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) break;
    if (open > at) yield { kind: 'text', text: html.slice(at, open) };
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      if (end === -1) return;
      at = end + 3;
      continue;
    }
    const name = /^\/?[a-z][\w:-]{0,40}/iu.exec(html.slice(open + 1, open + 44))?.[0].toLowerCase();
    const isDeclaration = html[open + 1] === '!' || html[open + 1] === '?';
    const end = name === undefined && !isDeclaration ? -1 : endOfTag(html, open + 1 + (name?.length ?? 0));
    if (end === -1) {
      yield { kind: 'text', text: '<' };
      at = open + 1;
      if (name !== undefined || isDeclaration) break; // no `>` in all that follows
      continue;
    }
    at = end + 1;
    if (name === undefined) continue;
    if (name.startsWith('/')) yield { kind: 'close', name: name.slice(1) };
    else if (skipped.has(name) && html[end - 1] !== '/' && !neverClosed.has(name)) {
      const closing = new RegExp(`</${name}[^>]*>`, 'giu');
      closing.lastIndex = at;
      if (closing.test(html)) at = closing.lastIndex;
      else neverClosed.add(name);
    } else yield { kind: 'open', name, attributes: html.slice(open + 1 + name.length, end) };
  }
  if (at < html.length) yield { kind: 'text', text: html.slice(at) };
}

/** The value of an attribute, entities decoded; undefined when absent. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, 'iu').exec(attributes);
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value === undefined ? undefined : decodeEntities(value);
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  shy: '',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  deg: '°',
  para: '¶',
  sect: '§',
  larr: '←',
  rarr: '→',
  euro: '€',
  pound: '£',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
};

/** Text with its character references replaced; unknown ones stay. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/giu, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : '\ufffd';
  });
}
