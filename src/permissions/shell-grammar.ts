export type ShellWord = { readonly text: string /** Any part of it stood in quotes. */; readonly quoted: boolean };

/** One simple command: a bare name and its words. `join` is the operator before it, empty for the first. */
export type ShellSegment = {
  readonly join: '' | '&&' | '||' | ';' | '|';
  readonly words: readonly ShellWord[];
  readonly redirects: readonly string[];
};

export type ParsedCommand =
  | { readonly kind: 'understood'; readonly segments: readonly ShellSegment[] }
  /** Not in the grammar; a person must look. */
  | { readonly kind: 'unclear'; readonly reason: string };

const alwaysSpecial = new Set('$`\\');
const specialUnquoted = new Set('$`\\(){}[]*?~!#<>');
/** Also special to bash inside double quotes; `!` only in interactive shells, but it costs nothing to be strict. */
const specialInDoubleQuotes = new Set([...alwaysSpecial, '!']);
const redirects = ['2>/dev/null', '>/dev/null', '2>&1', '>&2'] as const;
const operators = ['&&', '||', ';', '|'] as const;
const bareName = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/u;
const assignment = /^[A-Za-z_][A-Za-z0-9_]*\+?=/u;
const keywords = new Set('if then elif else fi for while until do done case esac select function in time coproc'.split(' '));

/**
 * Reads a command line by a small positive grammar: words of printable ASCII joined by `&&`, `||`, `;` or `|`, with four harmless redirections.
 * Whatever else bash knows is unclear. Linear in the length of the command.
 */
export function parseCommand(command: string): ParsedCommand {
  const foreign = /[^\x20-\x7e]/u.exec(command);
  if (foreign) return unclear(`it contains ${nameOf(foreign[0])}`);

  const segments: ShellSegment[] = [];
  let join: ShellSegment['join'] = '';
  let words: ShellWord[] = [];
  let redirected: string[] = [];
  let at = 0;

  while (at < command.length) {
    const char = command.charAt(at);
    if (char === ' ') {
      at += 1;
      continue;
    }
    const redirect = redirects.find((form) => command.startsWith(form, at) && endsWord(command, at + form.length));
    if (redirect) {
      redirected.push(redirect);
      at += redirect.length;
      continue;
    }
    const operator = operators.find((form) => command.startsWith(form, at));
    if (operator) {
      const problem =
        segmentProblem(words) ??
        (';|&'.includes(command.charAt(at + operator.length)) && at + operator.length < command.length
          ? `'${command.slice(at, at + operator.length + 1)}' is not understood`
          : undefined);
      if (problem) return unclear(problem);
      segments.push({ join, words, redirects: redirected });
      [join, words, redirected, at] = [operator, [], [], at + operator.length];
      continue;
    }
    const word = readWord(command, at);
    if ('problem' in word) return unclear(word.problem);
    words.push({ text: word.text, quoted: word.quoted });
    at = word.end;
  }
  const trailingSemicolon = join === ';' && words.length === 0 && redirected.length === 0;
  if (!trailingSemicolon) {
    const problem = segmentProblem(words);
    if (problem) return unclear(problem);
    segments.push({ join, words, redirects: redirected });
  }
  return { kind: 'understood', segments };
}

/** The word that begins at `start`, quotes removed, up to a space or an operator. */
function readWord(command: string, start: number): { text: string; quoted: boolean; end: number } | { problem: string } {
  let text = '';
  let quoted = false;
  let at = start;
  while (at < command.length) {
    const char = command.charAt(at);
    if (char === ' ' || char === ';' || char === '|' || command.startsWith('&&', at)) break;
    if (char === "'" || char === '"') {
      const end = command.indexOf(char, at + 1);
      if (end < 0) return { problem: `a quote ${char} is not closed` };
      const inner = command.slice(at + 1, end);
      const special = char === '"' ? [...inner].find((each) => specialInDoubleQuotes.has(each)) : undefined;
      if (special) return { problem: `'${special}' inside double quotes is not understood` };
      text += inner;
      quoted = true;
      at = end + 1;
      continue;
    }
    if (specialUnquoted.has(char) || char === '&') return { problem: `an unquoted '${char}' is not understood` };
    text += char;
    at += 1;
  }
  return { text, quoted, end: at };
}

function endsWord(command: string, at: number): boolean {
  return at >= command.length || ' ;|'.includes(command.charAt(at)) || command.startsWith('&&', at);
}

function segmentProblem(words: readonly ShellWord[]): string | undefined {
  const [first] = words;
  if (!first) return 'a command is missing before or after an operator';
  if (assignment.test(first.text)) return `it sets a variable first ('${shorten(first.text)}')`;
  if (!first.quoted && keywords.has(first.text)) return `'${first.text}' is a shell keyword`;
  if (first.quoted || !bareName.test(first.text)) return `the command word '${shorten(first.text)}' is not a bare name`;
  return undefined;
}

function unclear(reason: string): ParsedCommand {
  return { kind: 'unclear', reason };
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function nameOf(char: string): string {
  if (char === '\n') return 'a line break';
  if (char === '\t') return 'a tab';
  return `the character U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
