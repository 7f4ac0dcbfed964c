/** Caches a schema per argument: hundreds of contracts use the same few, created at every program start. */
export function madeOnce<Argument extends string | number, Schema>(make: (of: Argument) => Schema) {
  const made = new Map<Argument, Schema>();
  return (of: Argument): Schema => {
    const schema = made.get(of) ?? make(of);
    made.set(of, schema);
    return schema;
  };
}
