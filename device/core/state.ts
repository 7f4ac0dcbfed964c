import type { TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { TerminalActivity } from '@florin/shared/contracts/terminal-sales.ts';
import type { Screen } from '../ipc/view.ts';
import type { ModeChange } from './kiosk/mode-change.ts';
import type { RefundFlow } from './refunds/flow.ts';
import { activityOfSale } from './remote/words.ts';
import type { SaleFlow } from './sales/flow.ts';
import type { Store } from './store/store.ts';
import type { EnrolmentNotice, TerminalNotice } from './words.ts';

/** The open screen while no sale and no refund is in progress. */
export type Place =
  | { readonly name: 'starting' }
  | { readonly name: 'enrolment'; readonly busy: boolean; readonly notice: EnrolmentNotice | null }
  | { readonly name: 'keypad'; readonly notice: TerminalNotice | null }
  /** Among the sales: their list, one of them, their search, the totals of a day, or the end of the reader's. */
  | { readonly name: 'browsing' }
  | { readonly name: 'status' };

/** What the terminal is doing. `terminal.ts` and `current-sale.ts` change it; all other parts read it. */
export class TerminalState {
  configuration: TerminalConfiguration | undefined;
  place: Place = { name: 'starting' };
  sale: SaleFlow | undefined;
  refund: RefundFlow | undefined;
  modeChange: ModeChange | undefined;
  /** A sale that was keyed in waits for the connection check. */
  isCheckingConnection = false;
  /** The customer is asked on the reader for a tip before this sale. */
  tip: Extract<Screen, { name: 'tip' }> | undefined;
  /** The reader is closing its day: nothing else begins. */
  isReaderClosing = false;
  /** The service rejected the token; shown once nothing is in progress. */
  isRevoked = false;
  isClosed = false;

  readonly #store: Pick<Store, 'configuration' | 'hasRoom'>;

  constructor(store: Pick<Store, 'configuration' | 'hasRoom'>) {
    this.#store = store;
    this.configuration = store.configuration();
  }

  configured(): TerminalConfiguration {
    if (!this.configuration) throw new Error('this terminal is not enrolled');
    return this.configuration;
  }

  readonly isKiosk = (): boolean => this.configuration?.terminal.mode === 'kiosk';

  /** Whether the customer looks at the screen, and not staff. */
  isForCustomers(): boolean {
    if (!this.isKiosk() || this.place.name === 'enrolment') return false;
    return this.sale !== undefined || (!this.refund && !this.modeChange);
  }

  /** The keypad is open, or the result of a sale. */
  isOpen(): boolean {
    return this.sale ? this.sale.isOver() : !this.refund && !this.tip && this.place.name === 'keypad';
  }

  /** Whether the disk has room for the records of another sale. */
  hasRoom(): boolean {
    return this.#store.hasRoom();
  }

  /** A sale of software may replace the list of sales and the result of a void or refund, but not one in progress. */
  isFree(): boolean {
    const isOverOrLookingUp = this.refund
      ? this.refund.isOver()
      : this.place.name === 'browsing' || this.place.name === 'status';
    const isChecking = this.isCheckingConnection || this.isReaderClosing || this.modeChange?.isInUse() === true;
    return (this.isOpen() || (!this.sale && isOverOrLookingUp)) && !isChecking && !this.isRevoked && this.hasRoom();
  }

  /** Whether the status page may take the screen: nothing is in progress, and no customer is in front of it. */
  mayShowStatus(): boolean {
    const isNothingUnderWay =
      this.sale?.isOver() !== false &&
      this.refund?.isOver() !== false &&
      !this.modeChange &&
      !this.tip &&
      !this.isReaderClosing;
    const isElsewhere = ['keypad', 'browsing'].includes(this.place.name);
    return isNothingUnderWay && isElsewhere && !this.isKiosk() && !this.isRevoked;
  }

  /** Whether staff look at the keypad or at the sales, with nothing in progress. */
  mayBrowse(): boolean {
    const isNothingOpen = !this.sale && !this.refund && !this.modeChange && !this.tip && !this.isReaderClosing;
    return isNothingOpen && (this.place.name === 'keypad' || this.place.name === 'browsing');
  }

  /** What keeps the terminal from a sale of software; null where it is free. */
  activity(): TerminalActivity | null {
    if (this.isFree()) return null;
    if (this.sale) return activityOfSale(this.sale.screen());
    return this.refund ? 'refund' : 'staff_work';
  }
}
