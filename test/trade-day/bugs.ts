import { bugsIn } from '../simulation/mutants/mutant.ts';

/** Bugs of a day’s totals, each of which a small day must find. */
export const bugs = bugsIn({
  'backend/money/overview/day-totals.ts': [
    {
      name: 'every day has 24 hours',
      find: 'startOfDate(date.add({ days: 1 }), timeZone)];',
      replace: 'startOfDate(date, timeZone) + 86_400_000];',
    },
  ],
  'backend/money/payments/recorded-sale.ts': [
    {
      name: 'a sale that was taken offline counts when the service is told',
      find: 'takenAt: Math.min(takenAt, clock.now()),',
      replace: 'takenAt: Math.max(takenAt, clock.now()),',
    },
  ],
  'device/core/day-report/lines.ts': [
    {
      name: 'the terminal’s report leaves voids out',
      find: '...ifAny(sums.voidCount, words.voids, -sums.voidedInCents),',
      replace: '',
    },
  ],
  'backend/money/overview/consumer.ts': [
    {
      name: 'a void is counted as a sale of nothing',
      find: 'Count`]: 1,',
      replace: "Count`]: effect === 'voided' ? 0 : 1,",
    },
  ],
  'device/core/sync/pending-reports.ts': [
    {
      name: 'a report is deleted before the service acknowledged it',
      find: 'const response = await send(report);',
      replace: 'store.removePendingReport(report.position);\n    const response = await send(report);',
    },
  ],
});
