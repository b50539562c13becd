/** What a stream holds back because it may be the beginning of an escape sequence. */
export type CleanState = { readonly held: string };
export const cleanStart: CleanState = { held: '' };

const maxHeldChars = 256;
/** Whole sequences: CSI, OSC/DCS/APC/PM/SOS with their terminator, two-byte escapes; each also in its C1 form. */
const sequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-OQ-WYZ`-~\\]/g;
/** The beginning of one, at the end of a chunk. */
const unfinished =
  /(?:\u001b|(?:\u001b\[|\u009b)[0-?]*[ -/]*|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*\u001b?|\u001b[ -/]+)$/;
const needsCleaning = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
/** Bidi controls and other characters that show nothing, which could make text look like other text. */
const invisible =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Text that is safe on a terminal: no escape sequences, no control characters but TAB and LF. */
export function cleanText(text: string): string {
  if (!needsCleaning.test(text)) return text;
  return text
    .replace(sequences, '')
    .replace(/\r+\n/g, '\n')
    .replace(/\r/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

/** The same for one chunk of a stream: a sequence that is cut by the end of the chunk is held back. */
export function cleanChunk(state: CleanState, chunk: string): { readonly text: string; readonly state: CleanState } {
  const input = state.held + chunk;
  if (!needsCleaning.test(input)) return { text: input, state: state.held === '' ? state : cleanStart };
  const match = unfinished.exec(input);
  const carriage = input.endsWith('\r');
  const heldFrom = match !== null && input.length - match.index <= maxHeldChars ? match.index : carriage ? input.length - 1 : input.length;
  return { text: cleanText(input.slice(0, heldFrom)), state: heldFrom === input.length ? cleanStart : { held: input.slice(heldFrom) } };
}

/** For commands and paths, where every character counts: what would be invisible is spelled out as `\u{…}`. */
export function revealText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, spell).replace(invisible, spell);
}

function spell(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
