import { oneLine } from '@florin/shared/contracts/text.ts';
import { customerLanguages } from '@florin/shared/languages.ts';
import { z } from 'zod';

const keyedIn = {
  amountMinor: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  /** The tip that the customer chose, where the sale is tried again; they are asked if it is omitted. */
  tipMinor: z.int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  /** What staff noted of it. */
  reference: oneLine(40).optional(),
};

/**
 * Everything a person can do at the terminal. Every host parses each message from the renderer with this schema; an
 * action that does not fit the current screen is answered with `not_now`.
 */
export const action = z.discriminatedUnion('name', [
  z.strictObject({ name: z.literal('enrol'), code: z.string().min(1).max(32) }),
  z.strictObject({ name: z.literal('start_sale'), ...keyedIn }),
  z.strictObject({ name: z.literal('start_bitcoin_sale'), ...keyedIn }),
  z.strictObject({ name: z.literal('cancel_sale') }),
  /** Takes the sale without a tip, while the customer is asked for one. */
  z.strictObject({ name: z.literal('skip_tip') }),
  /** Switches the current sale to the other payment method. */
  z.strictObject({ name: z.literal('pay_in_bitcoin') }),
  z.strictObject({ name: z.literal('pay_by_card') }),
  z.strictObject({ name: z.literal('show_keypad') }),
  z.strictObject({ name: z.literal('show_recent_sales') }),
  z.strictObject({ name: z.literal('load_more_sales') }),
  z.strictObject({ name: z.literal('show_find_sale') }),
  z.strictObject({ name: z.literal('search_sales'), text: oneLine(100) }),
  /** A scanner at the terminal read a code; it is used on the keypad and among the sales only. */
  z.strictObject({ name: z.literal('scan_code'), code: oneLine(500) }),
  /** The totals of a day at the business; without a date, of today. */
  z.strictObject({
    name: z.literal('show_day_report'),
    date: z.iso.date().optional(),
    scope: z.enum(['terminal', 'business']),
  }),
  /** The report that is shown. */
  z.strictObject({ name: z.literal('print_day_report') }),
  /** The end of the day of a reader that authorises by itself: the page about it, and the reader is asked. */
  z.strictObject({ name: z.literal('show_reader_day') }),
  z.strictObject({ name: z.literal('close_reader_day') }),
  z.strictObject({ name: z.literal('show_sale'), saleId: z.string().max(80) }),
  /** A void or a refund, as the sale's `action` says. */
  z.strictObject({ name: z.literal('return_money'), saleId: z.string().max(80) }),
  z.strictObject({ name: z.literal('enter_refund_amount'), amountMinor: z.int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  z.strictObject({ name: z.literal('confirm_return') }),
  z.strictObject({ name: z.literal('enter_staff_number'), staffNumber: z.string().min(1).max(32) }),
  z.strictObject({ name: z.literal('enter_password'), password: z.string().min(1).max(512) }),
  z.strictObject({
    name: z.literal('choose_password'),
    password: z.string().min(1).max(512),
    repeated: z.string().min(1).max(512),
  }),
  /** Shows the receipt of a void or refund of the sale whose details are shown. */
  z.strictObject({ name: z.literal('show_return_receipt'), url: oneLine(500) }),
  /** Prints the receipt of the sale, void or refund on the screen, or the merchant's copy that did not come out. */
  z.strictObject({ name: z.literal('print_receipt'), copyFor: z.enum(['customer', 'merchant']).optional() }),
  /** Shows its code large, for the customer's camera, or closes it. */
  z.strictObject({ name: z.literal('show_receipt_code') }),
  z.strictObject({ name: z.literal('hide_receipt_code') }),
  /** Opens and closes the step for the address that the receipt on the screen is sent to, and sends it. */
  z.strictObject({ name: z.literal('show_receipt_email') }),
  z.strictObject({ name: z.literal('hide_receipt_email') }),
  z.strictObject({ name: z.literal('email_receipt'), address: oneLine(254) }),
  /** The status page of this terminal; in it, a question to the reader that changes nothing. */
  z.strictObject({ name: z.literal('show_status') }),
  z.strictObject({ name: z.literal('test_reader') }),
  /** Enters or leaves kiosk mode, which needs a manager. */
  z.strictObject({ name: z.literal('change_mode') }),
  /** Staff choose the terminal's language; a customer, the language of their own sale. */
  z.strictObject({ name: z.literal('choose_language'), language: z.enum(customerLanguages) }),
  /** The screen could not be drawn; sent so that the error is in the terminal's log. */
  z.strictObject({ name: z.literal('report_screen_fault'), sequence: z.int().nullable(), fault: z.string().max(2000) }),
  /** One step back; from a result, to the keypad. Never abandons a payment or refund in progress. */
  z.strictObject({ name: z.literal('back') }),
]);
export type UserAction = z.infer<typeof action>;

/** The immediate response; the effect of the action shows in the next View. */
export const actionResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted') }),
  z.object({ kind: z.literal('not_now') }),
  /** Software has requested a sale, which is about to be shown. */
  z.object({ kind: z.literal('sale_starting'), requestedBy: z.string() }),
  z.object({ kind: z.literal('invalid'), message: z.string() }),
]);
export type ActionResult = z.infer<typeof actionResult>;

/** The bridge both hosts put in front of the renderer as `window.florin`. */
export interface TerminalBridge {
  /** Calls back with the current View at once and at every change; returns a function that unsubscribes. */
  onView(listener: (view: unknown) => void): () => void;
  send(action: UserAction): Promise<ActionResult>;
}
