/** The longest time until an operation that never arrived fails, with a margin for a busy machine. */
const timeLimitMs = 60_000;

export const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

/** Repeats until the condition holds; throws at the time limit with a description of the state. */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  describe: () => Promise<string> = async () => '',
): Promise<void> {
  const deadline = performance.now() + timeLimitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`timed out waiting until ${what}\n${await describe()}`);
    await pause(80);
  }
}
