import { z } from 'zod';

/**
 * Everything the person at the terminal can ask for. Each message from the renderer is parsed with this, whatever host
 * carries it; what does not fit the screen that is showing is ignored and answered with `not_now`.
 */
export const action = z.discriminatedUnion('name', [
  z.strictObject({ name: z.literal('enrol'), code: z.string().min(1).max(32) }),
  z.strictObject({ name: z.literal('start_sale'), amountMinor: z.int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  z.strictObject({
    name: z.literal('start_bitcoin_sale'),
    amountMinor: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  }),
  z.strictObject({ name: z.literal('cancel_sale') }),
  /** The other way to pay, for the sale that shows. */
  z.strictObject({ name: z.literal('pay_in_bitcoin') }),
  z.strictObject({ name: z.literal('pay_by_card') }),
  z.strictObject({ name: z.literal('show_keypad') }),
  z.strictObject({ name: z.literal('show_recent_sales') }),
  z.strictObject({ name: z.literal('load_more_sales') }),
  z.strictObject({ name: z.literal('show_sale'), saleId: z.string().max(80) }),
  /** Void or refund, whichever the sale's `action` allows. */
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
  /** Begins kiosk mode, or leaves it: a manager is asked for. */
  z.strictObject({ name: z.literal('change_mode') }),
  /** The screen could not be drawn: written to the log, since nobody at the counter can say why. */
  z.strictObject({ name: z.literal('report_screen_fault'), sequence: z.int().nullable(), fault: z.string().max(2000) }),
  /** One step back; from a result, to the keypad. Never abandons money under way. */
  z.strictObject({ name: z.literal('back') }),
]);
export type UserAction = z.infer<typeof action>;

/** What the renderer gets at once; what follows from the action shows in the next View. */
export const actionResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted') }),
  z.object({ kind: z.literal('not_now') }),
  z.object({ kind: z.literal('invalid'), message: z.string() }),
]);
export type ActionResult = z.infer<typeof actionResult>;

/** The bridge both hosts put in front of the renderer as `window.florin`. */
export interface TerminalBridge {
  /** Calls back with the current View at once and then at every change; returns a function that stops it. */
  onView(listener: (view: unknown) => void): () => void;
  send(action: UserAction): Promise<ActionResult>;
}
