/** A run of words that bash may take for one command, quotes removed; what is made at run time keeps its `$`. */
export type LooseSegment = {
  readonly words: readonly string[];
  /** What stands before it. */
  readonly join: 'start' | 'pipe' | 'other' | 'substitution';
  readonly redirects: readonly { readonly operator: string; readonly target: string }[];
};

type Open = {
  words: string[];
  word: string | undefined;
  join: LooseSegment['join'];
  redirects: { operator: string; target: string }[];
  operator: string | undefined;
};
type Frame = { kind: 'subst' | 'backtick' | 'brace' | 'double'; outer: Open | undefined };

const leadingKeywords = new Set([
  'if',
  'then',
  'elif',
  'else',
  'while',
  'until',
  'do',
  'time',
  '!',
  '{',
  '}',
  'coproc',
  'fi',
  'done',
  'esac',
  '-p',
]);
const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/u;
const bracesWithList = /\{[^{]*,/u;
const maxDepth = 2000;

/**
 * Cuts any text into the commands that bash could see in it: follows quotes, escapes, substitutions, groups, here-documents (as commands)
 * and redirections, and never fails. Linear.
 */
export function readLoosely(text: string): LooseSegment[] {
  const segments: LooseSegment[] = [];
  const frames: Frame[] = [];
  let open = emptyOpen('start');
  let at = 0;

  const append = (piece: string): void => {
    open.word = (open.word ?? '') + piece;
  };
  const endWord = (): void => {
    const { word, operator } = open;
    if (word === undefined) return;
    open.word = undefined;
    if (operator === undefined) open.words.push(word);
    else {
      open.operator = undefined;
      open.redirects.push({ operator, target: word });
      if (operator === '<<<') open.words.push(word);
    }
  };
  const endSegment = (join: LooseSegment['join']): void => {
    endWord();
    finish(open, segments);
    open = emptyOpen(join);
  };
  const enter = (kind: Frame['kind']): void => {
    if (frames.length < maxDepth) {
      frames.push({ kind, outer: open });
      open = emptyOpen('substitution');
    } else endSegment('substitution'); // too deep to follow, still scanned, only flat
  };
  /** Leaves the innermost frame of that kind and what is open inside it. */
  const leave = (kind: Frame['kind']): boolean => {
    const place = frames.map((frame) => frame.kind).lastIndexOf(kind);
    if (place < 0) return false;
    for (const frame of frames.splice(place).reverse()) {
      if (!frame.outer) continue;
      endWord();
      finish(open, segments);
      open = frame.outer;
    }
    return true;
  };

  while (at < text.length) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    const inDouble = frames.at(-1)?.kind === 'double';
    if (char === '\\') {
      at += 2;
      if (next === '\n') continue;
      if (next === '`' && frames.some((frame) => frame.kind === 'backtick')) endSegment('substitution');
      else append(inDouble && !'$`"\\'.includes(next) ? `\\${next}` : next);
    } else if (char === '"') {
      if (inDouble) frames.pop();
      else frames.push({ kind: 'double', outer: undefined });
      append('');
      at += 1;
    } else if (char === '$' && next === '(') {
      append('$');
      enter('subst');
      at += 2;
    } else if (char === '$' && next === '{') {
      const plain = /^\{\w{1,64}\}/u.exec(text.slice(at + 1, at + 70))?.[0];
      if (plain !== undefined) {
        append(`$${plain.slice(1, -1)}`);
        at += 1 + plain.length;
        continue;
      }
      append('$');
      enter('brace');
      at += 2 + parameterLength(text, at + 2);
    } else if (char === '`') {
      if (!leave('backtick')) {
        append('$');
        enter('backtick');
      }
      at += 1;
    } else if (char === '}' && frames.at(-1)?.kind === 'brace') {
      leave('brace');
      at += 1;
    } else if (inDouble) {
      append(char);
      at += 1;
    } else if (char === "'" || (char === '$' && next === "'")) {
      const quote = char === "'" ? readSingle(text, at + 1) : readAnsi(text, at + 2);
      append(quote.text);
      at = quote.end;
    } else if (char === '$' && next === '"') {
      at += 1;
    } else if ((char === '<' || char === '>') && next === '(') {
      append('$');
      enter('subst');
      at += 2;
    } else if (char === '<' || char === '>') {
      if (open.word !== undefined && /^(?:\d+|\{\w+\})$/u.test(open.word)) open.word = undefined;
      endWord();
      const operator = /^(?:<<<|<<-?|<>|<&|>>|>\||>&|.)/u.exec(text.slice(at, at + 3))?.[0] ?? char;
      open.operator = operator;
      at += operator.length;
    } else if (char === '&' && next === '>') {
      endWord();
      at += 1;
    } else if (char === '(') {
      if (open.word !== undefined && /[@*+?!]$/u.test(open.word)) append(char);
      else endSegment('other');
      at += 1;
    } else if (char === ')') {
      if (!leave('subst')) endSegment('other');
      at += 1;
    } else if (char === ';' || char === '&' || char === '|' || char === '\n' || char === '\r') {
      const isPipe = char === '|' && next !== '|' && text.charAt(at - 1) !== '|';
      const continuesPipe = char === '&' && text.charAt(at - 1) === '|';
      if (!continuesPipe) endSegment(isPipe ? 'pipe' : 'other');
      at += 1;
    } else if (char === '#' && open.word === undefined) {
      while (at < text.length && text.charAt(at) !== '\n') at += 1;
    } else if (char === ' ' || char === '\t' || char === '\v' || char === '\f') {
      endWord();
      at += 1;
    } else {
      append(char);
      at += 1;
    }
  }
  endWord();
  finish(open, segments);
  for (const frame of frames.reverse()) {
    if (!frame.outer) continue;
    open = frame.outer;
    endWord();
    finish(open, segments);
  }
  return segments;
}

function emptyOpen(join: LooseSegment['join']): Open {
  return { words: [], word: undefined, join, redirects: [], operator: undefined };
}

function finish(open: Open, segments: LooseSegment[]): void {
  let start = 0;
  while (start < open.words.length && (leadingKeywords.has(open.words[start] ?? '') || assignment.test(open.words[start] ?? '')))
    start += 1;
  // what an assignment holds may be run later (`c=rm; $c`), so it stays a word of its own
  const values = open.words.slice(0, start).flatMap((word) => (assignment.test(word) ? [word.slice(word.indexOf('=') + 1)] : []));
  const words = open.words.slice(start);
  for (const value of values) if (value !== '') segments.push({ words: [value], join: 'other', redirects: [] });
  if (words.some((word) => bracesWithList.test(word))) {
    segments.push({ words: words.flatMap((word) => word.split(/[{},]/u)).filter((word) => word !== ''), join: 'other', redirects: [] });
  }
  if (words.length > 0 || open.redirects.length > 0) segments.push({ words, join: open.join, redirects: open.redirects });
}

function readSingle(text: string, start: number): { text: string; end: number } {
  const end = text.indexOf("'", start);
  return end < 0 ? { text: text.slice(start), end: text.length } : { text: text.slice(start, end), end: end + 1 };
}

const ansiEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

/** The inside of `$'…'` with its escapes decoded. */
function readAnsi(text: string, start: number): { text: string; end: number } {
  const pieces: string[] = [];
  let at = start;
  while (at < text.length && text.charAt(at) !== "'") {
    if (text.charAt(at) !== '\\') {
      pieces.push(text.charAt(at));
      at += 1;
      continue;
    }
    const code = /^\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.))/su.exec(text.slice(at, at + 10));
    if (code) {
      const [whole, hex, short, long, octal, control] = code;
      const point =
        control === undefined
          ? Number.parseInt(hex ?? short ?? long ?? octal ?? '0', octal === undefined ? 16 : 8)
          : control.charCodeAt(0) & 31;
      pieces.push(point <= 0x10ffff ? String.fromCodePoint(point) : '');
      at += whole.length;
    } else {
      const escaped = text.charAt(at + 1);
      pieces.push(ansiEscapes[escaped] ?? escaped);
      at += 2;
    }
  }
  return { text: pieces.join(''), end: at + 1 };
}

/** Length of the name and the operator at the start of `${…}`: what follows may be run. */
function parameterLength(text: string, start: number): number {
  return /^[!#]?\w*(?::?[-=+?]|\^\^?|,,?|##?|%%?|\/\/?|@)?/u.exec(text.slice(start, start + 200))?.[0].length ?? 0;
}
