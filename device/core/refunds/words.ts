import { cardNameOf } from '@florin/shared/card-schemes.ts';
import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import { staffRefusalMessages } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { formatMoney } from '@florin/shared/money.ts';
import type { Notice } from '../../ipc/view.ts';
import type { BrokenLimit } from '../staff/offline.ts';

/** `message` is the specification's text; `detail` says what it means for the customer and what to do next. */
export const notices = {
  notReached: {
    message: 'Could not reach the server!',
    detail: 'No money moved. Check the network, then enter the password again.',
  },
  notReachedAtStaffId: {
    message: 'Could not reach the server!',
    detail: 'No money moved. Check the network, then try again.',
  },
  notReachedUnprotected: {
    message: 'Could not reach the server!',
    detail: 'No money moved. Check the network, then start again from the sale.',
  },
  incorrectStaffId: {
    message: staffRefusalMessages.staff_unknown,
    detail: 'There is no staff member with this number at this business. Check it and type it again.',
  },
  staffIdNotKnownHere: {
    message: 'Could not reach the server!',
    detail: 'This terminal does not know this staff ID and cannot ask about it now. Check the number and the network.',
  },
  storageChanged: {
    message: staffRefusalMessages.staff_locked,
    detail:
      'The counts of wrong passwords on this terminal were changed. Nobody can authorise anything here until it has reached the server again.',
  },
  permissionDenied: {
    message: staffRefusalMessages.permission_denied,
    detail:
      'No money moved. A colleague with the Refund & void permission can enter their staff ID; a manager can grant it.',
  },
  expired: { message: staffRefusalMessages.authorisation_expired, detail: 'No money moved.' },
  staffNeeded: {
    message: staffRefusalMessages.authorisation_required,
    detail: 'Password protection was switched on meanwhile. No money moved.',
  },
  timeForNewPasswordOver: {
    message: 'That took too long',
    detail: 'Your password was not changed and no money moved. Begin again with your staff ID.',
  },
  passwordUnchanged: {
    message: 'Choose another password',
    detail: 'The temporary password cannot stay. Choose one that only you know.',
  },
  passwordNotReached: {
    message: 'Could not reach the server!',
    detail: 'Your new password was not saved and no money moved. Try again.',
  },
  slowDown: {
    message: 'Please wait a moment',
    detail: 'Too many tries at once. No money moved. Try again in a few seconds.',
  },
  revoked: {
    message: 'This terminal is no longer enrolled',
    detail: 'No money moved. A manager can enrol it again with a new code.',
  },
  exceeds: {
    message: 'Refund exceeds original sale amount',
    detail: 'Choose an amount no larger than what is left of this sale.',
  },
  silent: {
    message: 'Checking',
    detail:
      'No answer came. The terminal keeps asking and sends nothing twice. You can leave this screen after a minute.',
  },
  restarted: {
    message: 'Checking',
    detail: 'The terminal restarted in the middle of this. It is finding out the result and sends nothing twice.',
  },
  notReceived: {
    message: 'Not sent',
    detail: 'The service never received it: no money moved. Start again from the sale.',
  },
  leftSilent: {
    message: 'Not known yet',
    detail:
      'The service could not be asked about it. If it was received, the sale shows it: look at the sale before you start again.',
  },
  leftPending: {
    message: 'Not decided yet',
    detail:
      'The bank has not answered yet. The service keeps checking, and the sale shows the result. Do not start it again.',
  },
} as const satisfies Record<string, Notice>;

/** The end of a request of software while staff were asked to authorise it. */
export function withdrawnNotice(why: 'expired' | 'cancelled', requestedBy: string): Notice {
  return why === 'expired'
    ? {
        message: 'Request expired',
        detail: `No money moved. To return the money after all, start again from ${requestedBy}.`,
      }
    : { message: `Cancelled by ${requestedBy}`, detail: 'No money moved. There is nothing left to do here.' };
}

/** States the limit, so that the next attempt fits: another staff ID, or a smaller amount. */
export function limitNotice(
  broken: BrokenLimit,
  { staffName, money }: { staffName: string | null; money: (amountMinor: number) => string },
): Notice {
  const name = staffName ?? 'This staff member';
  const next = 'No money moved. A colleague can enter their staff ID, or a smaller amount can be refunded.';
  const limit = money(broken.limitMinor);
  const message = staffRefusalMessages[broken.reason];
  if (broken.reason === 'limit_exceeded') {
    return { message, detail: `${name} may refund up to ${limit} at once. ${next}` };
  }
  const left = money(Math.max(0, broken.limitMinor - broken.usedMinor));
  return { message, detail: `${name} may refund up to ${limit} a day and has ${left} left today. ${next}` };
}

/** `triesLeft` before a lockout; null if unknown. */
export function incorrectPassword(triesLeft: number | null): Notice {
  const left = triesLeft === null ? '' : ` ${triesLeft === 1 ? '1 try' : `${triesLeft} tries`} left.`;
  return { message: staffRefusalMessages.invalid_signature, detail: `No money moved.${left}` };
}

/** For an authorisation sent during a lockout: its password was not checked. `until` is a formatted time, if known. */
export function tooManyAttempts(until: string | null, name: string | null): Notice {
  return { message: staffRefusalMessages.too_many_attempts, detail: whoIsLockedOut(until, name) };
}

/** The terminal itself is locked: no staff member can authorise anything on it. */
export function terminalLockedOut(until: string | null): Notice {
  return {
    message: staffRefusalMessages.too_many_attempts,
    detail: `This terminal is locked out${until ? ` until ${until}` : ''}, for everybody: too many wrong passwords were entered on it. No money moved. Use another terminal, or ask a manager to unlock this one.`,
  };
}

/** For a staff member locked out by the service or by this terminal's count. `until` is a formatted time, if known. */
export function lockedOut(until: string | null, name: string | null): Notice {
  return {
    message: until ? `Locked out until ${until}` : staffRefusalMessages.staff_locked,
    detail: whoIsLockedOut(until, name),
  };
}

function whoIsLockedOut(until: string | null, name: string | null): string {
  const who = `${name ?? 'This staff member'} is locked out${until ? ` until ${until}` : ''}`;
  return `${who}: too many wrong passwords. No money moved. Go back for a colleague to enter their staff ID, or a manager unlocks ${name ?? 'them'}.`;
}

/** A refusal because of the payment's state, with the specification's message; `lookAgainAt` reads "at 14:05". */
export function refusalNotice(message: string, reason: string | null, lookAgainAt: string | null = null): Notice {
  const details: Record<string, string> = {
    payment_already_cancelled:
      'This sale was voided before: the customer does not pay for it. There is nothing to give back.',
    payment_already_refunded:
      'Part of this sale was refunded before, so it can no longer be voided. Refund the rest instead.',
    refund_exceeds_payment:
      'Less is left of this sale than was asked for. No money moved. Look at the sale and choose again.',
    payment_already_settled: 'Refund it instead. No money moved.',
    payment_not_settled: 'Void it instead. No money moved.',
    payment_settling: `The bank is settling this sale, so it can be neither voided nor refunded now. No money moved. ${lookAgainAt ? `Look again ${lookAgainAt}.` : 'Look again later.'}`,
    settlement_rejected: 'The bank did not settle this sale. No money moved. Call support.',
    payment_not_at_gateway: 'The bank has no record of this payment, so nothing can be given back on it.',
    refund_in_progress: 'Another refund of this sale is still being decided. Wait for it, then look at the sale again.',
  };
  // If the specification has no message for it, the service's message is meant for developers and is not shown.
  const titles: Record<string, string> = {
    payment_already_settled: 'Too late to void',
    payment_not_settled: 'Too early to refund',
    payment_settling: 'Being settled',
    settlement_rejected: 'Not settled',
  };
  return { message: (reason && titles[reason]) || message, detail: (reason && details[reason]) || 'No money moved.' };
}

/** The notice to the cashier for a refund record. */
export function recordNotice(refund: RefundRecord, locale: string): Notice {
  const isVoid = refund.kind === 'CANCEL';
  const amount = formatMoney({ amountMinor: refund.amountInCents ?? 0, currency: refund.currency }, locale);
  const bank = refund.gatewayMessage ? ` The bank says: ${refund.gatewayMessage}.` : '';
  switch (refund.status) {
    case 'approved':
    case 'recorded':
      return isVoid
        ? { message: 'Voided', detail: 'The customer does not pay. Nothing will appear on their statement.' }
        : {
            message: 'Refunded',
            detail: `${amount} goes back to the customer's card, usually within one to five working days.`,
          };
    case 'declined':
      return { message: 'Declined', detail: `The bank refused to give the money back.${bank} No money moved.` };
    case 'failed':
      return { message: 'Failed', detail: `The bank could not be reached. No money moved.${bank} Try again.` };
    case 'pending':
      return {
        message: 'Checking',
        detail: isVoid
          ? 'The bank has not confirmed this void yet. The service keeps checking, and the result will be with the sale, in Recent sales. You can leave this screen.'
          : `The bank has not confirmed this refund of ${amount} yet. The service keeps checking, and the result will be with the sale, in Recent sales. You can leave this screen.`,
      };
  }
}

/** The receipt of an approved void or refund, in the order printed; lines whose value is unknown are omitted. */
export function refundReceipt(options: {
  refund: RefundRecord;
  sale: SaleRecord;
  staff: string | null;
  businessName: string;
  terminalName: string;
  locale: string;
  timeZone: string;
}): { label: string; value: string }[] {
  const { refund, sale, staff, locale, timeZone } = options;
  const amountMinor = refund.amountInCents ?? sale.amountInCents;
  return [
    { label: 'Business', value: options.businessName },
    { label: 'Terminal', value: options.terminalName },
    {
      label: 'Date',
      value: new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(
        Date.parse(refund.settledAt ?? refund.createdAt),
      ),
    },
    { label: refund.kind === 'CANCEL' ? 'Void of invoice' : 'Refund of invoice', value: sale.invoiceNumber },
    { label: 'Amount', value: formatMoney({ amountMinor, currency: refund.currency }, locale) },
    ...(sale.cardLastFour
      ? [{ label: 'Card', value: `${cardNameOf(sale.cardScheme)} •••• ${sale.cardLastFour}` }]
      : []),
    ...(staff ? [{ label: 'Authorised by', value: staff }] : []),
    ...(refund.gatewayReference ? [{ label: 'Bank reference', value: refund.gatewayReference }] : []),
  ];
}
