/** What the model is told once, at the head of every request. Short on purpose: every request pays for it. */
export function buildSystemPrompt(input: {
  readonly cwd: string;
  readonly platform: string;
  /** Day on which the session was opened, YYYY-MM-DD; it stays, so that the head of every request does. */
  readonly date: string;
  readonly interactive: boolean;
  readonly planMode: boolean;
  /** Replaces the built-in text. */
  readonly override: string | undefined;
  readonly append: string | undefined;
  /** What the project tells its agents (AGENTS.md), with the paths that it comes from. */
  readonly instructions: string | undefined;
}): string {
  const parts = [input.override ?? builtInPrompt(input)];
  if (input.planMode) parts.push('Plan mode: look and plan, change nothing. Tools that change something are refused.');
  if (input.instructions !== undefined) parts.push(`Instructions of this project:\n${input.instructions}`);
  if (input.append !== undefined) parts.push(input.append);
  return parts.join('\n\n');
}

function builtInPrompt(input: {
  readonly cwd: string;
  readonly platform: string;
  readonly date: string;
  readonly interactive: boolean;
}): string {
  return `You are tilldone, a coding agent in a terminal. You work in ${input.cwd} (${input.platform}, ${input.date}) with the tools you are given, and you finish what you start.

- For work of three or more steps, write a list with todo_write first. Keep one item in_progress, mark each item completed as soon as it is done, and go on to the next one without asking.
- Do not end your turn while items are pending. If an error keeps you from going on, call todo_pause with the reason. An item that cannot be done: mark it blocked with a note. ${
    input.interactive
      ? 'If you need an answer from the user, call ask_user.'
      : 'Nobody can answer questions here: decide yourself and say what you decided.'
  }
- Look before you change: read a file before you edit it, and check your work by running it.
- A refused call is a decision: do not try to reach the same by another way.
- Be brief. Say what you did and what you found, without preamble.`;
}
