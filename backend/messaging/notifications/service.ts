import type { Actor } from '@florin/shared/actor.ts';
import { type NotificationKind, notificationKinds } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { RecipientRow } from './rows.ts';
import {
  changeRecipient,
  deleteRecipient,
  insertRecipient,
  recipientForUpdate,
  recipientPage,
  recipientsOfBusiness,
} from './store.ts';

export type RecipientRefusal =
  | { readonly kind: 'recipient_exists' }
  | { readonly kind: 'too_many_recipients'; readonly limit: number };

/** The recipients of a business's notifications. */
export type NotificationService = {
  list(businessId: string, page: { readonly before: string; readonly limit: number }): Promise<RecipientRow[]>;
  add(
    businessId: string,
    recipient: { readonly email: string; readonly kinds: readonly NotificationKind[] },
    by: Actor,
    write: DurableWrite<RecipientRow>,
  ): Promise<Result<RecipientRow, RecipientRefusal>>;
  /** Changes what is sent to it from now on. */
  change(
    businessId: string,
    id: string,
    kinds: readonly NotificationKind[],
    by: Actor,
  ): Promise<RecipientRow | undefined>;
  remove(businessId: string, id: string, by: Actor): Promise<RecipientRow | undefined>;
};

const recipientLimit = 50;

/**
 * Adds, changes and removes recipients, at most 50 per business; two addresses that differ only in case are the same recipient.
 */
export function notificationService(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly changes: ChangeLog;
}): NotificationService {
  const { database, clock, ids, changes } = options;
  const changeOf = (change: string, row: RecipientRow, by: Actor) => ({
    businessId: row.businessId,
    kind: 'setting_changed' as const,
    by,
    detail: { change, recipientId: row.id, email: row.email, kinds: kindsOf(row) },
  });

  return {
    list: (businessId, page) => database.all(recipientPage, { businessId, ...page }),

    add: (businessId, { email, kinds }, by, write) =>
      database.write(async tx => {
        await write.begin(tx);
        const known = await tx.all(recipientsOfBusiness, { businessId });
        const id = ids.next(idPrefixes.notificationRecipient);
        const row = {
          id,
          businessId,
          email,
          emailKey: email.toLowerCase(),
          kindsJson: kindsJson(kinds),
          reportedUntil: clock.now(),
          createdAt: clock.now(),
        };
        if (known.some(({ emailKey }) => emailKey === row.emailKey)) return err({ kind: 'recipient_exists' });
        if (known.length >= recipientLimit) return err({ kind: 'too_many_recipients', limit: recipientLimit });
        if ((await tx.run(insertRecipient, row)) === 0) return err({ kind: 'recipient_exists' });
        await write.finish(tx, row);
        await changes.append(tx, changeOf('notification_recipient_added', row, by));
        return ok(row);
      }),

    change: (businessId, id, kinds, by) =>
      database.write(async tx => {
        const row = await tx.first(recipientForUpdate, { businessId, id });
        if (!row) return undefined;
        const reportedUntil = kindsOf(row).includes('daily_report') ? row.reportedUntil : clock.now();
        const changed = { ...row, kindsJson: kindsJson(kinds), reportedUntil };
        await tx.run(changeRecipient, changed);
        await changes.append(tx, changeOf('notification_recipient_changed', changed, by));
        return changed;
      }),

    remove: (businessId, id, by) =>
      database.write(async tx => {
        const row = await tx.first(deleteRecipient, { businessId, id });
        if (row) await changes.append(tx, changeOf('notification_recipient_removed', row, by));
        return row;
      }),
  };
}

/** What is sent to a recipient. */
export function kindsOf({ kindsJson: json }: Pick<RecipientRow, 'kindsJson'>): NotificationKind[] {
  return JSON.parse(json) as NotificationKind[];
}

/** Each once, in the order of the list. */
function kindsJson(kinds: readonly NotificationKind[]): string {
  return JSON.stringify(notificationKinds.filter(kind => kinds.includes(kind)));
}
