import { hash } from 'node:crypto';
import { actorReference } from '@florin/shared/actor.ts';
import type { Clock, Ids, Log } from '@florin/shared/ports.ts';
import { idPrefixes } from '@florin/shared/ports.ts';
import { afterCommit } from '../../foundation/database/after-commit.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import { alertsOf, countAlerts, insertAlert } from './alert-store.ts';
import type { TerminalAlertRow } from './rows.ts';

/** A report about a terminal that needs manual review. */
export type NewAlert = {
  readonly businessId: string;
  /** The terminal that reported. */
  readonly terminalId: string;
  readonly kind: TerminalAlertRow['kind'];
  readonly reason: string;
  readonly message: string;
  /** The reported entry, unchanged. */
  readonly entry: unknown;
};

/** The limit of stored alerts per terminal, so that it cannot fill the database; later ones are only logged. */
const maxKept = 1_000;

/** Implausible reports of terminals: stored, logged and listed. An identical report is stored once. */
export function terminalAlerts(options: { database: Database; clock: Clock; ids: Ids; log: Log }) {
  const { database, clock, ids, log } = options;
  return {
    /** Whether it is new. */
    async raise(tx: Transaction, alert: NewAlert): Promise<boolean> {
      const { businessId, terminalId, kind, reason, message } = alert;
      const entryJson = JSON.stringify(alert.entry) ?? 'null';
      const kept = (await tx.first(countAlerts, { terminalId }))?.alerts ?? 0;
      const row: TerminalAlertRow = {
        id: ids.next(idPrefixes.alert),
        businessId,
        terminalId,
        kind,
        reason,
        message,
        entryJson,
        digest: hash('sha256', JSON.stringify([kind, reason, entryJson])),
        createdAt: clock.now(),
      };
      const isNew = kept < maxKept ? (await tx.run(insertAlert, row)) === 1 : true;
      if (isNew) {
        const by = actorReference({ kind: 'terminal', terminalId });
        const facts = { businessId, terminalId, by, alert: kind, reason, message };
        afterCommit(tx, () => log.warn(facts, 'a terminal needs attention'));
      }
      return isNew;
    },

    /** Newest first, made before the alert `before`. */
    list: (options: { terminalId: string; before: string; limit: number }) => database.all(alertsOf, options),
  };
}
export type TerminalAlerts = ReturnType<typeof terminalAlerts>;
