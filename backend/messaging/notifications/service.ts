import type { Actor } from '@florin/shared/actor.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { RecipientRow } from './rows.ts';
import { deleteRecipient, insertRecipient, recipientPage, recipientsOfBusiness } from './store.ts';

export type RecipientRefusal =
  | { readonly kind: 'recipient_exists' }
  | { readonly kind: 'too_many_recipients'; readonly limit: number };

/** The recipients of a business's notifications. */
export type NotificationService = {
  list(businessId: string, page: { readonly before: string; readonly limit: number }): Promise<RecipientRow[]>;
  add(
    businessId: string,
    email: string,
    by: Actor,
    write: DurableWrite<RecipientRow>,
  ): Promise<Result<RecipientRow, RecipientRefusal>>;
  remove(businessId: string, id: string, by: Actor): Promise<RecipientRow | undefined>;
};

const recipientLimit = 50;

/**
 * Adds and removes recipients, at most 50 per business; two addresses that differ only in case are the same recipient.
 */
export function notificationService(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly changes: ChangeLog;
}): NotificationService {
  const { database, clock, ids, changes } = options;
  const changeOf = (change: string, { businessId, id, email }: RecipientRow, by: Actor) => ({
    businessId,
    kind: 'setting_changed' as const,
    by,
    detail: { change, recipientId: id, email },
  });

  return {
    list: (businessId, page) => database.all(recipientPage, { businessId, ...page }),

    add: (businessId, email, by, write) =>
      database.write(async tx => {
        await write.begin(tx);
        const known = await tx.all(recipientsOfBusiness, { businessId });
        const id = ids.next(idPrefixes.notificationRecipient);
        const row = { id, businessId, email, emailKey: email.toLowerCase(), createdAt: clock.now() };
        if (known.some(({ emailKey }) => emailKey === row.emailKey)) return err({ kind: 'recipient_exists' });
        if (known.length >= recipientLimit) return err({ kind: 'too_many_recipients', limit: recipientLimit });
        if ((await tx.run(insertRecipient, row)) === 0) return err({ kind: 'recipient_exists' });
        await write.finish(tx, row);
        await changes.append(tx, changeOf('notification_recipient_added', row, by));
        return ok(row);
      }),

    remove: (businessId, id, by) =>
      database.write(async tx => {
        const row = await tx.first(deleteRecipient, { businessId, id });
        if (row) await changes.append(tx, changeOf('notification_recipient_removed', row, by));
        return row;
      }),
  };
}
