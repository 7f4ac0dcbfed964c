import type { StaffAuthorisation } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { canonicalAuthorisation } from '@florin/shared/signing/canonical.ts';
import { verifyText } from '@florin/shared/signing/ed25519.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { CheckedOperation } from './checked-operation.ts';
import type { StaffRefusal } from './refusal.ts';
import type { StaffRow } from './rows.ts';
import { requestToApprove, setApprovable, staffRow } from './store.ts';

/** How long a refused request can be approved: time to fetch a colleague, as long as a kiosk waits for staff. */
const approvalMs = 5 * 60_000;

type ApprovalRefusal = Extract<StaffRefusal, { kind: 'self_approval' | 'approval_expired' }>;

/** The text that the staff member who requests an operation signs. */
export function requestText({
  business,
  terminalId,
  sale,
  kind,
  amountMinor,
  authorisation,
}: CheckedOperation): string {
  const { staffId, nonce, issuedAt } = authorisation;
  return canonicalAuthorisation({
    purpose: kind === 'REFUND_SALE' ? 'refund' : 'void',
    businessId: business.id,
    deviceId: terminalId,
    staffId,
    paymentId: sale.paymentId,
    kind,
    amount: kind === 'REFUND_SALE' ? amountMinor : null,
    currency: sale.currency,
    nonce,
    issuedAt,
  });
}

/** The text that the second staff member signs: the same operation, by whom it was requested and with which nonce. */
export function approvalText(operation: CheckedOperation, approval: StaffAuthorisation): string {
  const { business, terminalId, sale, kind, amountMinor, authorisation } = operation;
  return canonicalAuthorisation({
    purpose: 'approval',
    businessId: business.id,
    deviceId: terminalId,
    staffId: approval.staffId,
    requestedBy: authorisation.staffId,
    requestNonce: authorisation.nonce,
    paymentId: sale.paymentId,
    kind,
    amount: kind === 'REFUND_SALE' ? amountMinor : null,
    currency: sale.currency,
    nonce: approval.nonce,
    issuedAt: approval.issuedAt,
  });
}

/**
 * The staff member whose request may be approved: it was refused for want of permission or of limit a short while ago,
 * it is the very same request, still signed by their key, and another person approves it.
 */
export async function approvable(
  tx: Transaction,
  operation: CheckedOperation,
  approval: StaffAuthorisation,
  now: Instant,
): Promise<Result<StaffRow, ApprovalRefusal>> {
  const { business, terminalId, authorisation } = operation;
  const { staffId, nonce, signature } = authorisation;
  if (approval.staffId === staffId) return err({ kind: 'self_approval' });
  const refused = await tx.first(requestToApprove, {
    nonce,
    businessId: business.id,
    staffId,
    terminalId,
    signature,
    now,
  });
  const staff = refused && (await tx.first(staffRow, { businessId: business.id, id: staffId }));
  const stands = staff?.disabledAt === null && verifyText(staff.publicKey, requestText(operation), signature);
  return stands ? ok(staff) : err({ kind: 'approval_expired' });
}

/** Leaves a refused request for a second staff member, if one could approve it. */
export async function offered(
  tx: Transaction,
  { authorisation }: CheckedOperation,
  refusal: StaffRefusal,
  now: Instant,
): Promise<StaffRefusal> {
  const { kind } = refusal;
  if (kind !== 'permission_denied' && kind !== 'limit_exceeded' && kind !== 'daily_limit_exceeded') return refusal;
  const { nonce, signature } = authorisation;
  const approvableUntil = now + approvalMs;
  await tx.run(setApprovable, { nonce, refusedSignature: signature, approvableUntil });
  return { ...refusal, approvableUntil };
}

/** An approval is used once. */
export async function endApproval(tx: Transaction, { authorisation }: CheckedOperation): Promise<void> {
  const { nonce, signature } = authorisation;
  await tx.run(setApprovable, { nonce, refusedSignature: signature, approvableUntil: null });
}
