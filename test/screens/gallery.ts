import { type Header, type Screen, saleStage, type View, view } from '@florin/device/ipc/view.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';

/** One picture of the gallery: a View and the name its screenshot gets. */
export interface Picture {
  readonly name: string;
  readonly view: View;
}

const minuteMs = 60_000;

export const calmHeader: Header = {
  businessName: 'Harbour Street Coffee',
  terminalName: 'Front counter',
  locale: 'en-GB',
  currency: 'GBP',
  timeZone: 'Europe/London',
  service: 'online',
  reader: { connection: 'ready', batteryPercent: 82, attention: null },
  alerts: [],
  waitingToSync: 0,
};

let sequence = 0;
export function viewOf(screen: Screen, header: Partial<Header> = {}): View {
  return view.parse({ sequence: ++sequence, header: { ...calmHeader, ...header }, screen });
}

function aSale(nowMs: number, change: Partial<SaleRecord> = {}): SaleRecord {
  return {
    saleId: 'sale_019a8f3e6b7c',
    paymentId: 'pay_019a8f3e6b7c',
    invoiceNumber: 'INV-2041',
    amountInCents: 24_50,
    currency: 'GBP',
    status: 'unsettled',
    refundedInCents: 0,
    pendingInCents: 0,
    remainingInCents: 24_50,
    action: 'void',
    cardScheme: 'Visa',
    cardLastFour: '4242',
    entryMode: 'contactless',
    authorisationCode: '083412',
    declineMessage: null,
    blocked: null,
    reversal: null,
    takenAt: new Date(nowMs - 12 * minuteMs).toISOString(),
    createdAt: new Date(nowMs - 12 * minuteMs).toISOString(),
    ...change,
  };
}

function sales(nowMs: number): SaleRecord[] {
  const changes: Partial<SaleRecord>[] = [
    {},
    { status: 'pending', action: 'none', amountInCents: 8_20, cardScheme: 'Mastercard', cardLastFour: '5454' },
    { status: 'declined', action: 'none', amountInCents: 112_00, declineMessage: 'Insufficient funds' },
    { status: 'cancelled', action: 'none', amountInCents: 3_95 },
    {
      status: 'failed',
      action: 'none',
      amountInCents: 1_999_99,
      cardScheme: null,
      cardLastFour: null,
      entryMode: null,
    },
    { status: 'settled', action: 'refund', amountInCents: 64_00, cardScheme: 'American Express', cardLastFour: '0005' },
    { status: 'partly_refunded', action: 'refund', amountInCents: 40_00, refundedInCents: 15_00 },
    { status: 'refunded', action: 'none', amountInCents: 12_345_67, refundedInCents: 12_345_67 },
  ];
  return changes.map((change, index) => {
    const takenAt = new Date(nowMs - (12 + index * 190) * minuteMs).toISOString();
    return aSale(nowMs, {
      saleId: `sale_019a8f3e6b7${index}`,
      invoiceNumber: `INV-${2041 - index}`,
      takenAt,
      createdAt: takenAt,
      ...change,
    });
  });
}

const receipt = [
  { label: 'Merchant', value: 'Harbour Street Coffee' },
  { label: 'Invoice', value: 'INV-2041' },
  { label: 'Date', value: '21 Nov 2026, 14:32' },
  { label: 'Card', value: 'Visa •••• 4242' },
  { label: 'Read by', value: 'Contactless' },
  { label: 'Application', value: 'A0000000031010' },
  { label: 'Authorisation code', value: '083412' },
  { label: 'Total', value: '£24.50' },
];

function keypads(): Picture[] {
  const keypad = { name: 'keypad', notice: null } as const;
  return [
    { name: 'keypad', view: viewOf(keypad) },
    { name: 'keypad-yen', view: viewOf(keypad, { currency: 'JPY', locale: 'ja-JP', timeZone: 'Asia/Tokyo' }) },
    { name: 'keypad-dinar', view: viewOf(keypad, { currency: 'KWD', locale: 'en-KW', timeZone: 'Asia/Kuwait' }) },
    {
      name: 'keypad-notice',
      view: viewOf({
        name: 'keypad',
        notice: {
          message: 'Could not reach the server!',
          detail: 'The sale was not started and no card was charged. Check the network, then try again.',
        },
      }),
    },
    {
      name: 'keypad-offline',
      view: viewOf(keypad, {
        service: 'offline',
        waitingToSync: 3,
        reader: { connection: 'lost', batteryPercent: null, attention: null },
      }),
    },
    {
      name: 'keypad-everything-at-once',
      view: viewOf(
        {
          name: 'keypad',
          notice: { message: 'Could not reach the server!', detail: 'No card was charged. Try again in a moment.' },
        },
        {
          businessName: 'The Old Customs House Restaurant, Rooms & Delicatessen',
          terminalName: 'Upstairs terrace, second till by the window',
          service: 'offline',
          waitingToSync: 128,
          reader: {
            connection: 'incompatible',
            batteryPercent: 9,
            attention: 'Reader battery is low: put it on its charger',
          },
        },
      ),
    },
    {
      name: 'keypad-connecting',
      view: viewOf(keypad, {
        service: 'connecting',
        reader: { connection: 'searching', batteryPercent: null, attention: null },
      }),
    },
  ];
}

function saleStages(nowMs: number): Picture[] {
  const amount = { amountMinor: 24_50, currency: 'GBP' };
  const firm = new Set(['authorising', 'checking', 'reversing', 'remove_card']);
  const why: Record<string, string> = {
    authorising: 'The bank is deciding: this can no longer be stopped.',
    checking: 'The outcome is not known yet: this can no longer be stopped.',
    reversing: 'The money is being given back.',
    remove_card: 'The sale is decided.',
  };
  const stage = (of: (typeof saleStage.options)[number], ageMs = 0): Screen => ({
    name: 'sale',
    amount,
    stage: of,
    since: nowMs - ageMs,
    cancellable: !firm.has(of),
    whyNotCancellable: why[of] ?? null,
    cancelling: false,
  });
  const busy = { reader: { connection: 'busy', batteryPercent: 82, attention: null } } as const;
  return [
    ...saleStage.options.map(of => ({ name: `sale-${of}`, view: viewOf(stage(of), busy) })),
    { name: 'sale-authorising-late', view: viewOf(stage('authorising', 25_000), busy) },
    { name: 'sale-checking-late', view: viewOf(stage('checking', 40_000), { service: 'offline', ...busy }) },
    {
      name: 'sale-waiting_for_reader-late',
      view: viewOf(stage('waiting_for_reader', 9000), {
        reader: { connection: 'lost', batteryPercent: null, attention: null },
      }),
    },
    {
      name: 'sale-cancelling',
      view: viewOf({ ...stage('present_card'), cancelling: true } as Screen, busy),
    },
    {
      name: 'sale-huge-amount',
      view: viewOf({ ...stage('present_card'), amount: { amountMinor: 999_999_999_999, currency: 'KWD' } } as Screen, {
        currency: 'KWD',
        locale: 'en-KW',
      }),
    },
  ];
}

function saleResults(nowMs: number): Picture[] {
  const amount = { amountMinor: 24_50, currency: 'GBP' };
  const result = (change: Partial<Extract<Screen, { name: 'sale_result' }>>): View =>
    viewOf({
      name: 'sale_result',
      outcome: 'approved',
      amount,
      notice: { message: 'Approved', detail: null },
      sale: aSale(nowMs),
      mayTryAgain: change.outcome !== undefined,
      receipt,
      ...change,
    });
  return [
    { name: 'sale-result-approved', view: result({}) },
    {
      name: 'sale-result-declined',
      view: result({
        outcome: 'declined',
        notice: { message: 'Card declined', detail: 'Insufficient funds. No money was taken. Ask for another card.' },
        sale: aSale(nowMs, { status: 'declined', action: 'none', declineMessage: 'Insufficient funds' }),
        receipt: receipt.slice(0, 5),
      }),
    },
    {
      name: 'sale-result-partly-approved',
      view: result({
        outcome: 'declined',
        notice: {
          message: 'Declined',
          detail:
            'The bank would not pay all of £24.50 with this card. What it approved is being taken back; the service sees to it by itself. The customer does not pay. Ask for another card.',
        },
        sale: aSale(nowMs, { status: 'unsettled', action: 'none' }),
        receipt: receipt.slice(0, 5),
      }),
    },
    {
      name: 'sale-result-cancelled',
      view: result({
        outcome: 'cancelled',
        notice: { message: 'Sale cancelled', detail: 'Nothing was charged.' },
        sale: null,
        receipt: [],
      }),
    },
    {
      name: 'sale-result-timed_out',
      view: result({
        outcome: 'timed_out',
        notice: {
          message: 'No card was presented',
          detail: 'Nothing was charged. Start the sale again when the customer is ready.',
        },
        sale: null,
        receipt: [],
      }),
    },
    {
      name: 'sale-result-failed',
      view: result({
        outcome: 'failed',
        notice: {
          message: 'Could not reach the server!',
          detail: 'The bank was never asked, so nothing was charged. Check the network, then start the sale again.',
        },
        sale: null,
        receipt: [],
      }),
    },
  ];
}

function lists(nowMs: number): Picture[] {
  const list = { name: 'recent_sales', busy: false, sales: sales(nowMs), moreAvailable: false, notice: null } as const;
  const detail = (change: Partial<SaleRecord>, notice: Extract<Screen, { name: 'sale_detail' }>['notice'] = null) =>
    viewOf({ name: 'sale_detail', sale: aSale(nowMs, change), notice });
  return [
    { name: 'recent-sales', view: viewOf({ ...list, moreAvailable: true }) },
    { name: 'recent-sales-loading-more', view: viewOf({ ...list, busy: true, moreAvailable: true }) },
    { name: 'recent-sales-busy', view: viewOf({ ...list, sales: [], busy: true }) },
    { name: 'recent-sales-empty', view: viewOf({ ...list, sales: [] }) },
    {
      name: 'recent-sales-notice',
      view: viewOf(
        {
          ...list,
          sales: list.sales.slice(0, 2),
          notice: { message: 'Could not reach the server!', detail: 'These are the sales this terminal took itself.' },
        },
        { service: 'offline' },
      ),
    },
    { name: 'sale-detail-void', view: detail({}) },
    { name: 'sale-detail-refund', view: detail({ status: 'settled', action: 'refund' }) },
    {
      name: 'sale-detail-part-refunded',
      view: detail({
        status: 'partly_refunded',
        action: 'refund',
        refundedInCents: 10_00,
        pendingInCents: 2_00,
        remainingInCents: 12_50,
      }),
    },
    {
      name: 'sale-detail-declined',
      view: detail({
        status: 'declined',
        action: 'none',
        authorisationCode: null,
        declineMessage: 'Insufficient funds',
      }),
    },
    {
      name: 'sale-detail-notice',
      view: detail(
        { status: 'cancelled', action: 'none', remainingInCents: 0 },
        { message: 'Payment has already been cancelled', detail: 'Another terminal voided this sale at 14:20.' },
      ),
    },
  ];
}

function returns(nowMs: number): Picture[] {
  const settled = aSale(nowMs, { status: 'settled', action: 'refund' });
  const voiding = { sale: aSale(nowMs), kind: 'CANCEL', amountMinor: null } as const;
  const refunding = { sale: settled, kind: 'REFUND_SALE', amountMinor: 10_00 } as const;
  const who = { returning: refunding, staffName: 'Amara Okafor', busy: false, notice: null } as const;
  const wrong = { message: 'Incorrect password', detail: 'Two more wrong tries lock this staff ID for 5 minutes.' };
  return [
    { name: 'refund-amount', view: viewOf({ name: 'refund_amount', sale: settled, notice: null }) },
    {
      name: 'refund-amount-notice',
      view: viewOf({
        name: 'refund_amount',
        sale: settled,
        notice: { message: 'Too large transaction!', detail: 'This is over your limit for one refund. Ask a manager.' },
      }),
    },
    { name: 'confirm-void', view: viewOf({ name: 'confirm_return', returning: voiding }) },
    { name: 'confirm-refund', view: viewOf({ name: 'confirm_return', returning: refunding }) },
    { name: 'staff-id', view: viewOf({ name: 'staff_id', returning: voiding, entry: 1, busy: false, notice: null }) },
    {
      name: 'staff-id-busy',
      view: viewOf({ name: 'staff_id', returning: voiding, entry: 1, busy: true, notice: null }),
    },
    {
      name: 'staff-id-notice',
      view: viewOf({
        name: 'staff_id',
        returning: voiding,
        entry: 2,
        busy: false,
        notice: { message: 'Incorrect staff ID', detail: 'No one at this business has that number.' },
      }),
    },
    { name: 'staff-password', view: viewOf({ name: 'staff_password', ...who }) },
    { name: 'staff-password-busy', view: viewOf({ name: 'staff_password', ...who, busy: true }) },
    { name: 'staff-password-notice', view: viewOf({ name: 'staff_password', ...who, notice: wrong }) },
    { name: 'new-password', view: viewOf({ name: 'new_password', ...who }) },
    {
      name: 'new-password-notice',
      view: viewOf({
        name: 'new_password',
        ...who,
        notice: { message: 'Choose another password', detail: 'Your staff ID cannot be your password.' },
      }),
    },
    {
      name: 'locked-out',
      view: viewOf({
        name: 'locked_out',
        returning: refunding,
        notice: {
          message: 'Locked out!',
          detail: 'Too many wrong passwords. A manager can unlock this staff ID in the portal.',
        },
        lockedUntil: nowMs + 4.5 * minuteMs,
      }),
    },
    {
      name: 'locked-out-over',
      view: viewOf({
        name: 'locked_out',
        returning: refunding,
        notice: { message: 'Too many attempts, try again later!', detail: null },
        lockedUntil: nowMs - 1000,
      }),
    },
    {
      name: 'return-sending',
      view: viewOf({ name: 'return_progress', returning: refunding, stage: 'sending', since: nowMs, notice: null }),
    },
    {
      name: 'return-checking',
      view: viewOf({
        name: 'return_progress',
        returning: voiding,
        stage: 'checking',
        since: nowMs - 30_000,
        notice: {
          message: 'Could not reach the server!',
          detail: 'The void was sent. Its outcome is being looked up.',
        },
      }),
    },
    ...returnResults(nowMs),
  ];
}

const refundReceipt = receipt.map(line => (line.label === 'Total' ? { label: 'Refunded', value: '£10.00' } : line));

function returnResults(nowMs: number): Picture[] {
  const refunded = aSale(nowMs, {
    status: 'partly_refunded',
    action: 'refund',
    refundedInCents: 10_00,
    remainingInCents: 14_50,
  });
  const result = (change: Partial<Extract<Screen, { name: 'return_result' }>>): View =>
    viewOf({
      name: 'return_result',
      returning: { sale: refunded, kind: 'REFUND_SALE', amountMinor: 10_00 },
      outcome: 'approved',
      notice: { message: 'Refund approved', detail: 'The money reaches the card in one to five working days.' },
      sale: refunded,
      receipt: refundReceipt,
      ...change,
    });
  return [
    { name: 'return-result-approved', view: result({}) },
    {
      name: 'return-result-declined',
      view: result({
        outcome: 'declined',
        notice: { message: 'Refund declined', detail: 'The bank did not accept it. No money was returned.' },
        receipt: receipt.slice(0, 4),
      }),
    },
    {
      name: 'return-result-failed',
      view: result({
        outcome: 'failed',
        notice: { message: 'Could not reach the server!', detail: 'Nothing was sent. You can try again.' },
        receipt: [],
      }),
    },
    {
      name: 'return-result-refused',
      view: result({
        outcome: 'refused',
        notice: { message: 'Refund exceeds original sale amount', detail: '£14.50 is left on this sale.' },
        receipt: [],
      }),
    },
    {
      name: 'return-result-pending',
      view: result({
        outcome: 'pending',
        notice: {
          message: 'The bank has not answered yet',
          detail:
            'The refund is kept and its outcome looked up until it is known. Do not refund again. See it under Recent sales.',
        },
        receipt: [],
      }),
    },
  ];
}

/** Every variant of every screen, in every state that looks different. Ages and lockouts count from `nowMs`. */
export function gallery(nowMs: number): Picture[] {
  const bare = { businessName: null, terminalName: null, service: 'connecting' } as const;
  return [
    { name: 'starting', view: viewOf({ name: 'starting' }, bare) },
    {
      name: 'enrolment',
      view: viewOf({ name: 'enrolment', busy: false, notice: null }, { ...bare, service: 'online' }),
    },
    { name: 'enrolment-busy', view: viewOf({ name: 'enrolment', busy: true, notice: null }, bare) },
    {
      name: 'enrolment-notice',
      view: viewOf(
        {
          name: 'enrolment',
          busy: false,
          notice: {
            message: 'That code does not work',
            detail: 'It may have been used or be older than 15 minutes. Make a new one.',
          },
        },
        { ...bare, service: 'online' },
      ),
    },
    ...keypads(),
    ...saleStages(nowMs),
    ...saleResults(nowMs),
    ...lists(nowMs),
    ...returns(nowMs),
  ];
}
