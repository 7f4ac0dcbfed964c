import type { Instant } from '@florin/shared/ports.ts';
import type { Returning, Screen } from '../../ipc/view.ts';
import type { DisplaySettings } from '../words.ts';
import type { RefundContext } from './machine.ts';
import { nameAndNumber, refundReceipt } from './words.ts';

/** The screen of a void or refund in each of its states. */
export function refundScreen(options: {
  readonly state: string;
  readonly context: RefundContext;
  readonly since: Instant;
  readonly mayLeave: boolean;
  readonly displaySettings: DisplaySettings;
}): Screen {
  const { state, context, since, mayLeave, displaySettings } = options;
  const { sale, kind, amountMinor, notice, staff, requester, isChangingPassword } = context;
  const approvesFor = requester?.staff.name ?? null;
  const returning: Returning = { sale, kind, amountMinor, approvesFor, requestedBy: null, cancelsAt: null };
  const authorised = returning;
  const { notices } = displaySettings.words;
  const staffName = staff?.name ?? '';
  switch (state) {
    case 'choosingAmount':
      return { name: 'refund_amount', sale, amountMinor, notice };
    case 'confirming':
      return { name: 'confirm_return', returning };
    case 'staffId':
    case 'identifying':
      return { name: 'staff_id', authorised, entry: context.staffIdEntry, busy: state === 'identifying', notice };
    case 'password':
      return { name: 'staff_password', authorised, staffName, busy: false, notice };
    case 'verifying':
      return isChangingPassword
        ? { name: 'new_password', authorised, staffName, busy: true, notice }
        : { name: 'staff_password', authorised, staffName, busy: true, notice };
    case 'newPassword':
    case 'changing':
      return { name: 'new_password', authorised, staffName, busy: state === 'changing', notice };
    case 'lockedOut':
      return { name: 'locked_out', authorised, notice: notice ?? notices.expired, lockedUntil: context.lockedUntil };
    case 'sending':
      // This step only checks the password: no money moves.
      if (staff?.mustChangePassword) return { name: 'staff_password', authorised, staffName, busy: true, notice };
      return { name: 'return_progress', returning, stage: 'sending', since, mayLeave, notice };
    case 'checking':
      return {
        name: 'return_progress',
        returning,
        stage: 'checking',
        since,
        mayLeave,
        notice,
      };
    default:
      return {
        name: 'return_result',
        returning,
        outcome: context.outcome ?? 'failed',
        notice: notice ?? notices.silent,
        sale,
        receipt:
          context.outcome === 'approved' && context.refund
            ? refundReceipt({
                ...displaySettings,
                refund: context.refund,
                sale,
                // Those whose passwords the service checked: it names nobody if the business stopped asking meanwhile.
                staff: context.refund.staff && nameAndNumber(context.refund.staff),
                requestedBy: context.refund.requestedBy && nameAndNumber(context.refund.requestedBy),
              })
            : [],
      };
  }
}
