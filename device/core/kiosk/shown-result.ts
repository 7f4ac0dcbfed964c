import type { Cancel, Clock, Instant, Timers } from '@florin/shared/ports.ts';
import type { Screen, View } from '../../ipc/view.ts';
import type { Publish } from '../facts.ts';

/** The minimum time for which a result stays before the next sale replaces it. */
const heldMs = 4_000;
/** The same for a result that needs an action by staff. */
const heldForActionMs = 15_000;
/** How long a customer has to scan the code of the receipt. */
const codeShownMs = 60_000;
const retryMs = 1_000;
/** The time a manager has for each step. */
const managerMs = 60_000;

/** A result on the screen: how long it must stay, and when kiosk mode closes it. */
export class ShownResult {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #publish: Publish;
  #key = '';
  #result = '';
  #heldUntil: Instant = 0;
  #cancel: Cancel | undefined;

  constructor(ports: { clock: Clock; timers: Timers; publish: Publish }) {
    this.#clock = ports.clock;
    this.#timers = ports.timers;
    this.#publish = ports.publish;
  }

  /** Until when the result must not be replaced; in the past if no result is shown. */
  heldUntil(): Instant {
    return this.#heldUntil;
  }

  /** Receives each screen that is drawn; a new result starts its timers. */
  look(screen: Screen, { isKiosk, receipt }: { isKiosk: boolean; receipt: View['receipt'] }): void {
    const result = `${isKiosk} ${keyOf(screen) ?? ''}`;
    // A customer who takes the receipt with them has time for it.
    const key = `${result} ${receipt?.isCodeShown === true} ${receipt?.print?.state ?? ''}`;
    if (key === this.#key) return;
    this.#key = key;
    this.#cancel?.();
    this.#cancel = undefined;
    if (result !== this.#result) this.#heldUntil = this.#clock.now() + heldFor(screen);
    this.#result = result;
    const leaveAfterMs = isKiosk || isEndedBySoftware(screen) ? leavesAfter(screen) : null;
    if (leaveAfterMs !== null) this.#leaveAfter(receipt?.isCodeShown ? codeShownMs : leaveAfterMs);
  }

  /** The result stays until the next sale is accepted, which may still fail. */
  #leaveAfter(delayMs: number): void {
    const key = this.#key;
    this.#cancel = this.#timers.after(delayMs, () => {
      this.#publish({ kind: 'result_expired' });
      if (key === this.#key) this.#leaveAfter(retryMs);
    });
  }

  stop(): void {
    this.#cancel?.();
  }
}

/** The same deadline as long as the result does not change. */
function keyOf(screen: Screen): string | null {
  if (screen.name === 'sale_result') return `sale ${screen.outcome} ${screen.customerOutcome}`;
  if (screen.name === 'return_result') return `return ${screen.outcome}`;
  if (screen.name === 'return_progress' && screen.mayLeave) return 'return may be left';
  if (screen.name === 'bitcoin_sale' && screen.mayLeave) return `bitcoin ${screen.stage}`;
  return isForManager(screen) ? JSON.stringify(screen) : null;
}

/** Nobody at the terminal decided it, so nobody has to close it, in staff mode either. */
function isEndedBySoftware(screen: Screen): boolean {
  if (screen.name === 'return_result') return screen.outcome === 'withdrawn';
  return screen.name === 'sale_result' && screen.isEndedBySoftware;
}

/** This screen may have been opened by a customer. */
function isForManager(screen: Screen): boolean {
  return 'authorised' in screen && screen.authorised.kind === 'LEAVE_KIOSK';
}

function heldFor(screen: Screen): number {
  if (screen.name === 'bitcoin_sale') return screen.mayLeave ? heldMs : -1;
  if (screen.name !== 'sale_result' && screen.name !== 'return_result') return -1;
  const needsAction = screen.name === 'sale_result' && screen.outcome !== 'approved' && screen.again === 'no';
  return needsAction ? heldForActionMs : heldMs;
}

/** When a terminal in kiosk mode returns to its idle screen. */
function leavesAfter(screen: Screen): number | null {
  if (screen.name === 'return_result') return 20_000;
  if (isForManager(screen)) return managerMs;
  // The service keeps resolving the sale without the terminal.
  if (screen.name === 'return_progress') return screen.mayLeave ? 30_000 : null;
  // An underpayment stays on the screen until the rest has arrived or the next sale starts.
  if (screen.name === 'bitcoin_sale') return screen.mayLeave && screen.stage !== 'seen_part' ? 30_000 : null;
  if (screen.name !== 'sale_result') return null;
  switch (screen.customerOutcome) {
    case 'approved':
    case 'cancelled':
    case 'no_card':
    case 'not_paid':
      return 8_000;
    case 'declined':
    case 'not_charged':
      return 15_000;
    case 'being_returned':
    case 'ask_staff':
    case 'underpaid':
      return 60_000;
  }
}
