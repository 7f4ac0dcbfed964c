import { newRefund, type RefundContext } from '@florin/device/core/refunds/machine.ts';
import { refundScreen } from '@florin/device/core/refunds/screen.ts';
import { recordNotice } from '@florin/device/core/refunds/words.ts';
import {
  incorrectPassword,
  limitNotice,
  lockedOut,
  refusalNotice,
  tooManyAttempts,
} from '@florin/device/core/staff/words.ts';
import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import { formatMoney } from '@florin/shared/money.ts';
import { pendingRefund } from '../../support/terminal/service-records.ts';
import { aSale, displaySettings, minuteMs, type Picture, viewOf } from './picture.ts';

const staff = { id: 'staff_019a8f3e6b7c', name: 'Amara Okafor', staffNumber: '104', mustChangePassword: false };

const approver = { id: 'staff_019a8f3e6b7d', name: 'Grace Fitzgerald', staffNumber: '12', mustChangePassword: false };

/** A time of day in the language that is drawn. */
const clock = (at: number) =>
  new Intl.DateTimeFormat(displaySettings.locale, { timeZone: displaySettings.timeZone, timeStyle: 'short' }).format(
    at,
  );

function contexts(nowMs: number) {
  const settled = aSale(nowMs, { status: 'settled', action: 'refund' });
  const context = (kind: 'CANCEL' | 'REFUND_SALE', change: Partial<RefundContext>): RefundContext => ({
    ...newRefund({ sale: kind === 'CANCEL' ? aSale(nowMs) : settled, kind, isProtected: true }).context,
    amountMinor: kind === 'CANCEL' ? null : 10_00,
    ...change,
  });
  return {
    voiding: (change: Partial<RefundContext> = {}) => context('CANCEL', change),
    refunding: (change: Partial<RefundContext> = {}) => context('REFUND_SALE', change),
  };
}

function refundOf(context: RefundContext, nowMs: number, change: Partial<RefundRecord>): RefundRecord {
  const { sale, kind, amountMinor } = context;
  const at = new Date(nowMs).toISOString();
  return {
    ...pendingRefund({ sale, kind, amountInCents: amountMinor, staff, requestedBy: null, at }),
    id: 'ref_019a8f3e6b7c',
    status: 'approved',
    gatewayReference: '24112114325501XR92KQ4',
    pendingDetail: null,
    remainingInCents: null,
    settledAt: at,
    ...change,
  };
}

export function returns(nowMs: number): Picture[] {
  const { voiding, refunding } = contexts(nowMs);
  const shows = (state: string, context: RefundContext, ageMs = 0, mayLeave = false) =>
    viewOf(refundScreen({ state, context, since: nowMs - ageMs, mayLeave, displaySettings }));
  const known = { staff };
  const { words } = displaySettings;
  const { notices } = words;
  const lockout = { words, staffName: staff.name };
  const requester = { staff, approvableUntil: nowMs + 5 * minuteMs };
  const approvable = limitNotice(
    { reason: 'daily_limit_exceeded', limitMinor: 100_00, usedMinor: 60_00 },
    {
      words,
      staffName: staff.name,
      money: amountMinor => formatMoney({ amountMinor, currency: 'GBP' }, displaySettings.locale),
    },
    { isApprovable: true },
  );
  const dailyLimit = limitNotice(
    { reason: 'daily_limit_exceeded', limitMinor: 100_00, usedMinor: 60_00 },
    {
      ...lockout,
      money: amountMinor => formatMoney({ amountMinor, currency: 'GBP' }, displaySettings.locale),
    },
  );
  const fiveMinutes = nowMs + 4.5 * minuteMs;
  const aDay = nowMs + 1439 * minuteMs;
  return [
    { name: 'refund-amount', view: shows('choosingAmount', refunding()) },
    {
      name: 'refund-amount-rest',
      view: shows('choosingAmount', {
        ...refunding(),
        sale: aSale(nowMs, {
          status: 'partly_refunded',
          action: 'refund',
          refundedInCents: 10_00,
          remainingInCents: 14_50,
        }),
      }),
    },
    { name: 'refund-amount-notice', view: shows('choosingAmount', refunding({ notice: notices.exceeds })) },
    { name: 'confirm-void', view: shows('confirming', voiding()) },
    { name: 'confirm-refund', view: shows('confirming', refunding()) },
    { name: 'staff-id', view: shows('staffId', voiding()) },
    { name: 'staff-id-busy', view: shows('identifying', voiding()) },
    { name: 'staff-id-notice', view: shows('staffId', voiding({ staffIdEntry: 2, notice: notices.incorrectStaffId })) },
    {
      name: 'staff-id-notice-long',
      view: shows('staffId', refunding({ staffIdEntry: 3, notice: notices.permissionDenied })),
    },
    { name: 'staff-id-notice-limit', view: shows('staffId', refunding({ staffIdEntry: 4, notice: dailyLimit })) },
    {
      name: 'approver-staff-id',
      view: shows('staffId', refunding({ staffIdEntry: 5, requester, notice: approvable })),
    },
    {
      name: 'approver-staff-id-notice',
      view: shows('staffId', voiding({ staffIdEntry: 6, requester, notice: notices.permissionApprovable })),
    },
    {
      name: 'approver-staff-id-notice-self',
      view: shows('staffId', refunding({ staffIdEntry: 7, requester, notice: notices.selfApproval })),
    },
    { name: 'approver-staff-password', view: shows('password', refunding({ requester, staff: approver })) },
    { name: 'staff-password', view: shows('password', refunding(known)) },
    { name: 'staff-password-void', view: shows('password', voiding(known)) },
    { name: 'staff-password-busy', view: shows('verifying', refunding(known)) },
    {
      name: 'staff-password-notice',
      view: shows('password', refunding({ ...known, notice: incorrectPassword(2, words) })),
    },
    {
      name: 'staff-password-notice-long',
      view: shows('password', refunding({ ...known, notice: notices.notReached })),
    },
    { name: 'new-password', view: shows('newPassword', refunding(known)) },
    { name: 'new-password-busy', view: shows('changing', refunding(known)) },
    {
      name: 'new-password-notice',
      view: shows('newPassword', refunding({ ...known, notice: notices.passwordUnchanged })),
    },
    {
      name: 'locked-out',
      view: shows('lockedOut', refunding({ notice: lockedOut(clock(fiveMinutes), lockout), lockedUntil: fiveMinutes })),
    },
    {
      name: 'locked-out-long',
      view: shows('lockedOut', voiding({ notice: tooManyAttempts(clock(aDay), lockout), lockedUntil: aDay })),
    },
    {
      name: 'locked-out-over',
      view: shows(
        'lockedOut',
        refunding({
          notice: tooManyAttempts(clock(nowMs - 1000), { words, staffName: null }),
          lockedUntil: nowMs - 1000,
        }),
      ),
    },
    { name: 'return-sending', view: shows('sending', refunding(known)) },
    { name: 'return-checking', view: shows('checking', voiding({ ...known, notice: notices.silent }), 30_000) },
    {
      name: 'return-checking-leavable',
      view: shows('checking', refunding({ ...known, notice: notices.silent }), 95_000, true),
    },
    ...offline(nowMs),
    ...results(nowMs),
  ];
}

/** Without the service: the second person is still asked for, and what was sent is not answered. */
function offline(nowMs: number): Picture[] {
  const { voiding, refunding } = contexts(nowMs);
  const shows = (state: string, context: RefundContext, waitingToSync = 0) =>
    viewOf(refundScreen({ state, context, since: nowMs - 30_000, mayLeave: false, displaySettings }), {
      service: 'offline',
      waitingToSync,
    });
  const requester = { staff, approvableUntil: nowMs + 5 * minuteMs };
  return [
    { name: 'approver-staff-id-offline', view: shows('staffId', refunding({ staffIdEntry: 5, requester }), 2) },
    { name: 'return-sending-offline', view: shows('sending', refunding({ staff })) },
    {
      name: 'return-checking-offline',
      view: shows('checking', voiding({ staff, notice: displaySettings.words.notices.silent }), 1),
    },
  ];
}

function results(nowMs: number): Picture[] {
  const { words } = displaySettings;
  const { voiding, refunding } = contexts(nowMs);
  const ended = (context: RefundContext) =>
    viewOf(refundScreen({ state: 'result', context, since: nowMs, mayLeave: false, displaySettings }));
  const decided = (
    context: RefundContext,
    outcome: RefundContext['outcome'],
    change: Partial<RefundRecord>,
    sale: Partial<RefundContext['sale']> = {},
    by = staff,
  ) => {
    const refund = refundOf(context, nowMs, change);
    const notice = recordNotice(refund, displaySettings);
    return ended({ ...context, staff: by, refund, notice, outcome, sale: { ...context.sale, ...sale } });
  };
  const partly = { status: 'partly_refunded', refundedInCents: 10_00, remainingInCents: 14_50 } as const;
  return [
    { name: 'return-result-refunded', view: decided(refunding(), 'approved', {}, partly) },
    {
      name: 'return-result-approved',
      view: decided(refunding({ requester: { staff, approvableUntil: nowMs } }), 'approved', {}, partly, approver),
    },
    {
      name: 'return-result-voided',
      view: decided(voiding(), 'approved', {}, { status: 'cancelled', action: 'none', remainingInCents: 0 }),
    },
    {
      name: 'return-result-declined',
      view: decided(refunding(), 'declined', { status: 'declined', gatewayMessage: 'REFUND DECLINED' }),
    },
    { name: 'return-result-failed', view: decided(refunding(), 'failed', { status: 'failed' }) },
    {
      name: 'return-result-refused',
      view: ended(
        refunding({
          outcome: 'refused',
          notice: refusalNotice('refund_exceeds_payment', words),
        }),
      ),
    },
    {
      name: 'return-result-too-late-to-void',
      view: ended(
        voiding({
          sale: aSale(nowMs, { status: 'settled', action: 'refund' }),
          outcome: 'refused',
          notice: refusalNotice('payment_already_settled', words),
        }),
      ),
    },
    {
      name: 'return-result-settling',
      view: ended(
        voiding({
          outcome: 'refused',
          notice: refusalNotice('payment_settling', words, { at: clock(nowMs + 40 * minuteMs) }),
        }),
      ),
    },
    {
      name: 'return-result-pending',
      view: ended(refunding({ outcome: 'pending', notice: words.notices.leftPending })),
    },
  ];
}
