/** Whether `text` matches a pattern in which `*` is any run of characters and `?` any one. Never backtracks further than one star. */
export function matchesWildcard(text: string, pattern: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const expected = pattern.charAt(place);
    if (expected === '*') {
      star = place;
      resume = at;
      place += 1;
    } else if (expected !== '' && (expected === '?' || expected === text.charAt(at))) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      resume += 1;
      at = resume;
      place = star + 1;
    } else return false;
  }
  while (pattern.charAt(place) === '*') place += 1;
  return place === pattern.length;
}

/** Whether the segments of a path match those of a pattern, where `**` is any number of segments. */
export function matchesPath(path: string, pattern: string): boolean {
  const segments = path.split('/').filter((segment) => segment !== '');
  const wanted = pattern.split('/').filter((segment) => segment !== '');
  // reachable[n]: the pattern so far can have eaten n segments
  let reachable = new Set([0]);
  for (const piece of wanted) {
    const next = new Set<number>();
    for (const count of reachable) {
      if (piece === '**') for (let end = count; end <= segments.length; end += 1) next.add(end);
      else if (count < segments.length && matchesWildcard(segments[count] ?? '', piece)) next.add(count + 1);
    }
    reachable = next;
  }
  return reachable.has(segments.length);
}
