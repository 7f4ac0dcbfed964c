/** Makes one schema for each argument: hundreds of contracts use the same few, and every program makes them when it starts. */
export function madeOnce<Argument extends string | number, Schema>(make: (of: Argument) => Schema) {
  const made = new Map<Argument, Schema>();
  return (of: Argument): Schema => {
    const schema = made.get(of) ?? make(of);
    made.set(of, schema);
    return schema;
  };
}
