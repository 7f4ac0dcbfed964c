/** An expected outcome as a value: success, or one of a closed union of refusals. Exceptions are for bugs. */
export type Result<Value, Refusal> = Ok<Value> | Err<Refusal>;
export type Ok<Value> = { readonly ok: true; readonly value: Value };
export type Err<Refusal> = { readonly ok: false; readonly refusal: Refusal };

/** `ok(undefined)` if success has no value. */
export function ok<Value>(value: Value): Ok<Value> {
  return { ok: true, value };
}

/** Keeps literal types, so that callers can narrow by the refusal's `kind`. */
export function err<const Refusal>(refusal: Refusal): Err<Refusal> {
  return { ok: false, refusal };
}

/** Marks a branch that the types rule out; throws if external data violates them. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
