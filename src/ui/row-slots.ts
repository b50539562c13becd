/**
 * Rows are laid out before Ink sees them, and Ink would lay every character of them out again, at some microseconds each. So Ink gets one
 * private character per row, a slot, and the stream behind Ink puts the row in where its slot comes by. Equal rows have equal slots: Ink
 * still sees which rows changed.
 */
export type RowSlots = {
  /** The slot of a row, or of several rows that leave together. */
  slotOf(rows: string): string;
  /** Puts the rows in for their slots. */
  fill(text: string): string;
};

/** The width of a window in which every row is a slot: Ink makes an object for every cell of it. */
export const slotColumns = 4;
/** Plane 16, for private use and one column wide; icon fonts live in other planes. */
const firstSlot = 0x100000;
const slotCount = 0xfffe;
const anySlot = /[\u{100000}-\u{10fffd}]/gu;
/** Slots that are kept: far more than a window has rows. */
const maxKept = 2_000;

export function createRowSlots(): RowSlots {
  const slotByRows = new Map<string, string>();
  const rowsBySlot = new Map<string, string>();
  let next = 0;

  const forget = (rows: string): void => {
    const slot = slotByRows.get(rows);
    slotByRows.delete(rows);
    if (slot !== undefined) rowsBySlot.delete(slot);
  };

  return {
    slotOf(rows) {
      const known = slotByRows.get(rows);
      if (known !== undefined) {
        // what is in use goes to the end of the queue
        slotByRows.delete(rows);
        slotByRows.set(rows, known);
        return known;
      }
      let slot = '';
      do {
        slot = String.fromCodePoint(firstSlot + next);
        next = (next + 1) % slotCount;
      } while (rowsBySlot.has(slot));
      slotByRows.set(rows, slot);
      rowsBySlot.set(slot, rows);
      const oldest = slotByRows.size > maxKept ? slotByRows.keys().next().value : undefined;
      if (oldest !== undefined) forget(oldest);
      return slot;
    },
    fill: (text) => text.replace(anySlot, (slot) => rowsBySlot.get(slot) ?? slot),
  };
}
