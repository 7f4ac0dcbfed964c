import { saleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { z } from 'zod';

/**
 * What the terminal's screen shows, whole: the core publishes one View at every change and the renderer draws it. The
 * renderer keeps no flow state of its own beyond what is being typed, so a reload, a crash or a second screen always
 * shows the truth.
 */

const instant = z.number();

/** Always there, on every screen. */
export const header = z.object({
  businessName: z.string().nullable(),
  terminalName: z.string().nullable(),
  /** `kiosk`: the terminal faces customers, and software starts its sales. */
  mode: z.enum(['staff', 'kiosk']),
  locale: z.string(),
  currency: z.string(),
  timeZone: z.string(),
  /** Whether a sale can be begun in bitcoin. */
  takesBitcoin: z.boolean(),
  service: z.enum(['online', 'offline', 'connecting']),
  reader: z.object({
    connection: z.enum(['searching', 'connecting', 'ready', 'busy', 'lost', 'incompatible']),
    batteryPercent: z.number().nullable(),
    attention: z.string().nullable(),
    /** The card of an earlier sale is still in it. */
    isCardLeft: z.boolean(),
  }),
  /** What somebody has to look into about this terminal's records; empty when all is well. */
  alerts: z.array(z.object({ message: z.string(), detail: z.string().nullable() })),
  /** Entries of the outbox that the service does not have yet. */
  waitingToSync: z.number(),
});
export type Header = z.infer<typeof header>;

export const saleStage = z.enum([
  'starting',
  'waiting_for_reader',
  /** The reader still holds the card of an earlier sale. */
  'remove_previous_card',
  'present_card',
  /** The reader refused a tap and wants the chip. */
  'insert_card',
  'card_inserted',
  'card_tapped',
  'card_swiped',
  'choose_application',
  'enter_pin',
  'wrong_pin',
  'authorising',
  /** The bank was asked; the reader is not through with the card yet. */
  'finishing',
  /** The outcome is not known: the reader or the service is being asked. Shown after a lost contact and after a restart. */
  'checking',
  'reversing',
  'remove_card',
]);
export type SaleStage = z.infer<typeof saleStage>;

/** How far a sale in bitcoin has come. */
export const bitcoinStage = z.enum([
  /** The service is asked for something that can be paid to. */
  'requesting',
  'waiting',
  /** On chain, in no block yet: the terminal may go on. */
  'seen',
  /** The same with too little: the goods stay, and so does the customer. */
  'seen_part',
  /** Time is up, and the node has not said yet whether anything was paid in time. */
  'checking',
  'cancelling',
  /** It is given up for the card. */
  'leaving',
]);
export type BitcoinStage = z.infer<typeof bitcoinStage>;

const amount = z.object({ amountMinor: z.int(), currency: z.string() });

/** Whose software started a sale; null where it was keyed in here. */
const requestedBy = z
  .object({
    name: z.string(),
    reference: z.string().nullable(),
    /** The language tag that the customer is to be spoken to in; null for that of the business. */
    language: z.string().nullable(),
  })
  .nullable();

/** What the end of a sale means for the customer. */
export const customerOutcome = z.enum([
  'approved',
  'declined',
  'cancelled',
  /** No card was presented in time. */
  'no_card',
  /** Nothing was paid in bitcoin in time. */
  'not_paid',
  /** Too little was paid in bitcoin, and is to be returned. */
  'underpaid',
  /** The card was not charged, for reasons that are not the customer's. */
  'not_charged',
  /** The bank approved, the sale was not completed, and the money is on its way back. */
  'being_returned',
  /** Whether the customer is charged has to be found out by people. */
  'ask_staff',
]);
export type CustomerOutcome = z.infer<typeof customerOutcome>;

/** Which sale is being given back, and how. */
export const returning = z.object({
  sale: saleRecord,
  kind: z.enum(['CANCEL', 'REFUND_SALE']),
  /** Null for a void. */
  amountMinor: z.int().nullable(),
  requestedBy,
  /** When a request of software cancels itself unless a staff member authorises it; null once they have. */
  cancelsAt: instant.nullable(),
});
export type Returning = z.infer<typeof returning>;

/** Another mode of this terminal, which only a manager may choose. */
const modeChange = z.object({ kind: z.enum(['ENTER_KIOSK', 'LEAVE_KIOSK']) });

/** What a staff member authorises with their password. */
const authorised = z.discriminatedUnion('kind', [returning, modeChange]);
export type Authorised = z.infer<typeof authorised>;

/**
 * Messages are shown as they are. Those the specification names are verbatim ("Incorrect password"); `detail` says in a
 * cashier's words what it means and what to do now.
 */
export const notice = z.object({ message: z.string(), detail: z.string().nullable() });
export type Notice = z.infer<typeof notice>;

export const screen = z.discriminatedUnion('name', [
  z.object({ name: z.literal('starting') }),
  z.object({ name: z.literal('enrolment'), busy: z.boolean(), notice: notice.nullable() }),
  z.object({ name: z.literal('keypad'), notice: notice.nullable() }),
  /** In kiosk mode, while nothing is under way. */
  z.object({ name: z.literal('kiosk_idle') }),
  z.object({
    name: z.literal('sale'),
    amount,
    stage: saleStage,
    since: instant,
    /** When the bank was first asked about; null while the sale waits for the card. */
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
    /** Null until they are fixed. */
    amountSats: z.int().nullable(),
    /** Confirmed, and seen without being confirmed. */
    receivedSats: z.int(),
    processingSats: z.int(),
    /** What the code says; null while there is nothing to be paid to. */
    paymentUri: z.string().nullable(),
    expiresAt: instant.nullable(),
    /** Why nothing can be paid yet, or nothing is heard of it. */
    problem: z.enum(['node_unreachable', 'rate_unavailable', 'not_reached']).nullable(),
    /** What was wanted and could not be had: something was paid, or the node does not answer. */
    notWithdrawn: z.enum(['paid', 'node_unreachable']).nullable(),
    mayCancel: z.boolean(),
    mayUseCard: z.boolean(),
    /** Whether `show_keypad` leaves it: the service goes on by itself. */
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
    /** Present whenever the service has the sale. */
    sale: saleRecord.nullable(),
    /**
     * Charging the same amount again: `suggested` where the notice asks for it, so that it is the main action; `no` where it
     * could charge the customer twice.
     */
    again: z.enum(['suggested', 'possible', 'no']),
    requestedBy,
    receipt: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
  z.object({
    name: z.literal('recent_sales'),
    busy: z.boolean(),
    sales: z.array(saleRecord),
    moreAvailable: z.boolean(),
    notice: notice.nullable(),
  }),
  z.object({ name: z.literal('sale_detail'), sale: saleRecord, notice: notice.nullable() }),
  z.object({
    name: z.literal('refund_amount'),
    sale: saleRecord,
    /** What was chosen before somebody went back to change it; null at first. */
    amountMinor: z.int().nullable(),
    notice: notice.nullable(),
  }),
  /** Only where the business has password protection off: one last question before money moves. */
  z.object({ name: z.literal('confirm_return'), returning }),
  z.object({
    name: z.literal('staff_id'),
    authorised,
    /** Another number means that the field is to be empty again. */
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
  /** First use: the temporary password was right, now the staff member chooses their own. */
  z.object({
    name: z.literal('new_password'),
    authorised,
    staffName: z.string(),
    busy: z.boolean(),
    notice: notice.nullable(),
  }),
  z.object({ name: z.literal('locked_out'), authorised, notice, lockedUntil: instant.nullable() }),
  z.object({
    name: z.literal('return_progress'),
    returning,
    stage: z.enum(['sending', 'checking']),
    since: instant,
    /** Whether `back` leaves it: the service goes on finding out by itself. */
    mayLeave: z.boolean(),
    notice: notice.nullable(),
  }),
  z.object({
    name: z.literal('return_result'),
    returning,
    outcome: z.enum(['approved', 'declined', 'failed', 'refused', 'pending']),
    notice,
    sale: saleRecord,
    receipt: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
]);
export type Screen = z.infer<typeof screen>;

export const view = z.object({ sequence: z.int(), header, screen });
export type View = z.infer<typeof view>;
