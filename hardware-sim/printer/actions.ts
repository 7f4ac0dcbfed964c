import { z } from 'zod';

/** Everything a tester can do with the printer; the same for its page, HTTP and tests. */
export const printerAction = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('power'), on: z.boolean() }),
  z.strictObject({ do: z.literal('cover'), open: z.boolean() }),
  /** The roll ends after so many more rows; 0 takes it out now. */
  z.strictObject({ do: z.literal('end_paper'), rows: z.int().min(0).max(1_000) }),
  z.strictObject({ do: z.literal('new_roll') }),
  z.strictObject({ do: z.literal('tear_off') }),
]);
export type PrinterAction = z.infer<typeof printerAction>;
