/** Edits between two words: insert, delete, replace, or swap two neighbours, each for one. */
function distance(left: string, right: string): number {
  const width = right.length + 1;
  let before: number[] = [];
  let previous = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column < width; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let best = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + (same ? 0 : 1));
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) best = Math.min(best, (before[column - 2] ?? 0) + 1);
      current.push(best);
    }
    before = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/** How a key is compared: `maxTurns`, `max_turns` and `MAX-TURNS` are all `max-turns`. */
function plain(word: string): string {
  return word
    .replace(/([a-z0-9])([A-Z])/gu, '$1-$2')
    .toLowerCase()
    .replace(/[\s_]+/gu, '-');
}

/** The candidate that was most likely meant: the same but for case and separators, a unique beginning, or at most a third of it mistyped. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(word).slice(0, 60);
  if (wanted === '') return undefined;
  const same = candidates.find((candidate) => plain(candidate) === wanted);
  if (same !== undefined) return same;
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: { candidate: string; cost: number } | undefined;
  for (const candidate of candidates) {
    const cost = distance(wanted, plain(candidate));
    if (cost <= limit && cost < candidate.length && (best === undefined || cost < best.cost)) best = { candidate, cost };
  }
  if (best !== undefined) return best.candidate;
  const begun = wanted.length >= 3 ? candidates.filter((candidate) => plain(candidate).startsWith(wanted)) : [];
  return begun.length === 1 ? begun[0] : undefined;
}

/** `Did you mean 'x'?` with a space before it, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const candidate = nearest(word, candidates);
  return candidate === undefined ? '' : ` Did you mean '${candidate}'?`;
}
