const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: '\\t ',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};
const wordSet = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';

function translateEscape(letter: string, inSet: boolean): string {
  switch (letter) {
    case 'd':
      return '\\p{Nd}';
    case 'D':
      return '\\P{Nd}';
    case 'w':
      return inSet ? wordSet : `[${wordSet}]`;
    case 'W':
      return inSet ? '\\W' : `[^${wordSet}]`;
    case 'A':
      return '^';
    case 'z':
      return '$';
    case 'a':
      return '\\x07';
    default:
      // any ASCII punctuation may be escaped in ripgrep; JavaScript takes only what has a meaning
      return /[!"#%&',:;<=>@_`~ ]/u.test(letter) || (letter === '-' && !inSet) ? letter : `\\${letter}`;
  }
}

/**
 * A line pattern as ripgrep reads it (docs.rs/regex, Syntax), as a JavaScript one, for machines without ripgrep. Covers what patterns of
 * everyday use: Unicode classes, POSIX sets, named groups, flags at the start. Throws a SyntaxError for what neither knows.
 */
export function compileRustRegex(pattern: string, ignoreCase: boolean): RegExp {
  const flags = new Set(ignoreCase ? ['u', 'i'] : ['u']);
  const leading = /^\(\?([a-zA-Z]+)\)/u.exec(pattern);
  for (const flag of leading?.[1] ?? '') {
    if (!/[imsu]/u.test(flag)) throw new SyntaxError(`the flag ${flag} needs ripgrep`);
    flags.add(flag);
  }
  const body = leading === null ? pattern : pattern.slice(leading[0].length);
  let source = '';
  let inSet = false;
  for (let at = 0; at < body.length; at += 1) {
    const rest = body.slice(at);
    const posix = inSet ? /^\[:(\w+):\]/u.exec(rest) : null;
    const special = /^\\(?:x\{([0-9A-Fa-f]+)\}|([pP])([A-Z]))/u.exec(rest);
    if (posix !== null) {
      source += posixClasses[posix[1] ?? ''] ?? '';
      at += posix[0].length - 1;
    } else if (special !== null) {
      source += special[1] === undefined ? `\\${special[2]}{${special[3]}}` : `\\u{${special[1]}}`;
      at += special[0].length - 1;
    } else if (body[at] === '\\') {
      at += 1;
      source += translateEscape(body[at] ?? '', inSet);
    } else if (rest.startsWith('(?P<')) {
      source += '(?<';
      at += 3;
    } else if (!inSet && body[at] === '[') {
      inSet = true;
      const negated = body[at + 1] === '^';
      source += negated ? '[^' : '[';
      if (negated) at += 1;
      // a closing bracket in the first place is a member
      if (body[at + 1] === ']') {
        source += '\\]';
        at += 1;
      }
    } else if (inSet && body[at] === ']') {
      inSet = false;
      source += ']';
    } else source += inSet && body[at] === '[' ? '\\[' : (body[at] ?? '');
  }
  return new RegExp(source, [...flags].join(''));
}
