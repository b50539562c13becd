import { anchorFrame } from './frame-motion.ts';

/**
 * Rows are laid out before Ink sees them, and Ink would lay every character of them out again, at some microseconds each. So Ink gets one
 * private character per row, a slot, and the stream behind Ink puts the row in where its slot comes by. Equal rows have equal slots: Ink
 * still sees which rows changed.
 */
export type RowSlots = {
  /** The slot of a row. */
  slotOf(row: string): string;
  /** A slot for rows that leave together: they are put in once, and where the slot comes by again, its line goes. */
  slotOnce(rows: string): string;
  /** What Ink wrote, with the rows in for their slots, and drawn from the row of the input; see `anchorFrame`. */
  fill(text: string): string;
};

/** The width of a window in which every row is a slot: Ink makes an object for every cell of it. */
export const slotColumns = 4;
/** Plane 16, for private use and one column wide; icon fonts live in other planes. */
const firstSlot = 0x100000;
const slotCount = 0xfffe;
const anySlot = /([\u{100000}-\u{10fffd}])(\n?)/gu;
/** Slots that are kept: far more than a window has rows. */
const maxKept = 2_000;

export function createRowSlots(): RowSlots {
  const slotByRow = new Map<string, string>();
  const rowsBySlot = new Map<string, string>();
  const once = new Set<string>();
  const spent = new Set<string>();
  let next = 0;

  const newSlot = (rows: string): string => {
    let slot = '';
    do {
      slot = String.fromCodePoint(firstSlot + next);
      next = (next + 1) % slotCount;
    } while (rowsBySlot.has(slot));
    spent.delete(slot);
    rowsBySlot.set(slot, rows);
    return slot;
  };

  return {
    slotOf(row) {
      const known = slotByRow.get(row);
      if (known !== undefined) {
        // what is in use goes to the end of the queue
        slotByRow.delete(row);
        slotByRow.set(row, known);
        return known;
      }
      const slot = newSlot(row);
      slotByRow.set(row, slot);
      const [oldest] = slotByRow.size > maxKept ? slotByRow : [];
      if (oldest !== undefined) {
        slotByRow.delete(oldest[0]);
        rowsBySlot.delete(oldest[1]);
      }
      return slot;
    },
    slotOnce(rows) {
      const slot = newSlot(rows);
      once.add(slot);
      return slot;
    },
    fill: (text) =>
      anchorFrame(text).replace(anySlot, (all, slot: string, lineEnd: string) => {
        if (spent.has(slot)) return '';
        const rows = rowsBySlot.get(slot);
        if (once.delete(slot)) {
          rowsBySlot.delete(slot);
          spent.add(slot);
        }
        return rows === undefined ? all : rows + lineEnd;
      }),
  };
}
