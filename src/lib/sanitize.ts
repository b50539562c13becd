import { lazy } from '../types/lazy.ts';

/**
 * Where a stream of text stands: outside of any sequence, in an escape, in a CSI, or in a string (OSC, DCS, APC, PM, SOS). `chars` counts
 * what the sequence swallowed so far; `afterReturn`: the last character was a carriage return, already given out as a line break.
 */
export type SanitizeState = {
  readonly place: 'text' | 'escape' | 'csi' | 'string' | 'string-escape';
  readonly chars: number;
  readonly afterReturn: boolean;
};

export const sanitizeStart: SanitizeState = { place: 'text', chars: 0, afterReturn: false };

/** A sequence that is longer than this is none: what follows is text again, so that a lone opener cannot swallow an output. */
const maxSequenceChars = 4096;
const needsWork = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const plainRun = /[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/y;

const escapeCode = 0x1b;
const bell = 0x07;
const cancel = 0x18;
const substitute = 0x1a;
const c1Csi = 0x9b;
const c1StringEnd = 0x9c;
/** C1 forms of DCS, SOS, OSC, PM and APC. */
const c1Strings = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);

/**
 * One chunk of foreign text made safe for a terminal: no escape sequences, no control characters but TAB and LF, a lone carriage return
 * becomes a line break. Sequences may be cut anywhere between chunks. Linear.
 */
export function sanitizeChunk(state: SanitizeState, chunk: string): { readonly text: string; readonly state: SanitizeState } {
  if (state.place === 'text' && !state.afterReturn && !needsWork.test(chunk)) return { text: chunk, state };
  const out: string[] = [];
  let { place, chars, afterReturn } = state;
  let at = 0;
  while (at < chunk.length) {
    const code = chunk.charCodeAt(at);
    if (place === 'text') {
      if (afterReturn && code === 0x0a) {
        afterReturn = false;
        at += 1;
        continue;
      }
      plainRun.lastIndex = at;
      const run = plainRun.exec(chunk)?.[0];
      if (run !== undefined) {
        out.push(run);
        afterReturn = false;
        at += run.length;
        continue;
      }
      afterReturn = false;
      if (code === 0x0d) {
        out.push('\n');
        afterReturn = true;
      } else [place, chars] = [placeAfter(code), 0];
      at += 1;
      continue;
    }
    chars += 1;
    if (chars > maxSequenceChars) {
      place = 'text';
      continue;
    }
    const step = stepSequence(place, code);
    place = step.place;
    if (!step.again) at += 1;
  }
  return { text: out.join(''), state: { place, chars, afterReturn } };
}

/** Where a control character in plain text leads. */
function placeAfter(code: number): SanitizeState['place'] {
  if (code === escapeCode) return 'escape';
  if (code === c1Csi) return 'csi';
  return c1Strings.has(code) ? 'string' : 'text';
}

/** The next place inside a sequence; `again`: the character is no part of it and must be looked at as text. */
function stepSequence(place: Exclude<SanitizeState['place'], 'text'>, code: number): { place: SanitizeState['place']; again: boolean } {
  if (code === cancel || code === substitute) return { place: 'text', again: false };
  if (code === escapeCode) return { place: place === 'string' || place === 'string-escape' ? 'string-escape' : 'escape', again: false };
  switch (place) {
    case 'escape':
      if (code === 0x5b) return { place: 'csi', again: false };
      if (code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f) return { place: 'string', again: false };
      if (code >= 0x20 && code <= 0x2f) return { place: 'escape', again: false };
      return { place: 'text', again: code < 0x30 || code > 0x7e };
    case 'csi':
      if (code >= 0x20 && code <= 0x3f) return { place: 'csi', again: false };
      return { place: 'text', again: code < 0x40 || code > 0x7e };
    case 'string':
      // no terminal string of use spans lines; a lone opener must not hide what follows
      if (code === 0x0a || code === 0x0d) return { place: 'text', again: true };
      return { place: code === bell || code === c1StringEnd ? 'text' : 'string', again: false };
    case 'string-escape':
      // ESC \ ends the string; any other escape ends it as well and begins a sequence of its own
      return code === 0x5c ? { place: 'text', again: false } : { place: 'escape', again: true };
  }
}

/** A whole foreign text made safe for a terminal. */
export function sanitizeText(text: string): string {
  return sanitizeChunk(sanitizeStart, text).text;
}

/** A sanitiser for one stream of chunks. */
export function createSanitizer(): (chunk: string) => string {
  let state = sanitizeStart;
  return (chunk) => {
    const step = sanitizeChunk(state, chunk);
    state = step.state;
    return step.text;
  };
}

/** Bidi controls, invisible and blank look-alike characters: they could make one command look like another. */
const invisible = lazy(() => /(?![\t\n ])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu);

/** A command or a path, where every character counts: what would not be seen is spelled out as `\u{…}`. */
export function revealText(text: string): string {
  return text.replace(invisible(), (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Foreign text on one line: sanitised, invisible characters spelled out, runs of white space one space. */
export function toDisplayLine(text: string): string {
  return revealText(
    sanitizeText(text)
      .replace(/[\t\n ]+/gu, ' ')
      .trim(),
  );
}
