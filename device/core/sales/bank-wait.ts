import type { Clock, Instant } from '@florin/shared/ports.ts';
import type { Waiting } from '../flows/waiting.ts';
import type { SaleContext } from './context.ts';
import { mayCancelUnanswered } from './decision.ts';

type BankWaitPorts = {
  readonly clock: Clock;
  readonly waiting: Waiting;
  readonly isKiosk: () => boolean;
  readonly context: () => SaleContext;
  readonly changed: () => void;
};

/** How long a sale is checked before staff may cancel it, so that the button does not appear under a finger. */
const staffWaitMs = 2_000;
/** After how long without the bank's answer a terminal without staff cancels the sale by itself. */
const kioskWaitMs = 90_000;

/** How long a sale has waited for the bank, and who may stop waiting: staff, or in kiosk mode the terminal itself. */
export class BankWait {
  readonly #ports: BankWaitPorts;
  #since: Instant | null = null;
  #checkedSince: Instant | null = null;

  constructor(ports: BankWaitPorts) {
    this.#ports = ports;
  }

  /** When the bank was asked, across all steps that wait for it; null before. */
  since(): Instant | null {
    return this.#since;
  }

  begin(at: Instant): void {
    if (this.#since !== null) return;
    const { clock, waiting } = this.#ports;
    this.#since = at;
    // A kiosk looks up the outcome once more before it cancels the sale.
    waiting.after(Math.max(0, at + kioskWaitMs - clock.now()), () => waiting.wake());
  }

  checking(): void {
    const { clock, waiting, changed } = this.#ports;
    this.#checkedSince = clock.now();
    waiting.after(staffWaitMs, changed);
  }

  mayStaffStop(): boolean {
    const { clock, isKiosk, context } = this.#ports;
    if (this.#checkedSince === null || isKiosk() || !mayCancelUnanswered(context())) return false;
    return clock.now() >= this.#checkedSince + staffWaitMs;
  }

  stopsByItself(): boolean {
    const { clock, isKiosk, context } = this.#ports;
    if (this.#since === null || !isKiosk() || !mayCancelUnanswered(context())) return false;
    return clock.now() >= this.#since + kioskWaitMs;
  }
}
