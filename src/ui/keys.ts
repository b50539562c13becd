/** One thing that the keyboard or the terminal said. `name` is a key's name, or the character of a letter key. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'press'; readonly name: string; readonly ctrl: boolean; readonly alt: boolean; readonly shift: boolean }
  | { readonly kind: 'focus'; readonly focused: boolean }
  /** An answer of the terminal's to a query; never a key. */
  | { readonly kind: 'reply'; readonly sequence: string };

export type KeyDecoder = {
  /** Keys that `chunk` completes. Sequences and pastes may be split anywhere between chunks. */
  push(chunk: string): readonly Key[];
  /** Whether the beginning of a sequence waits: after a short silence it is taken for what it is, see `flush`. */
  readonly waiting: boolean;
  /** What waits, read as keys: a lone ESC is the Esc key. */
  flush(): readonly Key[];
};

const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';
/** Longest sequence that is waited for; anything longer is no key. */
const maxSequenceChars = 64;

const csiLetters: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'begin',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};
const csiNumbers: Readonly<Record<string, string>> = {
  '1': 'home',
  '2': 'insert',
  '3': 'delete',
  '4': 'end',
  '5': 'pageup',
  '6': 'pagedown',
  '7': 'home',
  '8': 'end',
};
const codePointNames: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  32: ' ',
  127: 'backspace',
  57414: 'enter',
};

function press(name: string, modifiers: { ctrl?: boolean; alt?: boolean; shift?: boolean } = {}): Key {
  return { kind: 'press', name, ctrl: modifiers.ctrl ?? false, alt: modifiers.alt ?? false, shift: modifiers.shift ?? false };
}

/** The modifier parameter of xterm and kitty: 1 + shift 1, alt 2, ctrl 4. */
function modifiersOf(parameter: string | undefined): { ctrl: boolean; alt: boolean; shift: boolean } {
  const bits = Math.max(0, Number.parseInt(parameter ?? '1', 10) - 1 || 0);
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0 };
}

/** A key given as code point with modifiers: kitty's `CSI code ; modifiers u` and xterm's `CSI 27 ; modifiers ; code ~`. */
function codePointKey(code: number, parameter: string | undefined, text: string | undefined): Key | undefined {
  const modifiers = modifiersOf(parameter);
  const name = codePointNames[code];
  if (name !== undefined && name !== ' ') return press(name, modifiers);
  // Kitty's functional keys live in the private use area; those without a meaning here are dropped.
  if (!(code >= 32 && code <= 0x10ffff) || (code >= 57344 && code <= 63743)) return undefined;
  const character = String.fromCodePoint(code);
  if (modifiers.ctrl || modifiers.alt) return press(character.toLowerCase(), modifiers);
  if (text !== undefined && text !== '') {
    const typed = text.split(':').map((point) => String.fromCodePoint(Number.parseInt(point, 10) || 32));
    return { kind: 'text', text: typed.join('') };
  }
  return { kind: 'text', text: modifiers.shift ? character.toUpperCase() : character };
}

function csiKey(body: string, final: string, alt: boolean): Key | undefined {
  if (body === '' && final === 'I') return { kind: 'focus', focused: true };
  if (body === '' && final === 'O') return { kind: 'focus', focused: false };
  if (/^[?>=]/.test(body) || (final === 'R' && body.includes(';') && !body.startsWith('1;'))) {
    return { kind: 'reply', sequence: `\u001b[${body}${final}` };
  }
  const parameters = body.split(';');
  const [eventModifiers, eventType] = (parameters[1] ?? '').split(':');
  if (eventType === '3') return undefined;
  if (final === 'u') return codePointKey(Number.parseInt(parameters[0] ?? '', 10), eventModifiers, parameters[2]);
  if (final === 'Z') return press('tab', { shift: true });
  if (final === '~') {
    if (parameters[0] === '27') return codePointKey(Number.parseInt(parameters[2] ?? '', 10), parameters[1], undefined);
    const name = csiNumbers[parameters[0] ?? ''];
    return name === undefined ? undefined : press(name, withAlt(modifiersOf(eventModifiers), alt));
  }
  const name = csiLetters[final];
  return name === undefined ? undefined : press(name, withAlt(modifiersOf(eventModifiers), alt));
}

function withAlt(
  modifiers: { ctrl: boolean; alt: boolean; shift: boolean },
  alt: boolean,
): { ctrl: boolean; alt: boolean; shift: boolean } {
  return alt ? { ...modifiers, alt } : modifiers;
}

function controlKey(code: number, alt: boolean): Key {
  if (code === 0x0d) return press('enter', { alt });
  if (code === 0x09) return press('tab', { alt });
  if (code === 0x7f || code === 0x08) return press('backspace', { alt });
  if (code === 0x1b) return press('escape', { alt });
  if (code === 0x00) return press(' ', { ctrl: true, alt });
  return press(String.fromCharCode(code < 0x1b ? code + 0x60 : code + 0x40), { ctrl: true, alt });
}

function isControl(code: number): boolean {
  return code < 0x20 || code === 0x7f;
}

type Parsed = { readonly key: Key | undefined; readonly length: number } | 'incomplete';

/** Reads the escape sequence at the start of `input`. */
function parseSequence(input: string): Parsed {
  const second = input[1];
  if (second === undefined) return 'incomplete';
  const doubled = second === '\u001b' && (input[2] === '[' || input[2] === 'O');
  const at = doubled ? 2 : 1;
  const opener = input[at];
  if (opener === '[') {
    // The Linux console's function keys have a second bracket: ESC [ [ A.
    let end = at + 1;
    if (input[end] === '[') return input.length > end + 1 ? { key: undefined, length: end + 2 } : 'incomplete';
    while (end < input.length && input.charCodeAt(end) >= 0x20 && input.charCodeAt(end) < 0x40) end += 1;
    const final = input[end];
    if (final === undefined) return input.length > maxSequenceChars ? { key: press('escape'), length: 1 } : 'incomplete';
    if (input.charCodeAt(end) > 0x7e || input.charCodeAt(end) < 0x40) return { key: undefined, length: end };
    return { key: csiKey(input.slice(at + 1, end), final, doubled), length: end + 1 };
  }
  if (opener === 'O') {
    const final = input[at + 1];
    if (final === undefined) return 'incomplete';
    if (final === 'M') return { key: press('enter'), length: at + 2 };
    const name = csiLetters[final];
    if (name !== undefined) return { key: press(name, { alt: doubled }), length: at + 2 };
    return { key: press('O', { alt: true, shift: true }), length: at + 1 };
  }
  if (second === '\u001b') return input.length > 2 ? { key: press('escape'), length: 1 } : 'incomplete';
  // Answers in OSC, DCS and APC: skipped up to their terminator.
  if (second === ']' || second === 'P' || second === '_') {
    const end = /\u0007|\u001b\\/.exec(input);
    if (end !== null) return { key: { kind: 'reply', sequence: input.slice(0, end.index) }, length: end.index + end[0].length };
    return input.length > 4 * maxSequenceChars ? { key: undefined, length: input.length } : 'incomplete';
  }
  const code = input.codePointAt(1) ?? 0;
  if (isControl(code)) return { key: controlKey(code, true), length: 2 };
  const character = String.fromCodePoint(code);
  return { key: press(character.toLowerCase(), { alt: true, shift: character !== character.toLowerCase() }), length: 1 + character.length };
}

/** Turns what a terminal in raw mode sends into keys. */
export function createKeyDecoder(): KeyDecoder {
  let pending = '';
  let paste: string[] | undefined;

  const decode = (input: string, keys: Key[]): string => {
    let index = 0;
    let textStart = 0;
    const endText = (): void => {
      if (index > textStart) keys.push({ kind: 'text', text: input.slice(textStart, index) });
    };
    while (index < input.length) {
      const code = input.charCodeAt(index);
      if (!isControl(code)) {
        index += 1;
        continue;
      }
      endText();
      if (code !== 0x1b) {
        keys.push(controlKey(code, false));
        index += 1;
        textStart = index;
        continue;
      }
      const rest = input.slice(index, index + 4 * maxSequenceChars + 1);
      if (rest.startsWith(pasteStart)) {
        paste = [];
        const after = input.slice(index + pasteStart.length);
        return continuePaste(after, keys);
      }
      const parsed = parseSequence(rest);
      if (parsed === 'incomplete') return input.slice(index);
      if (parsed.key !== undefined) keys.push(parsed.key);
      index += parsed.length;
      textStart = index;
    }
    endText();
    return '';
  };

  /** A paste is collected in pieces, so that a long one costs no more than its length. */
  const continuePaste = (input: string, keys: Key[]): string => {
    const pieces = paste ?? [];
    const end = input.indexOf(pasteEnd);
    if (end < 0) {
      const kept = Math.min(input.length, pasteEnd.length - 1);
      pieces.push(input.slice(0, input.length - kept));
      return input.slice(input.length - kept);
    }
    pieces.push(input.slice(0, end));
    paste = undefined;
    keys.push({ kind: 'paste', text: pieces.join('') });
    return decode(input.slice(end + pasteEnd.length), keys);
  };

  return {
    push(chunk) {
      const keys: Key[] = [];
      const input = pending + chunk;
      pending = paste === undefined ? decode(input, keys) : continuePaste(input, keys);
      return keys;
    },
    get waiting() {
      return pending !== '' && paste === undefined;
    },
    flush() {
      if (pending === '' || paste !== undefined) return [];
      const waited = pending;
      pending = '';
      if (waited === '\u001b') return [press('escape')];
      if (waited === '\u001b\u001b') return [press('escape'), press('escape')];
      if (waited === '\u001b[') return [press('[', { alt: true })];
      if (waited === '\u001bO') return [press('o', { alt: true, shift: true })];
      return [];
    },
  };
}
