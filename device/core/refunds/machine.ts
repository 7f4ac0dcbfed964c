import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { assign, setup } from 'xstate';
import type { Notice } from '../../ipc/view.ts';
import type { Stored } from '../flows/durable.ts';
import type { CheckedStaff, StaffEvent } from '../staff/responses.ts';

export type RefundOutcome = 'approved' | 'declined' | 'failed' | 'refused' | 'withdrawn' | 'pending';

/** The first person, whose request was refused to them alone: until `approvableUntil` a second one may approve it. */
export type Requester = { readonly staff: CheckedStaff; readonly approvableUntil: Instant };

/** The persisted state of a void or refund. It contains no password, key or signature. */
export type RefundContext = {
  readonly sale: SaleRecord;
  readonly kind: 'CANCEL' | 'REFUND_SALE';
  readonly amountMinor: number | null;
  readonly isProtected: boolean;
  /** The person at the terminal: the one who asks, or the one who approves it for `requester`. */
  readonly staff: CheckedStaff | null;
  readonly requester: Requester | null;
  /** Incremented whenever the staff ID must be typed again. */
  readonly staffIdEntry: number;
  /** Stored before anything is sent; the service makes one refund of it, however often it is sent. */
  readonly requestId: string | null;
  /** Set by the software that requested the refund; otherwise each request gets a new one. */
  readonly givenRequestId: string | null;
  /** The time after which a lost request can no longer take effect. */
  readonly conclusiveAt: Instant;
  /**
   * The reader's boot id when the request was created: it tells whether the reader can still say for certain that it
   * does not know the request.
   */
  readonly readerBootId: string | null;
  readonly notice: Notice | null;
  readonly lockedUntil: Instant | null;
  readonly isChangingPassword: boolean;
  readonly refund: RefundRecord | null;
  readonly outcome: RefundOutcome | null;
};

export type RefundEvent =
  | StaffEvent
  | { readonly type: 'AMOUNT'; readonly amountMinor: number }
  | { readonly type: 'STAFF_NUMBER' }
  | { readonly type: 'UNLOCKED' }
  /** The business asks for no password any more. */
  | { readonly type: 'UNPROTECTED' }
  | { readonly type: 'PASSWORD' }
  | ({ readonly type: 'SIGNED' | 'CONFIRM' } & Pick<RefundContext, 'conclusiveAt' | 'readerBootId'> & {
        readonly requestId: string;
      })
  | { readonly type: 'NEW_PASSWORD' }
  | {
      readonly type: 'OUTCOME_KNOWN';
      readonly refund: RefundRecord;
      readonly sale: SaleRecord;
      readonly notice: Notice;
    }
  | { readonly type: 'PENDING'; readonly refund: RefundRecord; readonly sale: SaleRecord; readonly notice: Notice }
  | { readonly type: 'SILENT'; readonly notice: Notice }
  | { readonly type: 'NOT_FOUND'; readonly notice: Notice }
  | { readonly type: 'BACK' }
  | { readonly type: 'LEAVE'; readonly notice: Notice }
  /** The software that requested it cancelled it, or its time was over. */
  | { readonly type: 'WITHDRAWN'; readonly notice: Notice }
  | { readonly type: 'RESTARTED'; readonly notice: Notice };

export type RefundEffect =
  | 'identify'
  | 'verify'
  | 'send'
  | 'check'
  | 'changePassword'
  | 'forgetSecrets'
  | 'followResult';

/** States in which money may be moving or a result waits to be seen: a restart continues from them. */
export const storedStates: ReadonlySet<string> = new Set(['sending', 'checking', 'result']);

/**
 * The initial state: the amount, unless it is a void or software requested it, then the staff check, or only a
 * confirmation if the business requires no password. Nothing is stored yet.
 */
export function newRefund(options: {
  sale: SaleRecord;
  kind: 'CANCEL' | 'REFUND_SALE';
  isProtected: boolean;
  /** A request of software: the amount cannot be changed here. */
  requested?: { readonly requestId: string; readonly amountMinor: number };
  /** Whoever was about to void the sale, which settled meanwhile: all of it is refunded, and they are not asked again who they are. */
  insteadOfVoidBy?: CheckedStaff | null;
}): Stored<RefundContext> {
  const { requested, insteadOfVoidBy: staff = null, ...what } = options;
  const afterAmount = !options.isProtected ? 'confirming' : staff ? 'password' : 'staffId';
  const isWhole = options.insteadOfVoidBy !== undefined;
  return {
    value: options.kind === 'REFUND_SALE' && !requested && !isWhole ? 'choosingAmount' : afterAmount,
    context: {
      ...what,
      givenRequestId: requested?.requestId ?? null,
      amountMinor:
        options.kind === 'REFUND_SALE'
          ? (requested?.amountMinor ?? (isWhole ? options.sale.remainingInCents : null))
          : null,
      staff: options.isProtected ? staff : null,
      requester: null,
      staffIdEntry: 0,
      requestId: null,
      conclusiveAt: 0,
      readerBootId: null,
      notice: null,
      lockedUntil: null,
      isChangingPassword: false,
      refund: null,
      outcome: null,
    },
  };
}

/** Who asked for a void that was refused because the sale has settled; undefined of anything else. */
export function lateVoidBy(context: RefundContext): CheckedStaff | null | undefined {
  const { kind, outcome, sale, requester, staff } = context;
  if (kind !== 'CANCEL' || outcome !== 'refused' || sale.action !== 'refund') return undefined;
  return requester?.staff ?? staff;
}

/** Validates a stored context. */
export const refundContextKeys: readonly (keyof RefundContext)[] = ['sale', 'kind', 'requestId', 'conclusiveAt'];

function outcomeOf(refund: RefundRecord): RefundOutcome {
  if (refund.status === 'approved' || refund.status === 'recorded') return 'approved';
  if (refund.status === 'declined') return 'declined';
  return refund.status === 'pending' ? 'pending' : 'failed';
}

/** The amount of a software request cannot be changed here. */
const choosesAmount = ({ context }: { context: RefundContext }) =>
  context.kind === 'REFUND_SALE' && !context.givenRequestId;
const isProtected = ({ context }: { context: RefundContext }) => context.isProtected;

const isApproving = ({ context }: { context: RefundContext }) => Boolean(context.requester);

const approvalOver = { target: 'staffId', reenter: true, actions: ['showNotice', 'endApproval'] } as const;

/** A password that was asked for before is neither typed nor checked. */
const unprotected = { guard: isProtected, target: 'confirming', actions: 'endProtection' } as const;

/** Only where nothing was sent: otherwise the service decides. */
const withdrawn = { target: 'result', actions: ['showNotice', 'withdraw'] } as const;

/** One void or refund, from the sale on the screen to the result. Money can move only in `sending` and `checking`. */
export const refundMachine = setup({
  types: { context: {} as RefundContext, events: {} as RefundEvent },
  actions: {
    effect: (_context, _params: { name: RefundEffect }) => {},
    showNotice: assign(({ event }) => ('notice' in event ? { notice: event.notice } : {})),
    clearNotice: assign({ notice: null }),
    lock: assign(({ event }) =>
      event.type === 'LOCKED'
        ? { notice: event.notice, lockedUntil: event.lockedUntil, isChangingPassword: false }
        : {},
    ),
    askApprover: assign(({ context, event }) =>
      event.type === 'APPROVAL_NEEDED' && context.staff
        ? { requester: { staff: context.staff, approvableUntil: event.approvableUntil } }
        : {},
    ),
    endApproval: assign({ requester: null }),
    endProtection: assign({
      isProtected: false,
      staff: null,
      requester: null,
      notice: null,
      lockedUntil: null,
      isChangingPassword: false,
    }),
    forgetPerson: assign(({ context }) => ({ staff: null, staffIdEntry: context.staffIdEntry + 1 })),
    passwordChanged: assign(({ context }) => ({
      staff: context.staff && { ...context.staff, mustChangePassword: false },
    })),
    endPasswordChange: assign({ isChangingPassword: false }),
    answer: assign(({ event }) =>
      event.type === 'OUTCOME_KNOWN' || event.type === 'PENDING'
        ? { refund: event.refund, sale: event.sale, notice: event.notice }
        : {},
    ),
    recordOutcome: assign(({ event }) => (event.type === 'OUTCOME_KNOWN' ? { outcome: outcomeOf(event.refund) } : {})),
    refuse: assign(({ context, event }) => ({
      outcome: 'refused' as const,
      sale: event.type === 'REFUSED' && event.sale ? event.sale : context.sale,
    })),
    withdraw: assign({ outcome: 'withdrawn' as const }),
    fail: assign({ outcome: 'failed' as const }),
    nameRequest: assign(({ event }) =>
      event.type === 'SIGNED' || event.type === 'CONFIRM'
        ? {
            requestId: event.requestId,
            conclusiveAt: event.conclusiveAt,
            readerBootId: event.readerBootId,
            notice: null,
            isChangingPassword: false,
          }
        : {},
    ),
    newRequestLater: assign({ isChangingPassword: true, requestId: null, notice: null }),
  },
}).createMachine({
  context: () => {
    throw new Error('a refund begins from newRefund()');
  },
  initial: 'choosingAmount',
  states: {
    choosingAmount: {
      on: {
        AMOUNT: [
          {
            guard: isProtected,
            target: 'staffId',
            actions: assign(({ event }) => ({ amountMinor: event.amountMinor, notice: null })),
          },
          { target: 'confirming', actions: assign(({ event }) => ({ amountMinor: event.amountMinor, notice: null })) },
        ],
        UNPROTECTED: { guard: isProtected, actions: 'endProtection' },
        NOTICE: { actions: 'showNotice' },
      },
    },
    confirming: {
      on: {
        WITHDRAWN: withdrawn,
        CONFIRM: { target: 'sending', actions: 'nameRequest' },
        BACK: { guard: choosesAmount, target: 'choosingAmount', actions: 'clearNotice' },
      },
    },
    staffId: {
      entry: ['forgetPerson', { type: 'effect', params: { name: 'forgetSecrets' } }],
      on: {
        STAFF_NUMBER: { target: 'identifying', actions: 'clearNotice' },
        NOT_IDENTIFIED: { target: 'staffId', reenter: true, actions: 'showNotice' },
        APPROVAL_OVER: approvalOver,
        UNPROTECTED: unprotected,
        WITHDRAWN: withdrawn,
        BACK: [
          { guard: choosesAmount, target: 'choosingAmount', actions: ['clearNotice', 'endApproval'] },
          { guard: isApproving, target: 'staffId', reenter: true, actions: ['clearNotice', 'endApproval'] },
        ],
      },
    },
    identifying: {
      entry: { type: 'effect', params: { name: 'identify' } },
      on: {
        IDENTIFIED: { target: 'password', actions: assign(({ event }) => ({ staff: event.staff, notice: null })) },
        NOT_IDENTIFIED: { target: 'staffId', actions: 'showNotice' },
        LOCKED: { target: 'lockedOut', actions: 'lock' },
        UNPROTECTED: unprotected,
        BACK: { target: 'staffId', actions: 'clearNotice' },
      },
    },
    password: {
      on: {
        UNPROTECTED: unprotected,
        WITHDRAWN: withdrawn,
        PASSWORD: { target: 'verifying', actions: 'clearNotice' },
        NOT_IDENTIFIED: { target: 'staffId', actions: 'showNotice' },
        BACK: { target: 'staffId', actions: 'clearNotice' },
      },
    },
    /** Derives the key and signs; nothing has been sent yet. */
    verifying: {
      entry: { type: 'effect', params: { name: 'verify' } },
      on: {
        SIGNED: { target: 'sending', actions: 'nameRequest' },
        APPROVAL_OVER: approvalOver,
        RETRY: { target: 'password', actions: ['showNotice', 'endPasswordChange'] },
        NOT_IDENTIFIED: { target: 'staffId', actions: ['showNotice', 'endPasswordChange'] },
        LOCKED: { target: 'lockedOut', actions: 'lock' },
        REFUSED: { target: 'result', actions: ['showNotice', 'refuse'] },
        BACK: { guard: ({ context }) => !context.isChangingPassword, target: 'password', actions: 'clearNotice' },
      },
    },
    newPassword: {
      on: {
        UNPROTECTED: unprotected,
        WITHDRAWN: withdrawn,
        NEW_PASSWORD: { target: 'changing', actions: 'clearNotice' },
        NOTICE: { actions: 'showNotice' },
        BACK: { target: 'staffId', actions: ['clearNotice', 'endPasswordChange'] },
        NOT_IDENTIFIED: { target: 'staffId', actions: ['showNotice', 'endPasswordChange'] },
      },
    },
    changing: {
      entry: { type: 'effect', params: { name: 'changePassword' } },
      on: {
        CHANGED: { target: 'verifying', actions: 'passwordChanged' },
        NOTICE: { target: 'newPassword', actions: 'showNotice' },
        RETRY: { target: 'password', actions: ['showNotice', 'endPasswordChange'] },
        NOT_IDENTIFIED: { target: 'staffId', actions: ['showNotice', 'endPasswordChange'] },
        LOCKED: { target: 'lockedOut', actions: 'lock' },
      },
    },
    lockedOut: {
      entry: { type: 'effect', params: { name: 'forgetSecrets' } },
      on: {
        UNLOCKED: { target: 'staffId', actions: 'clearNotice' },
        UNPROTECTED: unprotected,
        WITHDRAWN: withdrawn,
        BACK: { target: 'staffId', actions: 'clearNotice' },
      },
    },
    sending: {
      entry: { type: 'effect', params: { name: 'send' } },
      on: {
        OUTCOME_KNOWN: { target: 'result', actions: ['answer', 'recordOutcome'] },
        PENDING: { target: 'checking', actions: 'answer' },
        SILENT: { target: 'checking', actions: 'showNotice' },
        RETRY: [
          { guard: isProtected, target: 'password', actions: 'showNotice' },
          { target: 'result', actions: ['showNotice', 'fail'] },
        ],
        NOT_IDENTIFIED: { target: 'staffId', actions: ['showNotice', assign({ isProtected: true })] },
        APPROVAL_NEEDED: { target: 'staffId', actions: ['showNotice', 'askApprover'] },
        APPROVAL_OVER: approvalOver,
        LOCKED: { target: 'lockedOut', actions: 'lock' },
        CHANGE_PASSWORD: { target: 'newPassword', actions: 'newRequestLater' },
        REFUSED: { target: 'result', actions: ['showNotice', 'refuse'] },
        RESTARTED: { target: 'checking', actions: 'showNotice' },
      },
    },
    checking: {
      entry: { type: 'effect', params: { name: 'check' } },
      on: {
        OUTCOME_KNOWN: { target: 'result', actions: ['answer', 'recordOutcome'] },
        PENDING: { target: 'checking', reenter: true, actions: 'answer' },
        SILENT: { target: 'checking', reenter: true, actions: 'showNotice' },
        NOT_FOUND: { target: 'result', actions: ['showNotice', 'fail'] },
        RETRY: { target: 'result', actions: ['showNotice', 'fail'] },
        NOT_IDENTIFIED: { target: 'result', actions: ['showNotice', 'refuse'] },
        APPROVAL_NEEDED: { target: 'staffId', actions: ['showNotice', 'askApprover'] },
        APPROVAL_OVER: { target: 'result', actions: ['showNotice', 'refuse'] },
        LOCKED: { target: 'lockedOut', actions: 'lock' },
        CHANGE_PASSWORD: { target: 'newPassword', actions: 'newRequestLater' },
        REFUSED: { target: 'result', actions: ['showNotice', 'refuse'] },
        /** The service keeps polling the gateway; the sale shows the refund as pending. */
        LEAVE: { target: 'result', actions: ['showNotice', assign({ outcome: 'pending' as const })] },
        RESTARTED: { target: 'checking', reenter: true, actions: 'showNotice' },
      },
    },
    result: {
      entry: [
        { type: 'effect', params: { name: 'forgetSecrets' } },
        { type: 'effect', params: { name: 'followResult' } },
      ],
      on: {
        OUTCOME_KNOWN: {
          guard: ({ context }) => context.outcome === 'pending',
          target: 'result',
          reenter: true,
          actions: ['answer', 'recordOutcome'],
        },
      },
    },
  },
});
