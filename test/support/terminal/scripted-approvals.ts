import type { StaffMember } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { StaffAuthorisation } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { refuseByLimits, staffRefusal } from './service-refusals.ts';

export type RefundRequest = {
  requestId: string;
  paymentId: string;
  kind: 'CANCEL' | 'REFUND_SALE';
  amountInCents?: number;
  authorisation?: StaffAuthorisation;
  approval?: StaffAuthorisation;
};

type Proofs = { readonly authorisation: StaffAuthorisation; readonly approval: StaffAuthorisation | undefined };

/** What the staff member at the terminal signs: a request of their own, or the approval of another one's. */
export function signedSubject(
  { paymentId, currency }: SaleRecord,
  { kind, amountInCents }: RefundRequest,
  { authorisation, approval }: Proofs,
) {
  const operation = { paymentId: paymentId ?? '', kind, amount: amountInCents ?? null, currency };
  const { staffId: requestedBy, nonce: requestNonce } = authorisation;
  return approval
    ? ({ purpose: 'approval', ...operation, requestedBy, requestNonce } as const)
    : { purpose: kind === 'CANCEL' ? ('void' as const) : ('refund' as const), ...operation };
}

/** The requests that were refused to one staff member and may be approved by another one. */
export class ScriptedApprovals {
  /** How long a refused request can be approved. */
  forMs = 300_000;
  readonly #now: () => number;
  readonly #signatures = new Map<string, string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Throws the refusal of an approval that is not possible. */
  refuseUnknown(requested: StaffAuthorisation | undefined, approval: StaffAuthorisation): void {
    if (requested?.staffId === approval.staffId) throw staffRefusal(403, 'self_approval');
    const isKnown = requested && this.#signatures.get(requested.nonce) === requested.signature;
    if (!isKnown) throw staffRefusal(409, 'approval_expired');
  }

  /** Throws the refusal of a right password that is not enough; a request of one's own can then be approved. */
  decide(member: StaffMember, amount: number | null, { authorisation, approval }: Proofs): void {
    if (member.passwordIsTemporary) throw staffRefusal(409, 'password_change_required');
    const offered = approval ? {} : { approvableUntil: new Date(this.#now() + this.forMs).toISOString() };
    if (!approval) this.#signatures.set(authorisation.nonce, authorisation.signature);
    if (!member.mayRefundAndVoid) throw staffRefusal(403, 'permission_denied', offered);
    if (amount !== null) refuseByLimits(member, amount, offered);
    this.#signatures.delete(authorisation.nonce);
  }
}
