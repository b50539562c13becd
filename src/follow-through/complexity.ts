/** Score from which a request counts as complex, and the least number of tasks it must name. */
const complexFrom = 0.6;
const fewestTasks = 3;
/** A task has two words at least, its bullet counted. */
const fewestWords = 2 * fewestTasks;

export type Complexity = { readonly score: number; readonly tasks: readonly string[]; readonly isComplex: boolean };

const taskLine = /^\s*(?:[-*+•]|\d{1,3}[.)]|\[[ xX]?\])\s+(.+)$/u;
const sequenceWord =
  /\b(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|after(?:wards| that)?|finally|lastly|also|additionally|followed by|once (?:that|this) is done)\b/giu;
const verbClause =
  /(?:,|;|\band\b|\bthen\b)\s+(?=(?:add|build|change|check|clean|convert|copy|create|delete|deploy|document|explain|extract|find|fix|implement|install|make|migrate|move|read|refactor|remove|rename|replace|review|run|set up|split|test|translate|update|upgrade|verify|write)\b)/giu;

/** How many tasks a request holds and how sure that is: task lines, words of sequence, questions, and length. Score in [0, 1]. */
export function analyzeComplexity(request: string): Complexity {
  const text = request.slice(0, 20_000);
  const lines = text.split('\n');
  const listed = lines.flatMap((line) => taskLine.exec(line)?.[1]?.trim() ?? []);
  const prose = lines.filter((line) => !taskLine.test(line)).join('\n');
  const sequence = prose.match(sequenceWord)?.length ?? 0;
  const questions = prose.match(/\?(?:\s|$)/gu)?.length ?? 0;
  const clauses = prose
    .split(/(?<=[.!?;])\s+|\n+/u)
    .flatMap((sentence) => sentence.split(verbClause))
    .map((clause) => clause.trim())
    .filter((clause) => clause.split(/\s+/u).length >= 2);
  const tasks = listed.length >= fewestTasks ? listed : [...listed, ...clauses];
  const words = text.split(/\s+/u).length;
  const score = Math.min(
    1,
    Math.min(listed.length, 4) * 0.2 +
      Math.min(sequence, 3) * 0.15 +
      Math.min(Math.max(clauses.length - 1, 0), 4) * 0.12 +
      Math.min(questions, 3) * 0.1 +
      (words > 120 ? 0.2 : words > 60 ? 0.1 : 0),
  );
  return { score, tasks, isComplex: score >= complexFrom && tasks.length >= fewestTasks };
}

function isComplex(request: string): boolean {
  const hasWords = request.split(/\s+/u, fewestWords).length === fewestWords;
  return hasWords && analyzeComplexity(request).isComplex;
}

/** When a list was last asked for, and how many complex prompts in a row went by without one. */
export type ComplexityState = { readonly askedAt: number | undefined; readonly inARow: number };

export const neverAsked: ComplexityState = { askedAt: undefined, inARow: 0 };

const coolDownMs = 5 * 60_000;
/** Complex prompts in a row without a list after which the text grows stronger. */
const patience = 3;

/** Whether the first request of a prompt asks for a list. `hasList`: one is active. `madeList`: the prompt before wrote one. `now` in ms. */
export function decideComplexity(
  state: ComplexityState,
  input: { readonly request: string; readonly hasList: boolean; readonly madeList: boolean; readonly now: number },
): { readonly state: ComplexityState; readonly ask: 'gentle' | 'escalated' | undefined } {
  if (input.hasList || !isComplex(input.request)) return { state: { ...state, inARow: 0 }, ask: undefined };
  const inARow = input.madeList ? 1 : state.inARow + 1;
  const coolingDown = state.askedAt !== undefined && input.now - state.askedAt < coolDownMs;
  if (coolingDown && inARow <= patience) return { state: { ...state, inARow }, ask: undefined };
  return { state: { askedAt: input.now, inARow }, ask: inARow > patience ? 'escalated' : 'gentle' };
}
