/** A value that is made at its first use: what takes long to build should not delay an import. */
export function lazy<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= make());
}
