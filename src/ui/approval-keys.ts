import type { ApprovalAnswer } from '../types/ask.ts';
import { isPress } from './key-bindings.ts';
import type { Key } from './keys.ts';
import { type ApprovalBox, isAnswerable } from './ui-state.ts';

export type ApprovalStep =
  /** Not for the box. */
  | { readonly kind: 'pass' }
  | { readonly kind: 'box'; readonly box: ApprovalBox }
  /** The user is still writing something else: the key goes to the input, and the box waits for silence anew. */
  | { readonly kind: 'type'; readonly box: ApprovalBox }
  | { readonly kind: 'answer'; readonly answer: ApprovalAnswer };

const answers: Readonly<Record<string, ApprovalAnswer>> = {
  y: { kind: 'once' },
  s: { kind: 'session' },
  a: { kind: 'always' },
  n: { kind: 'no' },
};

function scrolled(key: Key, rows: number): number {
  const page = Math.max(1, Math.floor(rows / 3));
  const steps: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -page, pagedown: page };
  return key.kind === 'press' && !key.ctrl && !key.alt ? (steps[key.name] ?? 0) : 0;
}

/** What a key does while an approval is shown. Answers count only after the end was seen and after a silence; pastes never answer. */
export function approvalKey(
  box: ApprovalBox,
  key: Key,
  at: { readonly now: number; readonly editing: boolean; readonly rows: number },
): ApprovalStep {
  const by = at.editing ? 0 : scrolled(key, at.rows);
  if (by !== 0) return { kind: 'box', box: { ...box, top: Math.max(0, box.top + by) } };
  if (key.kind === 'press' && (key.ctrl || key.name === 'escape')) return { kind: 'pass' };
  if (isPress(key, 'tab', 'shift')) return { kind: 'pass' };
  if (!isAnswerable(box, at.now) || at.editing) {
    return key.kind === 'text' || key.kind === 'paste' || at.editing
      ? isPress(key, 'enter')
        ? { kind: 'pass' }
        : { kind: 'type', box: { ...box, quietSince: at.now } }
      : { kind: 'box', box };
  }
  if (key.kind !== 'text') return { kind: 'box', box };
  const letter = key.text.toLowerCase();
  if (letter === 'r') return { kind: 'box', box: { ...box, refusing: true } };
  const answer = Object.hasOwn(answers, letter) ? answers[letter] : undefined;
  if (answer === undefined || ((letter === 's' || letter === 'a') && box.request.rule === undefined)) return { kind: 'box', box };
  return { kind: 'answer', answer };
}
