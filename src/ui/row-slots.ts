/**
 * Ink lays every character of a text out anew, some 15 µs each; rows for the scrollback are laid out already. So Ink gets a short slot in
 * their place, and the stream behind Ink puts the rows in where the slot comes by.
 */
const slotStart = '\ue0f0';
const slotEnd = '\ue0f1';
const slots = /\ue0f0(\d+)\ue0f1/gu;

/** What stands for the rows of this id while Ink draws. */
export function slotOf(id: number): string {
  return `${slotStart}${id}${slotEnd}`;
}

/** Puts the rows in for their slots. A slot of unknown id is text like any other. */
export function fillSlots(text: string, rowsOf: (id: number) => string | undefined): string {
  return text.includes(slotStart) ? text.replace(slots, (slot, id: string) => rowsOf(Number(id)) ?? slot) : text;
}
