import type { Notice } from '../../ipc/view.ts';
import { unreadable } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';

/** Problems with records that do not reach the service, for support to look into. */
export function syncAlerts(store: Store): Notice[] {
  const refused = store.refusedEntries();
  const damaged = refused.filter(({ refusal }) => refusal === unreadable).length;
  const reports = store.pendingReports().filter(({ refusal }) => refusal !== null);
  const elsewhere = store.outboxElsewhere() + store.reportsElsewhere();
  return [
    ...alert(refused.length - damaged, 'The service refused a record of this terminal', call),
    ...alert(damaged, 'A record of this terminal cannot be read', call),
    ...alert(
      reports.length,
      'The service refused a report about a sale',
      `It is sent again until it is taken. ${support}`,
    ),
    ...alert(
      elsewhere,
      'Records of another business are waiting',
      'They are delivered when this terminal is enrolled at that business again.',
    ),
  ];
}

const support = 'Call support.';
const call = `It is kept here. ${support}`;

function alert(count: number, message: string, detail: string): Notice[] {
  if (count === 0) return [];
  return [{ message, detail: count === 1 ? detail : `There are ${count} of them. ${detail}` }];
}
