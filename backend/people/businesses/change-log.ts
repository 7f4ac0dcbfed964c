import type { Actor } from '@florin/shared/actor.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { AuditKind } from '../audit/rows.ts';

/**
 * Records changes to keys, terminals and settings in the business's hash chain, within the transaction of the change.
 * Append last: the chain's head is its most contended lock.
 */
export type ChangeLog = {
  /** Creates the chain of a new business. */
  begin(tx: Transaction, businessId: string): Promise<void>;
  append(
    tx: Transaction,
    entry: {
      readonly businessId: string;
      readonly kind: Extract<
        AuditKind,
        | 'api_key_changed'
        | 'kiosk_key_changed'
        | 'terminal_changed'
        | 'setting_changed'
        | 'withdrawal_requested'
        | 'withdrawal_resolved'
        | 'gateway_account_changed'
        | 'webhook_changed'
        | 'team_changed'
        | 'portal_user_changed'
        | 'sign_in_refused'
        | 'permission_refused'
        | 'export_requested'
      >;
      readonly by: Actor;
      readonly terminalId?: string;
      readonly detail: Readonly<Record<string, unknown>>;
    },
  ): Promise<unknown>;
};
