import type { Transaction } from '../../foundation/database/database.ts';
import { refundActor, type StaffOfRefund } from './refund.ts';
import type { RefundRow } from './rows.ts';
import { staffNames } from './store.ts';

type StaffIds = Pick<RefundRow, 'actorKind' | 'actorId' | 'terminalId' | 'requestedByStaffId'>;

/** The staff of a refund, with their present names. */
export async function staffOf(from: Pick<Transaction, 'all'>, refund: StaffIds): Promise<StaffOfRefund> {
  return (await staffOfAll(from, [refund]))(refund);
}

/** The staff of many refunds: one query, and none if no staff member authorised any of them. */
export async function staffOfAll(
  from: Pick<Transaction, 'all'>,
  refunds: readonly StaffIds[],
): Promise<(refund: StaffIds) => StaffOfRefund> {
  const ids = refunds.flatMap(refund => [authoriserOf(refund), refund.requestedByStaffId].filter(id => id !== null));
  const rows = ids.length === 0 ? [] : await from.all(staffNames, { idsJson: JSON.stringify(ids) });
  const byId = new Map(rows.map(member => [member.id, member]));
  const named = (id: string | null) => (id === null ? null : (byId.get(id) ?? null));
  return refund => ({ staff: named(authoriserOf(refund)), requestedBy: named(refund.requestedByStaffId) });
}

function authoriserOf(refund: StaffIds): string | null {
  const by = refundActor(refund);
  return by.kind === 'staff' ? by.staffId : null;
}
