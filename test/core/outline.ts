/** Parts of an event outline (see helpers/events), so that a whole expected list reads as the story it tells. */
export type TurnExtra = {
  /** The request carried a reminder; a text is its recorded mark. */
  readonly reminded?: true | string;
  /** The list as it was recorded, between start and result of the call. */
  readonly list?: string;
  readonly failed?: boolean;
  /** Events directly after the result. */
  readonly after?: readonly string[];
};

function start({ reminded }: TurnExtra): readonly string[] {
  if (reminded === undefined) return ['turn-start'];
  return reminded === true ? ['turn-start reminded'] : ['turn-start reminded', `reminder-sent ${reminded}`];
}

export function prompt(text: string): readonly string[] {
  return [`user-message prompt ${text}`, 'run-start user'];
}

/** A turn with one call. */
export function called(name: string, extra: TurnExtra = {}): readonly string[] {
  return [
    ...start(extra),
    `tool-call ${name}`,
    'turn-end tool-calls',
    'finish tool-calls',
    `tool-start ${name}`,
    ...(extra.list === undefined ? [] : [`todos-change ${extra.list}`]),
    `tool-result ${name}${extra.failed === true ? ' failed' : ''}`,
    ...(extra.after ?? []),
  ];
}

/** An accepted turn of text. */
export function said(text: string, extra: TurnExtra = {}): readonly string[] {
  return [...start(extra), `text-delta ${text}`, 'turn-end stop', 'finish stop'];
}

/** An attempt that was dropped for another one. */
export function dropped(text: string, extra: TurnExtra = {}): readonly string[] {
  return [...start(extra), `draft-delta ${text}`, 'attempt-retry open-todos'];
}

export function continued(count: number, strength: string, todoId: string): readonly string[] {
  return ['run-end complete', `continuation-start ${count} ${strength} ${todoId}`, 'run-start continuation'];
}

export function ended(run: string, reason: string): readonly string[] {
  return [`run-end ${run}`, `prompt-end ${reason}`];
}
