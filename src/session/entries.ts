import { crc32 } from 'node:zlib';
import type { DurableEvent } from '../types/events.ts';

/** Version of the log's lines that this program writes. A line with a higher one was written by a newer program. */
export const logVersion = 1;

/** A line of a session log whose checksum holds. `json` is the event as it was written, not yet parsed. */
export type Entry = { readonly version: number; readonly seq: number; readonly at: number; readonly json: Buffer };

const head = /^\{"v":(\d{1,9}),"seq":(\d{1,15}),"at":(\d{1,15}),"sum":"([0-9a-f]{8})","event":/u;
const longestHead = 96;
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

/** Reads a line without its line feed; undefined when any byte of it is not as it was written. */
export function decodeEntry(line: Buffer): Entry | undefined {
  if (line[line.length - 1] !== closingBrace) return undefined;
  const match = head.exec(line.toString('latin1', 0, longestHead));
  if (match === null) return undefined;
  const [whole, version, seq, at, sum] = match;
  const json = line.subarray(whole.length, -1);
  const entry = { version: Number(version), seq: Number(seq), at: Number(at), json };
  return checksum(entry.version, entry.seq, entry.at, json) === Number.parseInt(sum ?? '', 16) ? entry : undefined;
}
