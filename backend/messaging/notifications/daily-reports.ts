import type { OverviewRecord } from '@florin/shared/contracts/api-v1/overview.ts';
import { inEveryLanguage, type Language } from '@florin/shared/languages.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import type { Clock, ContextLog, Instant } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import { workOnEach } from '../../foundation/jobs/each.ts';
import { dateAt, startOfDate } from '../../money/settlements/settlement.ts';
import { dailyReport } from './daily-report.ts';
import type { Place } from './messages.ts';
import type { EmailOutbox } from './outbox.ts';
import type { ReadProblems } from './silences.ts';
import { businessesForReports, takeReports } from './store.ts';

/** What moved in a business today and on the days before. */
export type ReadOverview = (businessId: string, days: number) => Promise<OverviewRecord>;

/** Reports are made so long after midnight, because the clocks of processes differ. */
const afterMidnightMs = 60_000;
/** How many businesses are reported on together. */
const atOnce = 10;

/**
 * Sends recipients the figures of each day once it has ended in the time zone of the business, unless no money moved. After
 * an interruption only the last day is reported. Returns the number of businesses whose day was due.
 */
export function dailyReports(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: ContextLog;
  readonly overview: ReadOverview;
  readonly problems: ReadProblems;
  readonly outbox: Pick<EmailOutbox, 'notify'>;
}): () => Promise<number> {
  const { database, clock, log, overview, problems, outbox } = options;

  async function report(businessId: string, endedAt: Instant, timeZone: string): Promise<void> {
    const date = dateAt(endedAt - 1, timeZone).toString();
    const { days, isComplete } = await overview(businessId, 2);
    const day = days.find(each => each.day === date);
    // Reported by a later run, once everything is counted.
    if (!day || !isComplete) return;
    const isQuiet = day.rails.length === 0;
    const inLanguage = async (language: Language) =>
      isQuiet ? [] : (await problems(businessId, new Set(permissionCodes), [language])).items;
    const open = await inEveryLanguage(inLanguage);
    await database.write(async tx => {
      const recipients = (await tx.all(takeReports, { businessId, endedAt })).map(({ email }) => email);
      if (recipients.length === 0 || isQuiet) return;
      const report = (place: Place) => dailyReport({ day, problems: open[place.language] }, place);
      await outbox.notify(tx, { businessId, recipients }, report);
    });
  }

  return async () => {
    const now = clock.now();
    const due = (await database.all(businessesForReports, {})).flatMap(({ businessId, timeZone, reportedUntil }) => {
      const endedAt = startOfDate(dateAt(now - afterMidnightMs, timeZone), timeZone);
      return reportedUntil < endedAt ? [{ businessId, timeZone, endedAt }] : [];
    });
    const each = { log, atOnce, idsOf: ({ businessId }: { businessId: string }) => ({ businessId }) };
    return workOnEach(due, each, ({ businessId, endedAt, timeZone }) => report(businessId, endedAt, timeZone));
  };
}
