import { crc32 } from 'node:zlib';
import type { DurableEvent } from '../types/events.ts';

/** Version of the log's lines that this program writes. A line with a higher one was written by a newer program. */
export const logVersion = 1;

/** A line of a session log whose checksum holds. `json` is the event as it was written, not yet parsed. */
export type Entry = { readonly version: number; readonly seq: number; readonly at: number; readonly json: Buffer };

const closingBrace = 0x7d;

/** Where a line may begin inside a damaged one. */
export const entryMark = Buffer.from('{"v":');

/** CRC-32 of the event, started from the numbers before it: one native call a line. */
function checksum(version: number, seq: number, at: number, json: Buffer): number {
  const numbers = Math.imul(seq, 0x9e3779b1) ^ Math.imul(at, 0x85ebca6b) ^ Math.imul(Math.trunc(at / 2 ** 32), 0x27d4eb2f) ^ version;
  return crc32(json, numbers >>> 0);
}

/** One line with its line feed. The type comes first in the event, so that a scan can tell lines apart without parsing them. */
export function encodeEntry(event: DurableEvent, options: { readonly seq: number; readonly at: number }): Buffer {
  const { seq, at } = options;
  const { type, ...rest } = event;
  const json = Buffer.from(JSON.stringify({ type, ...rest }));
  const sum = checksum(logVersion, seq, at, json).toString(16).padStart(8, '0');
  return Buffer.concat([Buffer.from(`{"v":${logVersion},"seq":${seq},"at":${at},"sum":"${sum}","event":`), json, Buffer.from('}\n')]);
}

const hexDigits = 8;

/** Reads a line without its line feed; undefined when any byte of it is not as it was written. Byte by byte: resume reads very many. */
export function decodeEntry(line: Buffer): Entry | undefined {
  if (line[line.length - 1] !== closingBrace) return undefined;
  const version = behind(line, marks.version, 0);
  const versionEnd = digitsEnd(line, version, 9);
  const seq = behind(line, marks.seq, versionEnd);
  const seqEnd = digitsEnd(line, seq, 15);
  const at = behind(line, marks.at, seqEnd);
  const atEnd = digitsEnd(line, at, 15);
  const sum = behind(line, marks.sum, atEnd);
  const event = behind(line, marks.event, sum < 0 ? sum : sum + hexDigits);
  if (event < 0) return undefined;
  const json = line.subarray(event, -1);
  const entry = { version: numberIn(line, version, versionEnd), seq: numberIn(line, seq, seqEnd), at: numberIn(line, at, atEnd), json };
  return checksum(entry.version, entry.seq, entry.at, json) === hexIn(line, sum) ? entry : undefined;
}

const marks = {
  version: entryMark,
  seq: Buffer.from(',"seq":'),
  at: Buffer.from(',"at":'),
  sum: Buffer.from(',"sum":"'),
  event: Buffer.from('","event":'),
};

/** Where the text behind `mark` begins when the mark stands at `at`, else -1. */
function behind(line: Buffer, mark: Buffer, at: number): number {
  for (let index = 0; index < mark.length; index += 1) if (line[at + index] !== mark[index]) return -1;
  return at + mark.length;
}

/** The end of the 1 to `most` digits from `from`, else -1. */
function digitsEnd(line: Buffer, from: number, most: number): number {
  let end = from;
  while (isDigit(line[end])) end += 1;
  return end === from || end - from > most ? -1 : end;
}

const zero = 0x30;
const letterA = 0x61;

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= zero + 9;
}

function numberIn(line: Buffer, from: number, end: number): number {
  let value = 0;
  for (let index = from; index < end; index += 1) value = value * 10 + (line[index] ?? 0) - zero;
  return value;
}

/** The eight hexadecimal digits from `from` as a number; -1 when they are none, or not as we write them. */
function hexIn(line: Buffer, from: number): number {
  let value = 0;
  for (let index = from; index < from + hexDigits; index += 1) {
    const byte = line[index] ?? 0;
    const isLetter = byte >= letterA && byte <= letterA + 5;
    if (!isLetter && !isDigit(byte)) return -1;
    value = value * 16 + (isLetter ? byte - letterA + 10 : byte - zero);
  }
  return value;
}
