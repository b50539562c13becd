/** Replaces text that must be there: a new version of a package that reads otherwise stops the build instead of losing the change. */
export function replaceOnce(source, from, to) {
  if (source.split(from).length !== 2) throw new Error(`the build expected exactly once: ${from}`);
  return source.replace(from, () => to);
}
