import { subjectOf } from '@florin/device/core/printing/subject.ts';
import { type CoreWords, coreWords, type DisplaySettings, screenLanguage } from '@florin/device/core/words.ts';
import { type Header, type Screen, type View, view } from '@florin/device/ipc/view.ts';
import type { SaleRecord, SaleReturn } from '@florin/shared/contracts/device-v1/sales.ts';
import type { CustomerLanguage, InCustomerLanguages } from '@florin/shared/languages.ts';

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
  language: 'en',
  locale: 'en-GB',
  currency: 'GBP',
  timeZone: 'Europe/London',
  customer: { language: 'en', locale: 'en-GB' },
  takesBitcoin: false,
  counter: { quickAmountsMinor: [], confirmAboveMinor: null, playsSounds: false, saleReference: 'none' },
  service: 'online',
  reader: { connection: 'ready', batteryPercent: 82, attention: null, isCardLeft: false },
  alerts: [],
  waitingToSync: 0,
  clockAheadMs: 0,
  mayShowStatus: true,
};

/** What a business can want at its counters. */
export const wholeCounter: Header['counter'] = {
  quickAmountsMinor: [2_80, 3_50, 4_95, 12_00, 25_00, 120_00],
  confirmAboveMinor: 500_00,
  playsSounds: true,
  saleReference: 'note',
};

export const busyReader = {
  reader: { connection: 'busy', batteryPercent: 82, attention: null, isCardLeft: false },
} as const;
export const lostReader = {
  reader: { connection: 'lost', batteryPercent: null, attention: null, isCardLeft: false },
} as const;

/** The words that pictures are drawn with: the core's own, unless a test draws with others. */
let words: InCustomerLanguages<CoreWords> = coreWords;
let language: CustomerLanguage = 'en';
const locale = () => screenLanguage(language, onlineHeader.locale).locale;

/** The words, names and formats of the shop of `onlineHeader`, in the language that is drawn. */
export const displaySettings: DisplaySettings = {
  businessName: 'Harbour Street Coffee',
  terminalName: 'Front counter',
  get words() {
    return words[language];
  },
  get locale() {
    return locale();
  },
  timeZone: 'Europe/London',
};

/** What is made while that language is drawn, with those words. */
export function inLanguage<Made>(drawn: CustomerLanguage, make: () => Made, drawnWith = words): Made {
  const before = { language, words };
  language = drawn;
  words = drawnWith;
  try {
    return make();
  } finally {
    ({ language, words } = before);
  }
}

/** A card was left in the reader. */
export const cardLeft = () => ({
  reader: { ...onlineHeader.reader, attention: displaySettings.words.reader.card_left, isCardLeft: true },
});

let sequence = 0;
export function viewOf(screen: Screen, header: Partial<Header> = {}, print: Printing = null): View {
  const url = subjectOf(screen)?.url;
  const email = header.mode === 'kiosk' ? null : { state: 'possible', notice: null };
  return view.parse({
    sequence: ++sequence,
    header: { ...onlineHeader, language, locale: locale(), ...header },
    screen,
    receipt: url === undefined ? null : { url, isCodeShown: false, print, merchantCopy: null, email },
  });
}

/** What the printer makes of the receipt on the screen; null without a printer. */
export type Printing = NonNullable<View['receipt']>['print'];

/** An approved refund of that sale by a staff member. */
export function aReturn(nowMs: number, change: Partial<SaleReturn> = {}): SaleReturn {
  return {
    kind: 'REFUND_SALE',
    status: 'approved',
    amountInCents: 10_00,
    source: 'terminal',
    staffName: 'Amara Okafor',
    staffNumber: '104',
    requestedBy: null,
    terminalName: onlineHeader.terminalName,
    gatewayReference: '26112109301234567',
    receipt: null,
    createdAt: new Date(nowMs - 7 * minuteMs).toISOString(),
    settledAt: new Date(nowMs - 7 * minuteMs).toISOString(),
    ...change,
  };
}

export function aSale(nowMs: number, change: Partial<SaleRecord> = {}): SaleRecord {
  return {
    saleId: 'sale_019a8f3e6b7c',
    paymentId: 'pay_019a8f3e6b7c',
    invoiceNumber: 'INV-002041',
    amountInCents: 24_50,
    tipInCents: 0,
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
    reference: null,
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
