import { saleRecord, saleReturn } from '@florin/shared/contracts/device-v1/sales.ts';
import { searchTerm } from '@florin/shared/contracts/payment-search.ts';
import { customerLanguages } from '@florin/shared/languages.ts';
import { z } from 'zod';

/**
 * The complete contents of the terminal's screen: the core publishes one View at every change and the renderer draws
 * it. The renderer keeps no state except typed input, so a reload, a crash or a second screen shows the current state.
 */

const instant = z.number();

/** On every screen. */
export const header = z.object({
  businessName: z.string().nullable(),
  terminalName: z.string().nullable(),
  /** `kiosk`: the terminal faces customers, and software starts its sales. */
  mode: z.enum(['staff', 'kiosk']),
  /** The language of the screen, and the locale of the amounts and times on it. */
  language: z.enum(customerLanguages),
  locale: z.string(),
  /** The same for customers, which a screen for staff may differ from. */
  customer: z.object({ language: z.enum(customerLanguages), locale: z.string() }),
  currency: z.string(),
  timeZone: z.string(),
  /** Whether a sale can be started in bitcoin. */
  takesBitcoin: z.boolean(),
  /** What the business wants at its counters, in the smallest unit of its currency. */
  counter: z.object({
    quickAmountsMinor: z.array(z.int()),
    /** Staff confirm a sale of more than this. */
    confirmAboveMinor: z.int().nullable(),
    playsSounds: z.boolean(),
    /** What staff may note of a sale. */
    saleReference: z.enum(['none', 'note', 'table_number']),
  }),
  service: z.enum(['online', 'offline', 'connecting']),
  reader: z.object({
    connection: z.enum(['searching', 'connecting', 'ready', 'busy', 'lost', 'incompatible']),
    batteryPercent: z.number().nullable(),
    attention: z.string().nullable(),
    /** The card of an earlier sale is still in it. */
    isCardLeft: z.boolean(),
  }),
  /** Problems with this terminal's records that need support; empty if there are none. */
  alerts: z.array(z.object({ message: z.string(), detail: z.string().nullable() })),
  /** Outbox entries that the service has not received yet. */
  waitingToSync: z.number(),
  /** How far the clock of this machine is ahead of the service's time, in whole seconds: it may be set wrong. */
  clockAheadMs: z.number(),
  /** Whether the status page can be opened now. */
  mayShowStatus: z.boolean(),
});
export type Header = z.infer<typeof header>;

export const saleStage = z.enum([
  'starting',
  'waiting_for_reader',
  /** The reader still holds the card of an earlier sale. */
  'remove_previous_card',
  'present_card',
  /** The reader refused contactless and asks for the chip. */
  'insert_card',
  'card_inserted',
  'card_tapped',
  'card_swiped',
  'choose_application',
  'enter_pin',
  'wrong_pin',
  'authorising',
  /** The bank was asked; the reader has not finished with the card yet. */
  'finishing',
  /**
   * The outcome is unknown: the reader or the service is being queried. Shown after a lost connection and after a
   * restart.
   */
  'checking',
  'reversing',
  'remove_card',
]);
export type SaleStage = z.infer<typeof saleStage>;

/** The progress of a sale in bitcoin. */
export const bitcoinStage = z.enum([
  /** The invoice is being requested from the service. */
  'requesting',
  'waiting',
  /** Unconfirmed on chain: the terminal may take the next sale. */
  'seen',
  /** Unconfirmed and too little: the customer must not leave with the goods yet. */
  'seen_part',
  /** The invoice has expired, and the node has not reported yet whether it was paid in time. */
  'checking',
  'cancelling',
  /** The invoice is being cancelled for a card payment. */
  'leaving',
]);
export type BitcoinStage = z.infer<typeof bitcoinStage>;

const amount = z.object({ amountMinor: z.int(), currency: z.string() });

/** The software that started a sale; null if it was keyed in on this terminal. */
const requestedBy = z
  .object({
    name: z.string(),
    reference: z.string().nullable(),
    /** The language tag for the customer; null for that of the business. */
    language: z.string().nullable(),
  })
  .nullable();

/** The outcome of a sale as the customer needs to know it. */
export const customerOutcome = z.enum([
  'approved',
  'declined',
  'cancelled',
  /** No card was presented in time. */
  'no_card',
  /** Nothing was paid in bitcoin in time. */
  'not_paid',
  /** Too little was paid in bitcoin, and will be returned. */
  'underpaid',
  /** The card was not charged, for reasons on the business's side. */
  'not_charged',
  /** The bank approved, the sale was not completed, and the amount is being reversed. */
  'being_returned',
  /** Whether the customer is charged is unknown until a person has looked into it. */
  'ask_staff',
]);
export type CustomerOutcome = z.infer<typeof customerOutcome>;

/** The sale being returned, and how. */
export const returning = z.object({
  sale: saleRecord,
  kind: z.enum(['CANCEL', 'REFUND_SALE']),
  /** Null for a void. */
  amountMinor: z.int().nullable(),
  /** The staff member who asked for it, while or after a second one approves it; otherwise null. */
  approvesFor: z.string().nullable(),
  requestedBy,
  /** When a software request cancels itself unless a staff member authorises it; null once one has. */
  cancelsAt: instant.nullable(),
});
export type Returning = z.infer<typeof returning>;

/** The change to another mode, which only a manager may make. */
const modeChange = z.object({ kind: z.enum(['ENTER_KIOSK', 'LEAVE_KIOSK']) });

/** What a staff member authorises with their password. */
const authorised = z.discriminatedUnion('kind', [returning, modeChange]);
export type Authorised = z.infer<typeof authorised>;

/**
 * Messages are in the header's language and shown unchanged. In English those of the specification are verbatim
 * ("Incorrect password"); `detail` tells a cashier what it means and what to do next.
 */
export const notice = z.object({ message: z.string(), detail: z.string().nullable() });
export type Notice = z.infer<typeof notice>;

/** Whether something needs to be done about a part of the terminal. */
const statusLevel = z.enum(['fine', 'look', 'wrong']);
export type StatusLevel = z.infer<typeof statusLevel>;

/** Why a sale ended before any money was asked for. */
export const unchargedWhy = z.enum([
  'staff',
  'customer',
  'no_card',
  'card_refused',
  'reader_not_found',
  'reader_not_available',
  'service_not_reached',
  'service_refused',
  'interrupted',
  'bitcoin_cancelled',
  'bitcoin_withdrawn',
  'bitcoin_refused',
]);

/** A sale that ended before any money was asked for. The service has no record of it: this terminal stores it. */
export const unchargedSale = z.object({
  kind: z.literal('uncharged'),
  saleId: z.string(),
  outcome: z.enum(['declined', 'cancelled', 'timed_out', 'failed']),
  why: unchargedWhy,
  amountMinor: z.int(),
  /** The part of the amount that is a tip. */
  tipMinor: z.int(),
  currency: z.string(),
  /** What staff, or the software that started it, call it. */
  reference: z.string().nullable(),
  /** By the service's time. */
  startedAt: instant,
});
export type UnchargedSale = z.infer<typeof unchargedSale>;

/** A row of a list of sales. */
export const listedSale = z.discriminatedUnion('kind', [
  saleRecord.extend({ kind: z.literal('recorded') }),
  unchargedSale,
]);
export type ListedSale = z.infer<typeof listedSale>;

export const screen = z.discriminatedUnion('name', [
  z.object({ name: z.literal('starting') }),
  z.object({ name: z.literal('enrolment'), busy: z.boolean(), notice: notice.nullable() }),
  z.object({ name: z.literal('keypad'), notice: notice.nullable() }),
  /** The customer is asked on the reader for a tip; the sale has not begun. */
  z.object({ name: z.literal('tip'), amount, since: instant }),
  /** In kiosk mode, while nothing is in progress. */
  z.object({ name: z.literal('kiosk_idle') }),
  z.object({
    name: z.literal('sale'),
    amount,
    /** The part of the amount that is a tip. */
    tipMinor: z.int().optional(),
    stage: saleStage,
    since: instant,
    /** When the authorisation started; null while the sale waits for the card. */
    bankSince: instant.nullable(),
    /** When false, `whyNotCancellable` says why. */
    cancellable: z.boolean(),
    whyNotCancellable: z.string().nullable(),
    cancelling: z.boolean(),
    /** Whether the customer may choose bitcoin now. */
    mayUseBitcoin: z.boolean(),
    requestedBy,
  }),
  z.object({
    name: z.literal('bitcoin_sale'),
    amount,
    stage: bitcoinStage,
    since: instant,
    /** Null until the invoice is created. */
    amountSats: z.int().nullable(),
    /** Confirmed amount, and amount seen but not confirmed. */
    receivedSats: z.int(),
    processingSats: z.int(),
    /** The content of the payment code; null while there is nothing to pay. */
    paymentUri: z.string().nullable(),
    /** By the service's time. */
    expiresAt: instant.nullable(),
    /** Why the customer cannot pay yet, or why the payment cannot be tracked. */
    problem: z.enum(['node_unreachable', 'rate_unavailable', 'not_reached']).nullable(),
    /** What was requested and could not be done, because something was already paid or the node does not respond. */
    notWithdrawn: z.enum(['paid', 'node_unreachable']).nullable(),
    mayCancel: z.boolean(),
    mayUseCard: z.boolean(),
    /** Whether `show_keypad` leaves the screen while the service completes the sale. */
    mayLeave: z.boolean(),
    requestedBy,
  }),
  z.object({
    name: z.literal('sale_result'),
    rail: z.enum(['card', 'bitcoin']),
    outcome: z.enum(['approved', 'declined', 'cancelled', 'timed_out', 'failed']),
    customerOutcome,
    amount,
    notice,
    /** Present once the service has the sale. */
    sale: saleRecord.nullable(),
    /** What staff noted of it. */
    reference: z.string().nullable(),
    /** The part of the amount that is a tip. */
    tipMinor: z.int().optional(),
    /**
     * Charging the same amount again: `suggested` if the notice recommends it, so that it is the main action; `no` if
     * it could charge the customer twice.
     */
    again: z.enum(['suggested', 'possible', 'no']),
    /** The customer signs the merchant's copy. */
    asksSignature: z.boolean(),
    /** The software that started it cancelled it, or its time was over: the result closes by itself. */
    isEndedBySoftware: z.boolean(),
    requestedBy,
    receipt: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
  z.object({
    name: z.literal('recent_sales'),
    busy: z.boolean(),
    sales: z.array(listedSale),
    moreAvailable: z.boolean(),
    /** What the list was searched for; `terms` says what the text was taken for, null until it is known. */
    search: z.object({ text: z.string(), terms: z.array(searchTerm).nullable() }).nullable(),
    notice: notice.nullable(),
  }),
  /** What a sale is searched by is typed here, or scanned. */
  z.object({ name: z.literal('find_sale'), text: z.string() }),
  z.object({
    name: z.literal('day_report'),
    /** YYYY-MM-DD at the business. */
    date: z.string(),
    isToday: z.boolean(),
    scope: z.enum(['terminal', 'business']),
    busy: z.boolean(),
    /** Empty until the first figures are received. */
    sections: z.array(
      z.object({ title: z.string().nullable(), lines: z.array(z.object({ label: z.string(), value: z.string() })) }),
    ),
    /** Null without a printer. */
    print: z.enum(['possible', 'printing', 'printed', 'failed']).nullable(),
    /** Whether the reader has a day of its own, which staff close. */
    hasReaderDay: z.boolean(),
    notice: notice.nullable(),
  }),
  z.object({
    name: z.literal('reader_day'),
    /** The reader is closing its day. */
    busy: z.boolean(),
    /** The totals agree: `notice` is no warning. */
    agrees: z.boolean(),
    /** Its total and that of the records, once they are compared. */
    lines: z.array(z.object({ label: z.string(), value: z.string() })),
    notice: notice.nullable(),
  }),
  z.object({
    name: z.literal('sale_detail'),
    sale: saleRecord,
    /** Staff came back from the receipt of a void or refund, to the list that it is in. */
    opensReceipts: z.boolean(),
    notice: notice.nullable(),
    /** For a customer who comes back for it; empty where no money was taken. */
    receipt: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
  /** The receipt of a void or refund of that sale, for a customer who comes back for it. */
  z.object({
    name: z.literal('return_receipt'),
    sale: saleRecord,
    of: saleReturn,
    receipt: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
  z.object({
    name: z.literal('uncharged_sale'),
    sale: unchargedSale,
    /** What happened, and what to do now. */
    notice,
  }),
  z.object({
    name: z.literal('refund_amount'),
    sale: saleRecord,
    /** The amount entered before a step back; null at first. */
    amountMinor: z.int().nullable(),
    notice: notice.nullable(),
  }),
  /** Only if the business has password protection off: one confirmation before money moves. */
  z.object({ name: z.literal('confirm_return'), returning }),
  z.object({
    name: z.literal('staff_id'),
    authorised,
    /** A new number means that the field must be emptied. */
    entry: z.int(),
    busy: z.boolean(),
    notice: notice.nullable(),
  }),
  z.object({
    name: z.literal('staff_password'),
    authorised,
    staffName: z.string(),
    busy: z.boolean(),
    notice: notice.nullable(),
  }),
  /** First use: the temporary password was correct, and the staff member now chooses their own. */
  z.object({
    name: z.literal('new_password'),
    authorised,
    staffName: z.string(),
    busy: z.boolean(),
    notice: notice.nullable(),
  }),
  z.object({
    name: z.literal('locked_out'),
    authorised,
    notice,
    /** By the service's time; null if it is not known. */
    lockedUntil: instant.nullable(),
  }),
  z.object({
    name: z.literal('return_progress'),
    returning,
    stage: z.enum(['sending', 'checking']),
    since: instant,
    /** Whether `back` leaves the screen while the service resolves the refund. */
    mayLeave: z.boolean(),
    notice: notice.nullable(),
  }),
  /** The state of this terminal, for the person at it and for support. */
  z.object({
    name: z.literal('terminal_status'),
    /** Names this launch of the program in its log and in the service's. */
    supportCode: z.string(),
    /** This machine's addresses in its network; none of a service on the same machine. */
    network: z.object({ level: statusLevel, addresses: z.array(z.string()) }),
    service: z.object({
      level: statusLevel,
      state: z.enum(['online', 'offline', 'connecting']),
      since: instant,
      address: z.string(),
    }),
    reader: z.object({
      level: statusLevel,
      connection: z.enum(['searching', 'connecting', 'ready', 'busy', 'lost', 'incompatible']),
      attention: z.string().nullable(),
      firmware: z.string().nullable(),
      serial: z.string().nullable(),
      batteryPercent: z.number().nullable(),
      /** A question to the reader that changes nothing. */
      test: z.discriminatedUnion('state', [
        z.object({ state: z.literal('not_asked') }),
        z.object({ state: z.literal('asking') }),
        z.object({ state: z.literal('answered'), tookMs: z.int() }),
        z.object({ state: z.literal('silent') }),
      ]),
    }),
    /** Of receipts. */
    printer: z.discriminatedUnion('state', [
      z.object({ level: statusLevel, state: z.enum(['none', 'checking', 'ready']) }),
      /** What is wrong with it, and what to do. */
      z.object({ level: statusLevel, state: z.literal('trouble'), message: z.string(), remedy: z.string() }),
    ]),
    /** What waits to be sent to the service; `oldestAt` of the oldest entry, null if there is none. */
    outbox: z.object({ level: statusLevel, waiting: z.int(), oldestAt: instant.nullable() }),
    /** How far this machine's clock is ahead of the service's; null before the service was reached. */
    clock: z.object({ level: statusLevel, aheadMs: z.int().nullable() }),
    /** The alerts themselves are in the header. */
    alerts: z.object({ level: statusLevel }),
    /** The service's is null before it was reached. */
    versions: z.object({ terminal: z.string(), service: z.string().nullable() }),
  }),
  z.object({
    name: z.literal('return_result'),
    returning,
    outcome: z.enum(['approved', 'declined', 'failed', 'refused', 'withdrawn', 'pending']),
    notice,
    sale: saleRecord,
    receipt: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
]);
export type Screen = z.infer<typeof screen>;

/** The receipt of the sale, void or refund on the screen. */
export const shownReceipt = z.object({
  /** Its page at the service, which customers take with them by its code. */
  url: z.string(),
  /** Whether the code is shown large. */
  isCodeShown: z.boolean(),
  /** Null without a printer. */
  print: z
    .object({
      /** `not_sent`: it was asked for, and nothing was sent to the printer. */
      state: z.enum(['possible', 'printing', 'printed', 'not_sent', 'failed']),
      /** Whether the next print is marked as a copy, because this one was, or may have been, printed before. */
      isCopy: z.boolean(),
      /** Why it failed, or was not sent. */
      notice: notice.nullable(),
    })
    .nullable(),
  /** What the customer signs, if it did not come out, or may not have: staff print it again, or leave it. */
  merchantCopy: z.object({ notice }).nullable(),
  /** Null where it cannot be sent by e-mail. */
  email: z
    .object({
      /** `typing`: the step for the address is open. */
      state: z.enum(['possible', 'typing', 'sending', 'sent']),
      /** Why it was not sent. */
      notice: notice.nullable(),
    })
    .nullable(),
});
export type ShownReceipt = z.infer<typeof shownReceipt>;

export const view = z.object({ sequence: z.int(), header, screen, receipt: shownReceipt.nullable() });
export type View = z.infer<typeof view>;
