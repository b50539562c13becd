/** A value that is made when it is first asked for, and kept. The schemas of a session log are large: who reads no log should not build them. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The words of a text as a set that is made when it is first asked, not at every start. */
export function lazyWords(text: string): { has(word: string): boolean } {
  const set = lazy(() => new Set(text.trim().split(/\s+/u)));
  return { has: (word) => set().has(word) };
}
