import { cardLeftInReader, type DisplaySettings } from '@florin/device/core/words.ts';
import { type Header, type Screen, type View, view } from '@florin/device/ipc/view.ts';
import type { SaleRecord, SaleReturn } from '@florin/shared/contracts/device-v1/sales.ts';

/** One picture of the gallery: a View and the name its screenshot gets. */
export interface Picture {
  readonly name: string;
  readonly view: View;
}

export const minuteMs = 60_000;

export const onlineHeader: Header = {
  businessName: 'Harbour Street Coffee',
  terminalName: 'Front counter',
  mode: 'staff',
  locale: 'en-GB',
  currency: 'GBP',
  timeZone: 'Europe/London',
  takesBitcoin: false,
  service: 'online',
  reader: { connection: 'ready', batteryPercent: 82, attention: null, isCardLeft: false },
  alerts: [],
  waitingToSync: 0,
  clockAheadMs: 0,
};

export const busyReader = {
  reader: { connection: 'busy', batteryPercent: 82, attention: null, isCardLeft: false },
} as const;
export const lostReader = {
  reader: { connection: 'lost', batteryPercent: null, attention: null, isCardLeft: false },
} as const;

export const cardLeft = { reader: { ...onlineHeader.reader, attention: cardLeftInReader, isCardLeft: true } } as const;

/** The settings of the shop of `onlineHeader`, for receipts and amounts. */
export const displaySettings: DisplaySettings = {
  businessName: 'Harbour Street Coffee',
  terminalName: 'Front counter',
  locale: 'en-GB',
  timeZone: 'Europe/London',
};

let sequence = 0;
export function viewOf(screen: Screen, header: Partial<Header> = {}): View {
  return view.parse({ sequence: ++sequence, header: { ...onlineHeader, ...header }, screen });
}

/** An approved refund of that sale by a staff member. */
export function aReturn(nowMs: number, change: Partial<SaleReturn> = {}): SaleReturn {
  return {
    kind: 'REFUND_SALE',
    status: 'approved',
    amountInCents: 10_00,
    source: 'terminal',
    staffName: 'Amara Okafor',
    receipt: null,
    createdAt: new Date(nowMs - 7 * minuteMs).toISOString(),
    ...change,
  };
}

export function aSale(nowMs: number, change: Partial<SaleRecord> = {}): SaleRecord {
  return {
    saleId: 'sale_019a8f3e6b7c',
    paymentId: 'pay_019a8f3e6b7c',
    invoiceNumber: 'INV-002041',
    amountInCents: 24_50,
    currency: 'GBP',
    status: 'unsettled',
    refundedInCents: 0,
    pendingInCents: 0,
    returns: [],
    remainingInCents: 24_50,
    action: 'void',
    blocked: null,
    cardScheme: 'Visa',
    cardLastFour: '4242',
    entryMode: 'contactless',
    authorisedBy: 'host',
    method: 'card',
    bitcoin: null,
    processorReference: null,
    authorisationCode: '083412',
    declineMessage: null,
    reversal: null,
    terminalName: 'Front counter',
    receipt: { url: 'https://pay.example/r/3kTnV0aQ8wLx1yB5cD7eF9' },
    takenAt: new Date(nowMs - 12 * minuteMs).toISOString(),
    createdAt: new Date(nowMs - 12 * minuteMs).toISOString(),
    ...change,
  };
}
