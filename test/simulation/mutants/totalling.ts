import { bugsIn } from './mutant.ts';

/** Bugs in the totals of the days. */
export const totalling = bugsIn({
  'backend/money/overview/consumer.ts': [
    {
      name: 'a void stays in the totals',
      find: "event.payload.kind === 'CANCEL' ?",
      replace: 'event.payload.amountMinor < 0 ?',
    },
    {
      name: 'what a person recorded as returned is not in the totals',
      find: "'discrepancy.resolved': ({ payload }) => ({ record: 'correction', id: payload.discrepancyId }),",
      replace: '',
    },
  ],
  'backend/money/overview/tips-store.ts': [
    {
      name: 'each refund gives the whole tip back',
      find: 't."effect" = \'taken\' THEN 0 ELSE',
      replace: 't."effect" = \'taken\' THEN 0 ELSE t."tip" + 0 *',
    },
    {
      name: 'a refund gives the tip back before the goods',
      find: '(t."tip", t."taken" - ',
      replace: '(t."tip", t."tip" - ',
    },
    {
      name: 'no void and no refund gives a tip back',
      find: '(t."returnedBefore" + abs(t."amountMinor"))',
      replace: '(t."returnedBefore")',
    },
  ],
});
