import { emailTerminalReceipt } from '@florin/shared/contracts/device-v1/receipts.ts';
import type { Log, Timers } from '@florin/shared/ports.ts';
import type { Notice, Screen, ShownReceipt } from '../../ipc/view.ts';
import { Waiting } from '../flows/waiting.ts';
import type { ServiceResponse } from '../service/client.ts';
import type { Connection } from '../sync/connection.ts';
import type { CoreWords } from '../words.ts';
import { onceThere } from './once-there.ts';
import { type Subject, subjectOf } from './subject.ts';

type Ports = {
  readonly connection: Connection;
  readonly timers: Timers;
  readonly log: Log;
  /** Whether the service can send e-mails, and staff are at this terminal. */
  readonly isOffered: () => boolean;
  /** Of the screen that is shown. */
  readonly words: () => CoreWords;
  /** The language tag that was chosen for the customer on the screen; undefined if none was. */
  readonly customerLanguage: () => string | undefined;
  readonly changed: () => void;
};

type Shown = NonNullable<ShownReceipt['email']>;

/**
 * Sends the receipt on the screen to an address that staff type for it. The address is passed on and kept nowhere on
 * this terminal.
 */
export class ReceiptEmails {
  readonly #ports: Ports;
  readonly #waiting: Waiting;
  #shown: (Shown & { readonly url: string }) | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#waiting = new Waiting(ports.timers);
  }

  stop(): void {
    this.#waiting.stop();
  }

  /** Of the receipt on the screen; null where it cannot be sent from here. */
  on(screen: Screen): Shown | null {
    const subject = subjectOf(screen);
    if (!subject || !this.#ports.isOffered()) return null;
    const { state, notice } = this.#shown?.url === subject.url ? this.#shown : possible;
    return { state, notice };
  }

  /** Called with each screen: what was begun on another one is left. */
  look(screen: Screen): void {
    if (this.#shown && subjectOf(screen)?.url !== this.#shown.url) this.#shown = undefined;
  }

  /** Opens the step for the address. */
  open(screen: Screen): boolean {
    const subject = subjectOf(screen);
    if (!subject || !this.#ports.isOffered() || this.#isSending()) return false;
    return this.#show(subject.url, { state: 'typing', notice: null });
  }

  /** Closes the step, also while the service is asked: the e-mail may be sent nevertheless. */
  close(): boolean {
    if (!this.#shown || this.#shown.state === 'sent') return false;
    this.#shown = undefined;
    this.#ports.changed();
    return true;
  }

  send(screen: Screen, address: string): boolean {
    const subject = subjectOf(screen);
    if (!subject || this.#shown?.state !== 'typing') return false;
    this.#show(subject.url, { state: 'sending', notice: null });
    this.#send(subject, address).catch((error: unknown) => {
      this.#ports.log.error({ error: String(error) }, 'sending a receipt failed');
    });
    return true;
  }

  async #send(subject: Subject, address: string): Promise<void> {
    const { connection, customerLanguage, words } = this.#ports;
    const params = { token: subject.token };
    // As for a copy on paper.
    const chosen = subject.isReprint ? undefined : customerLanguage();
    const language = chosen === undefined ? {} : { language: chosen };
    const response = await onceThere(this.#waiting, () =>
      connection.call(emailTerminalReceipt, { params, body: { address, ...language } }),
    );
    // The step was left meanwhile.
    if (this.#shown?.url !== subject.url || !this.#isSending()) return;
    const notice = noticeOf(response, words().receiptEmail);
    this.#show(subject.url, notice === null ? { state: 'sent', notice } : { state: 'typing', notice });
  }

  #isSending(): boolean {
    return this.#shown?.state === 'sending';
  }

  #show(url: string, shown: Shown): true {
    this.#shown = { ...shown, url };
    this.#ports.changed();
    return true;
  }
}

const possible: Shown = { state: 'possible', notice: null };

/** Why the receipt was not sent, or may not have been; null if it was. */
function noticeOf(
  response: ServiceResponse<typeof emailTerminalReceipt>,
  words: CoreWords['receiptEmail'],
): Notice | null {
  if (response.kind === 'answered') return null;
  if (response.kind === 'not_reached') return words.notReached;
  if (response.kind === 'unknown') return words.unanswered;
  if (response.status === 400) return words.notAnAddress;
  if (response.status === 429) return words.slowDown;
  if (response.reason === 'receipt_not_found') return words.notReady;
  if (response.reason === 'too_many_addresses' || response.reason === 'too_many_emails') return words.tooMany;
  return words.notSent;
}
