import type { Log } from '@florin/shared/ports.ts';

/**
 * Works on all rows, at once or so many at a time, and returns their number. A failure is logged with the ids of its row and does not end the work on
 * the others. @throws after the last one, if any failed
 */
export async function workOnEach<Row>(
  rows: readonly Row[],
  options: {
    readonly log: Log;
    readonly idsOf: (row: Row) => Readonly<Record<string, string>>;
    readonly atOnce?: number;
  },
  work: (row: Row) => Promise<unknown>,
): Promise<number> {
  const { log, idsOf, atOnce = rows.length } = options;
  let failed = 0;
  const one = async (row: Row) => {
    try {
      await work(row);
    } catch (error) {
      failed += 1;
      log.error({ ...idsOf(row), err: error }, 'a record could not be processed; it is retried later');
    }
  };
  for (let next = 0; next < rows.length; next += atOnce) await Promise.all(rows.slice(next, next + atOnce).map(one));
  if (failed > 0) throw new Error(`${failed} of ${rows.length} records could not be processed`);
  return rows.length;
}
