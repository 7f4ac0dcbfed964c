import type { ProblemRecord } from '@florin/shared/contracts/api-v1/problems.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import type { ContextLog } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import { workOnEach } from '../../foundation/jobs/each.ts';
import { terminalSilent } from './messages.ts';
import type { EmailOutbox } from './outbox.ts';
import { businessesForSilences, recordSilence } from './store.ts';

/** What needs a person in a business now, as far as these permissions show it. */
export type ReadProblems = (
  businessId: string,
  held: ReadonlySet<Permission>,
  languages: readonly string[],
) => Promise<{ readonly items: readonly ProblemRecord[] }>;

/** How many businesses are looked at together. */
const atOnce = 10;

/**
 * Tells recipients of terminals that fell silent, as the list of problems finds them, once for each silence. Returns the
 * number of businesses looked at: only those with a recipient for it.
 */
export function silenceWatch(options: {
  readonly database: Database;
  readonly log: ContextLog;
  readonly problems: ReadProblems;
  readonly outbox: Pick<EmailOutbox, 'notify'>;
}): () => Promise<number> {
  const { database, log, problems, outbox } = options;

  async function tell(businessId: string, problem: ProblemRecord): Promise<void> {
    const { subject, since } = problem;
    if (problem.kind !== 'terminal_silent' || subject.id === null || since === null) return;
    const silence = { terminalId: subject.id, since: Date.parse(since) };
    await database.write(async tx => {
      // Another process, or an earlier run, has told of it.
      if ((await tx.run(recordSilence, silence)) === 0) return;
      await outbox.notify(tx, { businessId }, place => terminalSilent(subject.name, silence.since, place));
    });
  }

  return async () => {
    const businesses = await database.all(businessesForSilences, {});
    const each = { log, atOnce, idsOf: ({ businessId }: { businessId: string }) => ({ businessId }) };
    return workOnEach(businesses, each, async ({ businessId }) => {
      const { items } = await problems(businessId, new Set(['devices:read']), []);
      for (const problem of items) await tell(businessId, problem);
    });
  };
}
