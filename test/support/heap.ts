import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;

/** Collects the young generation only, as a busy program does many times a second. */
export function collectYoung(): void {
  collect({ type: 'minor' });
}

/** What the work left in memory until a full collection, although nothing refers to it any more, in megabytes. */
export async function keptUntilFullCollectionMb(work: () => void | Promise<void>): Promise<number> {
  collect();
  await work();
  collectYoung();
  collectYoung();
  const before = process.memoryUsage().heapUsed;
  collect();
  return (before - process.memoryUsage().heapUsed) / 2 ** 20;
}
