/** What an operation that never arrived may at most take to be given up, and then some for a busy machine. */
const longestUnrestMs = 60_000;

export const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

/** Asks again and again; throws when it is in vain, with what there is to say about it then. */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  describe: () => Promise<string> = async () => '',
): Promise<void> {
  const deadline = performance.now() + longestUnrestMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}\n${await describe()}`);
    await pause(80);
  }
}
