import type { Notice } from '../../ipc/view.ts';
import { unreadable } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import type { CoreWords } from '../words.ts';

/** Problems with this terminal's storage, and with records that do not reach the service, for support to look into. */
export function syncAlerts(store: Store, { alerts }: CoreWords): Notice[] {
  const refused = store.refusedEntries();
  const damaged = refused.filter(({ refusal }) => refusal === unreadable).length;
  const reports = store.pendingReports().filter(({ refusal }) => refusal !== null);
  const elsewhere = store.outboxElsewhere() + store.reportsElsewhere();
  const counted = (count: number, { message, detail }: { message: string; detail: string }): Notice[] => {
    if (count === 0) return [];
    return [{ message, detail: count === 1 ? detail : `${alerts.count(count)} ${detail}` }];
  };
  return [
    ...(store.hasRoom() ? [] : [alerts.diskFull]),
    ...(store.rescue ? [alerts.storageRebuilt] : []),
    ...counted(refused.length - damaged, alerts.refusedEntry),
    ...counted(damaged, alerts.damagedEntry),
    ...counted(reports.length, alerts.refusedReport),
    ...counted(elsewhere, alerts.elsewhere),
  ];
}
