/**
 * Why a connection was not made, if every code in the error is in `certain`, the codes that prove that nothing was
 * sent. A name with several addresses fails with one error per address: all of them must be certain.
 */
export function certainCauseOf<Cause>(error: unknown, certain: ReadonlyMap<string, Cause>): Cause | undefined {
  const causes = errorCodes(error).map(code => certain.get(code));
  return causes.includes(undefined) ? undefined : causes[0];
}

function errorCodes(error: unknown): string[] {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.flatMap(errorCodes);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return [typeof code === 'string' ? code : 'unknown'];
}
