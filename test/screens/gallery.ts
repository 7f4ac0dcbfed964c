import { receiptCopy, returnReceiptCopy } from '@florin/device/core/sales/receipt-copy.ts';
import { saleRecordNotice, unchargedNotice } from '@florin/device/core/sales/words.ts';
import { refusalNotice } from '@florin/device/core/staff/words.ts';
import { type CoreWords, coreWords } from '@florin/device/core/words.ts';
import { type ListedSale, type Notice, type UnchargedSale, unchargedWhy } from '@florin/device/ipc/view.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { SearchTerm } from '@florin/shared/contracts/payment-search.ts';
import type { CustomerLanguage, InCustomerLanguages } from '@florin/shared/languages.ts';
import { bitcoins } from './gallery/bitcoin.ts';
import { dayReports } from './gallery/day-reports.ts';
import { kiosks } from './gallery/kiosks.ts';
import {
  aReturn,
  aSale,
  displaySettings,
  inLanguage,
  lostReader,
  minuteMs,
  type Picture,
  viewOf,
  wholeCounter,
} from './gallery/picture.ts';
import { receiptPictures } from './gallery/receipts.ts';
import { returns } from './gallery/returns.ts';
import { saleResults, saleStages } from './gallery/sales.ts';
import { statuses } from './gallery/statuses.ts';

const recorded = (sale: SaleRecord): ListedSale => ({ kind: 'recorded', ...sale });

function uncharged(nowMs: number, change: Partial<UnchargedSale> = {}): UnchargedSale {
  return {
    kind: 'uncharged',
    saleId: 'sale_019a8f3e6b7u',
    outcome: 'cancelled',
    why: 'customer',
    amountMinor: 24_50,
    tipMinor: 0,
    currency: 'GBP',
    reference: null,
    startedAt: nowMs - 14 * minuteMs,
    ...change,
  };
}

/** Some sales of the service, among them those that only this terminal knows. */
function withUncharged(nowMs: number): ListedSale[] {
  const [first, second, ...rest] = sales(nowMs).slice(0, 4).map(recorded);
  return [first, uncharged(nowMs), second]
    .concat([
      uncharged(nowMs, {
        saleId: 'sale_019a8f3e6b7v',
        outcome: 'failed',
        why: 'service_not_reached',
        amountMinor: 12_345_67,
        reference: 'Upstairs terrace, second till by the window',
        startedAt: nowMs - 210 * minuteMs,
      }),
      uncharged(nowMs, {
        saleId: 'sale_019a8f3e6b7w',
        outcome: 'timed_out',
        why: 'no_card',
        amountMinor: 3_95,
        startedAt: nowMs - 300 * minuteMs,
      }),
      ...rest,
    ])
    .filter(sale => sale !== undefined);
}

function sales(nowMs: number): SaleRecord[] {
  const changes: Partial<SaleRecord>[] = [
    {},
    { status: 'pending', action: 'none', amountInCents: 8_20, cardScheme: 'Mastercard', cardLastFour: '5454' },
    { status: 'declined', action: 'none', amountInCents: 112_00, cardScheme: 'Visa', declineMessage: 'CARD DECLINED' },
    {
      status: 'cancelled',
      action: 'none',
      amountInCents: 3_95,
      returns: [aReturn(nowMs, { kind: 'CANCEL', amountInCents: 3_95 })],
    },
    {
      status: 'failed',
      action: 'none',
      amountInCents: 1_999_99,
      cardScheme: null,
      cardLastFour: null,
      entryMode: null,
    },
    { status: 'settled', action: 'refund', amountInCents: 64_00, cardScheme: 'American Express', cardLastFour: '0005' },
    {
      status: 'partly_refunded',
      action: 'refund',
      amountInCents: 40_00,
      refundedInCents: 15_00,
      returns: [aReturn(nowMs), aReturn(nowMs, { amountInCents: 5_00, staffName: 'Bartholomew Featherstonehaugh' })],
      remainingInCents: 25_00,
    },
    { status: 'settled', action: 'none', amountInCents: 18_00, pendingInCents: 18_00 },
    { status: 'refunded', action: 'none', amountInCents: 12_345_67, refundedInCents: 12_345_67, remainingInCents: 0 },
    {
      status: 'cancelled',
      action: 'none',
      amountInCents: 9_99,
      reversal: { reason: 'not_completed', status: 'voided' },
      returns: [aReturn(nowMs, { kind: 'CANCEL', amountInCents: 9_99, staffName: null })],
    },
  ];
  return changes.map((change, index) => {
    const takenAt = new Date(nowMs - (12 + index * 190) * minuteMs).toISOString();
    return aSale(nowMs, {
      saleId: `sale_019a8f3e6b7${index}`,
      invoiceNumber: `INV-00${2041 - index}`,
      takenAt,
      createdAt: takenAt,
      ...change,
    });
  });
}

/** A sale with one return, which has a receipt of its own. */
function voidedSale(nowMs: number, kind: 'CANCEL' | 'REFUND_SALE' = 'CANCEL'): Partial<SaleRecord> {
  const receipt = { url: 'https://pay.example/r/9zRkW2mTnV0aQ8wLx1yB5c' };
  const returns = [aReturn(nowMs, { kind, receipt, amountInCents: 24_50, staffName: 'Bartholomew Featherstonehaugh' })];
  return { status: kind === 'CANCEL' ? 'cancelled' : 'refunded', action: 'none', remainingInCents: 0, returns };
}

function keypads(): Picture[] {
  const keypad = { name: 'keypad', notice: null } as const;
  const { reader, alerts, terminal } = displaySettings.words;
  return [
    { name: 'keypad', view: viewOf(keypad) },
    { name: 'keypad-yen', view: viewOf(keypad, { currency: 'JPY', timeZone: 'Asia/Tokyo' }) },
    { name: 'keypad-dinar', view: viewOf(keypad, { currency: 'KWD', timeZone: 'Asia/Kuwait' }) },
    { name: 'keypad-offline', view: viewOf(keypad, { service: 'offline', waitingToSync: 3, ...lostReader }) },
    {
      name: 'keypad-tampered',
      view: viewOf(keypad, {
        reader: { connection: 'ready', batteryPercent: 64, attention: reader.tampered, isCardLeft: false },
      }),
    },
    {
      name: 'keypad-checking-connection',
      view: viewOf({ ...keypad, notice: terminal.checkingConnection }, { service: 'connecting' }),
    },
    {
      name: 'keypad-not-of-a-sale',
      view: viewOf({ ...keypad, notice: terminal.notOfASale }, { alerts: [alerts.storageRebuilt] }),
    },
    {
      name: 'keypad-sale-not-started',
      view: viewOf({ ...keypad, notice: terminal.saleNotStarted }, { service: 'offline', counter: wholeCounter }),
    },
    {
      name: 'keypad-disk-full',
      view: viewOf({ ...keypad, notice: terminal.diskFull }, { alerts: [alerts.diskFull] }),
    },
    {
      name: 'keypad-everything-at-once',
      view: viewOf(keypad, {
        businessName: 'The Old Customs House Restaurant, Rooms & Delicatessen',
        terminalName: 'Upstairs terrace, second till by the window',
        service: 'offline',
        counter: wholeCounter,
        alerts: [alerts.refusedEntry, alerts.elsewhere],
        waitingToSync: 128,
        reader: {
          connection: 'incompatible',
          batteryPercent: 9,
          attention: reader.incompatible,
          isCardLeft: false,
        },
      }),
    },
    {
      name: 'keypad-connecting',
      view: viewOf(keypad, {
        service: 'connecting',
        reader: { connection: 'searching', batteryPercent: null, attention: null, isCardLeft: false },
      }),
    },
  ];
}

function lists(nowMs: number): Picture[] {
  const list = {
    name: 'recent_sales',
    busy: false,
    sales: sales(nowMs).map(recorded),
    moreAvailable: false,
    search: null,
    notice: null,
  } as const;
  const reversed: Partial<SaleRecord> = {
    action: 'none',
    reversal: { reason: 'card_refused', status: 'awaiting_settlement' },
  };
  const detail = (change: Partial<SaleRecord>, notice: Notice | null = null) =>
    viewOf({
      name: 'sale_detail',
      sale: aSale(nowMs, change),
      opensReceipts: false,
      notice,
      receipt: receiptCopy(aSale(nowMs, change), displaySettings),
    });
  return [
    { name: 'recent-sales', view: viewOf({ ...list, moreAvailable: true }) },
    { name: 'recent-sales-loading-more', view: viewOf({ ...list, busy: true, moreAvailable: true }) },
    { name: 'recent-sales-busy', view: viewOf({ ...list, sales: [], busy: true }) },
    { name: 'recent-sales-empty', view: viewOf({ ...list, sales: [] }) },
    {
      name: 'recent-sales-notice',
      view: viewOf(
        { ...list, sales: list.sales.slice(0, 2), notice: displaySettings.words.terminal.salesNotReached },
        { service: 'offline' },
      ),
    },
    { name: 'recent-sales-uncharged', view: viewOf({ ...list, sales: withUncharged(nowMs) }) },
    ...searches(nowMs),
    ...unchargedSales(nowMs),
    { name: 'sale-detail-void', view: detail({}) },
    { name: 'sale-detail-refund', view: detail({ status: 'settled', action: 'refund', reference: 'Table 12' }) },
    {
      name: 'sale-detail-settling',
      view: detail({
        action: 'none',
        blocked: { reason: 'payment_settling', retryAfter: new Date(nowMs + 40 * minuteMs).toISOString() },
      }),
    },
    {
      name: 'sale-detail-part-refunded',
      view: detail({
        status: 'partly_refunded',
        action: 'refund',
        refundedInCents: 10_00,
        pendingInCents: 2_00,
        returns: [
          aReturn(nowMs, { amountInCents: 3_00, createdAt: new Date(nowMs - 30 * 60 * minuteMs).toISOString() }),
          aReturn(nowMs, { amountInCents: 1_00 }),
          aReturn(nowMs, { amountInCents: 4_00, source: 'api', staffName: null }),
          aReturn(nowMs, { amountInCents: 2_00, staffName: 'Bartholomew Featherstonehaugh' }),
          aReturn(nowMs, { amountInCents: 2_00, status: 'pending' }),
        ],
        remainingInCents: 12_50,
      }),
    },
    { name: 'sale-detail-voided', view: detail(voidedSale(nowMs)) },
    ...(['CANCEL', 'REFUND_SALE'] as const).map(kind => {
      const sale = aSale(nowMs, voidedSale(nowMs, kind));
      const [of = aReturn(nowMs)] = sale.returns;
      const lines = returnReceiptCopy(sale, of, displaySettings);
      return {
        name: kind === 'CANCEL' ? 'return-receipt-void' : 'return-receipt-refund',
        view: viewOf({ name: 'return_receipt', sale, of, receipt: lines }),
      };
    }),
    {
      name: 'sale-detail-declined',
      view: detail({
        status: 'declined',
        action: 'none',
        authorisationCode: null,
        declineMessage: 'CARD DECLINED',
      }),
    },
    {
      name: 'sale-detail-reversed',
      view: detail(reversed, saleRecordNotice(aSale(nowMs, reversed), { ...displaySettings, isReversalUnsent: false })),
    },
    {
      name: 'sale-detail-notice',
      view: detail(
        { status: 'cancelled', action: 'none', remainingInCents: 0 },
        refusalNotice('payment_already_cancelled', displaySettings.words),
      ),
    },
  ];
}

const outcomes: Record<UnchargedSale['why'], UnchargedSale['outcome']> = {
  staff: 'cancelled',
  customer: 'cancelled',
  no_card: 'timed_out',
  card_refused: 'declined',
  reader_not_found: 'failed',
  reader_not_available: 'failed',
  service_not_reached: 'failed',
  service_refused: 'failed',
  interrupted: 'failed',
  bitcoin_cancelled: 'cancelled',
  bitcoin_withdrawn: 'cancelled',
  bitcoin_refused: 'failed',
};

function unchargedSales(nowMs: number): Picture[] {
  const { words } = displaySettings;
  return unchargedWhy.options.map(why => {
    const isWhole = why === 'service_not_reached';
    const noted = isWhole ? { tipMinor: 2_50, reference: 'Upstairs terrace, second till by the window' } : {};
    const sale = uncharged(nowMs, { why, outcome: outcomes[why], ...noted });
    return {
      name: `uncharged-sale-${why}`,
      view: viewOf({ name: 'uncharged_sale', sale, notice: unchargedNotice(sale, words) }),
    };
  });
}

function searches(nowMs: number): Picture[] {
  const list = { name: 'recent_sales', busy: false, moreAvailable: false, notice: null } as const;
  const amount = {
    text: '12.50',
    terms: [
      { field: 'amount', value: '12.50' },
      { field: 'gateway_reference', value: '12.50' },
      { field: 'reference', value: '12.50' },
    ] as const satisfies SearchTerm[],
  };
  const digits = {
    text: '0005',
    terms: [
      { field: 'amount', value: '5.00' },
      { field: 'amount', value: '0.05' },
      { field: 'card_last_four', value: '0005' },
      { field: 'invoice_number', value: 'INV-000005' },
      { field: 'gateway_reference', value: '0005' },
      { field: 'reference', value: '0005' },
    ] as const satisfies SearchTerm[],
  };
  const token = '3kTnV0aQ8wLx1yB5cD7eF9';
  const receipt = { text: token, terms: [{ field: 'receipt', value: token }] as const satisfies SearchTerm[] };
  const shown = (search: typeof amount | typeof digits | typeof receipt) => ({
    text: search.text,
    terms: [...search.terms],
  });
  return [
    { name: 'find-sale', view: viewOf({ name: 'find_sale', text: '' }) },
    { name: 'find-sale-typed', view: viewOf({ name: 'find_sale', text: '12.50' }) },
    {
      name: 'recent-sales-found',
      view: viewOf({
        ...list,
        sales: sales(nowMs).slice(1, 4).map(recorded),
        search: shown(digits),
        moreAvailable: true,
      }),
    },
    {
      name: 'recent-sales-searching',
      view: viewOf({ ...list, sales: [], search: { text: '12.50', terms: null }, busy: true }),
    },
    { name: 'recent-sales-none', view: viewOf({ ...list, sales: [], search: shown(digits) }) },
    {
      name: 'recent-sales-unfinished',
      view: viewOf({ ...list, sales: [], search: shown(amount), moreAvailable: true }),
    },
    { name: 'recent-sales-unknown-receipt', view: viewOf({ ...list, sales: [], search: shown(receipt) }) },
    {
      name: 'recent-sales-search-offline',
      view: viewOf(
        {
          ...list,
          sales: [],
          search: { text: '12.50', terms: null },
          notice: displaySettings.words.terminal.searchNotReached,
        },
        { service: 'offline' },
      ),
    },
  ];
}

function enrolments(): Picture[] {
  const { enrolment: notices } = displaySettings.words;
  const bare = { businessName: null, terminalName: null } as const;
  const enrolment = { name: 'enrolment', busy: false, notice: null } as const;
  return [
    { name: 'enrolment', view: viewOf(enrolment, bare) },
    { name: 'enrolment-busy', view: viewOf({ ...enrolment, busy: true }, { ...bare, service: 'connecting' }) },
    { name: 'enrolment-notice', view: viewOf({ ...enrolment, notice: notices.invalid }, bare) },
    { name: 'enrolment-removed', view: viewOf({ ...enrolment, notice: notices.removed }, bare) },
  ];
}

/**
 * Every variant of every screen, in every state that looks different. Ages and lockouts are relative to `nowMs`. Some
 * of the customers' screens are in other languages than those of staff.
 */
export function gallery(
  nowMs: number,
  { language = 'en', words = coreWords }: { language?: CustomerLanguage; words?: InCustomerLanguages<CoreWords> } = {},
): Picture[] {
  return inLanguage(
    language,
    () => {
      const pictures = picturesWithoutBanners(nowMs);
      return [...pictures, ...withBanners(pictures), ...receiptPictures(pictures)];
    },
    words,
  );
}

/** The screens with the most content again, with two banners above them. */
function withBanners(pictures: readonly Picture[]): Picture[] {
  const fullest = new Set([
    'enrolment-notice',
    'sale-checking-late',
    'sale-result-reader_gone',
    'sale-result-reversal-awaiting_settlement',
    'recent-sales-notice',
    'sale-detail-part-refunded',
    'return-receipt-refund',
    'refund-amount-notice',
    'sale-detail-reversed',
    'staff-id-notice-long',
    'staff-password-notice-long',
    'new-password',
    'new-password-notice',
    'locked-out-long',
    'return-checking',
    'return-result-refunded',
  ]);
  return pictures
    .filter(({ name }) => fullest.has(name))
    .map(({ name, view: { header, screen } }) => ({
      name: `${name}-banners`,
      view: viewOf(screen, {
        ...header,
        service: 'offline',
        reader: { ...header.reader, attention: displaySettings.words.reader.card_left },
      }),
    }));
}

function picturesWithoutBanners(nowMs: number): Picture[] {
  return [
    {
      name: 'starting',
      view: viewOf({ name: 'starting' }, { businessName: null, terminalName: null, service: 'connecting' }),
    },
    ...enrolments(),
    ...keypads(),
    ...kiosks(nowMs),
    {
      name: 'tip',
      view: viewOf({ name: 'tip', amount: { amountMinor: 24_50, currency: 'GBP' }, since: nowMs }),
    },
    ...saleStages(nowMs),
    ...saleResults(nowMs),
    ...bitcoins(nowMs),
    ...lists(nowMs),
    ...dayReports(nowMs),
    ...statuses(nowMs, displaySettings.words),
    ...returns(nowMs),
  ];
}
