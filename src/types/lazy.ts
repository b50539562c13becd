/** A value that is made when it is first asked for, and kept. The schemas of a session log are large: who reads no log should not build them. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
