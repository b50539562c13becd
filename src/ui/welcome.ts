/** What the first screen says: where one is, what answers, and how to connect a real model when none is. */
export function welcomeLines(at: {
  readonly version: string;
  readonly cwd: string;
  readonly model: string;
  readonly offline: boolean;
  readonly banner: readonly string[];
}): readonly string[] {
  const head = [`tilldone ${at.version} · ${at.model} · ${at.cwd}`];
  const offline = at.offline
    ? [
        'No model is connected. The built-in one works through checklists, offline: write a list of steps, with commands in `backticks`.',
        'To connect a real model, one of these three:',
        '- set OPENAI_API_KEY or GEMINI_API_KEY',
        '- start a local server and name it: tilldone --provider ollama --model NAME',
        '- give an endpoint: tilldone --base-url https://… --model NAME',
      ]
    : [];
  return [...head, ...offline, ...at.banner, '/help lists the commands · Ctrl+T the todos · Esc stops · Ctrl+C twice leaves'];
}
