import { getPrintableReceipt, type PrintableReceipt } from '@florin/shared/contracts/device-v1/receipts.ts';
import type { Clock, Log, Timers } from '@florin/shared/ports.ts';
import type { Notice, Screen, ShownReceipt } from '../../ipc/view.ts';
import type { Printer } from '../../printers/printer.ts';
import { Waiting } from '../flows/waiting.ts';
import type { RemoteSales } from '../remote/remote-sales.ts';
import type { PrintRecord } from '../store/prints.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from '../sync/connection.ts';
import type { CoreWords, DisplaySettings } from '../words.ts';
import { type MerchantCopy, merchantCopyOf, merchantCopyPaper } from './merchant-copy.ts';
import { onceThere } from './once-there.ts';
import { paperOf } from './paper.ts';
import { type Subject, subjectOf } from './subject.ts';
import { printNotice } from './words.ts';

export type PrintingPorts = {
  readonly printer: Printer;
  readonly store: Store;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly remoteSales: Pick<RemoteSales, 'printsFor'>;
  /** Of the screen that is shown. */
  readonly words: () => CoreWords;
  /** What names and formats what the business keeps. */
  readonly businessDisplay: () => DisplaySettings;
  /** Whether no staff are at this terminal, who could take a signature. */
  readonly isKiosk: () => boolean;
  /** The language tag that was chosen for the customer on the screen; undefined if none was. */
  readonly customerLanguage: () => string | undefined;
  /** Sends pending reports to the service. */
  readonly deliverReports: () => Promise<unknown>;
  readonly changed: () => void;
};

type Outcome =
  | { readonly kind: 'printed'; readonly why?: undefined }
  | { readonly kind: 'unknown' | 'not_printed'; readonly why: PrintRecord['why'] };

/**
 * Prints receipts, beside the sales and never in their way: a result does not wait for the printer and is not changed by
 * it. What is sent to the printer is stored before, so that a receipt that may have come out is only printed again as a
 * copy, and never by itself. What the customer signs is printed by itself, once, before the customer's receipt; it never
 * stands in the way of that.
 */
export class Printing {
  readonly #ports: PrintingPorts;
  readonly #waiting: Waiting;
  /** The receipt of the result on the screen. */
  #shown: string | undefined;
  readonly #printing = new Set<string>();
  /** The outcome of the last print of the receipt on the screen. */
  #last: { readonly url: string; readonly outcome: Outcome } | undefined;
  #codeOf: string | undefined;
  #isStopped = false;

  constructor(ports: PrintingPorts) {
    this.#ports = ports;
    this.#waiting = new Waiting(ports.timers);
  }

  /** After a start of the program. */
  resume(): void {
    this.#ports.store.interruptPrints();
  }

  stop(): void {
    this.#isStopped = true;
    this.#waiting.stop();
  }

  /** The receipt of what is on the screen; null if it has none. */
  receiptOn(screen: Screen): Omit<ShownReceipt, 'email'> | null {
    const subject = subjectOf(screen);
    if (!subject) return null;
    const { url } = subject;
    return {
      url,
      isCodeShown: this.#codeOf === url,
      print: this.#print(subject),
      merchantCopy: this.#unsignedNotice(subject, this.#unsigned(screen)),
    };
  }

  /** What the customer has to sign, until it is printed; also of a sale that is looked up since. */
  #unsigned(screen: Screen): MerchantCopy | undefined {
    const copy = this.#ports.isKiosk() ? undefined : merchantCopyOf(screen);
    if (!copy) return undefined;
    const record = this.#ports.store.printOf(copy.key);
    const isDue = record ? record.state !== 'printed' && record.why !== 'no_printer' : copy.isAsked;
    return isDue ? copy : undefined;
  }

  #unsignedNotice({ url }: Subject, unsigned: MerchantCopy | undefined): ShownReceipt['merchantCopy'] {
    const record = unsigned && this.#ports.store.printOf(unsigned.key);
    if (!record || this.#ports.printer.status() === 'none' || this.#printing.has(url)) return null;
    return { notice: this.#notice({ kind: record.state, why: record.why }) };
  }

  #print(subject: Subject): ShownReceipt['print'] {
    const { printer, store } = this.#ports;
    if (printer.status() === 'none') return null;
    const record = store.printOf(subject.url);
    const isCopy = isCopyOf(subject, record);
    if (this.#printing.has(subject.url)) return { state: 'printing', isCopy, notice: null };
    const stored = record && !subject.isReprint ? { kind: record.state, why: record.why } : undefined;
    const outcome = this.#last?.url === subject.url ? this.#last.outcome : stored;
    if (outcome?.kind === 'printed') return { state: 'printed', isCopy, notice: null };
    if (!outcome || outcome.why === 'no_printer' || outcome.why === 'not_asked')
      return { state: 'possible', isCopy, notice: null };
    const isUnsent = outcome.why === 'not_reached' || outcome.why === 'not_ready';
    return { state: isUnsent ? 'not_sent' : 'failed', isCopy, notice: this.#notice(outcome) };
  }

  #notice({ kind, why }: { readonly kind: PrintRecord['state']; readonly why?: PrintRecord['why'] }): Notice {
    const reason = !why || why === 'no_printer' || why === 'not_asked' ? 'error' : why;
    return printNotice(reason, { words: this.#ports.words().printing, mayHavePrinted: kind === 'unknown' });
  }

  /** Called with each screen: prints by itself, once, what the customer signs and what software asked to have printed. */
  look(screen: Screen): void {
    const subject = subjectOf(screen);
    if (this.#last?.url !== subject?.url) this.#last = undefined;
    if (this.#codeOf !== subject?.url) this.#codeOf = undefined;
    this.#noteUnprinted(subject?.isReprint ? undefined : subject?.url);
    if (!subject || subject.isReprint || this.#printing.has(subject.url)) return;
    const saleId = this.#ports.remoteSales.printsFor();
    const unsigned = this.#unsigned(screen);
    const isNew = unsigned !== undefined && !this.#ports.store.printOf(unsigned.key);
    if (isNew && this.#ports.printer.status() !== 'none') {
      this.#start(subject.url, () => this.#runUnsigned(unsigned));
      return;
    }
    if (isNew) this.#save(unsigned.key, null, { kind: 'not_printed', why: 'no_printer' });
    if (saleId === null || this.#ports.store.printOf(subject.url)) return;
    if (this.#ports.printer.status() === 'none')
      this.#save(subject.url, saleId, { kind: 'not_printed', why: 'no_printer' });
    else this.#start(subject.url, () => this.#run(subject, saleId));
  }

  /**
   * Of a result that is left unprinted this terminal knows later that it was never on paper. Not when it is shown, which the
   * write would delay; a result that a restart interrupts is shown again.
   */
  #noteUnprinted(shown: string | undefined): void {
    const left = this.#shown;
    this.#shown = shown;
    if (left !== undefined && left !== shown && !this.#printing.has(left) && !this.#ports.store.printOf(left))
      this.#save(left, null, { kind: 'not_printed', why: 'not_asked' });
  }

  /**
   * Prints it, again too. False if the screen has no receipt, or no such copy is due, or there is no printer or it is
   * printing it.
   */
  print(screen: Screen, copyFor: 'customer' | 'merchant' = 'customer'): boolean {
    const subject = subjectOf(screen);
    if (!subject || this.#ports.printer.status() === 'none' || this.#printing.has(subject.url)) return false;
    const unsigned = copyFor === 'merchant' ? this.#unsigned(screen) : undefined;
    if (copyFor === 'merchant' && !unsigned) return false;
    const saleId = this.#ports.store.printOf(subject.url)?.saleId ?? null;
    this.#start(subject.url, () => (unsigned ? this.#runUnsigned(unsigned) : this.#run(subject, saleId)));
    this.#ports.changed();
    return true;
  }

  showCode(screen: Screen): boolean {
    const subject = subjectOf(screen);
    if (!subject) return false;
    this.#codeOf = subject.url;
    this.#ports.changed();
    return true;
  }

  hideCode(): boolean {
    if (this.#codeOf === undefined) return false;
    this.#codeOf = undefined;
    this.#ports.changed();
    return true;
  }

  #start(url: string, run: () => Promise<void>): void {
    const { log, changed } = this.#ports;
    this.#printing.add(url);
    run()
      .catch((error: unknown) => {
        if (!this.#isStopped) log.error({ error: String(error) }, 'printing failed');
      })
      .finally(() => {
        this.#printing.delete(url);
        if (!this.#isStopped) changed();
      });
  }

  async #runUnsigned({ key, sale }: MerchantCopy): Promise<void> {
    const { printer, store, businessDisplay } = this.#ports;
    const before = store.printOf(key);
    const isCopy = before !== undefined && before.state !== 'not_printed';
    this.#save(key, null, { kind: 'sending' });
    const outcome = await printer.print(merchantCopyPaper(sale, { isCopy, settings: businessDisplay() }));
    if (this.#isStopped) return;
    // What may have been printed before counts, although no copy of it was.
    this.#save(key, null, outcome.kind === 'not_printed' && isCopy ? { ...outcome, kind: 'unknown' } : outcome);
  }

  async #run(subject: Subject, saleId: string | null): Promise<void> {
    const { printer, store } = this.#ports;
    const { url } = subject;
    const before = store.printOf(url);
    const isCopy = isCopyOf(subject, before);
    const receipt = await this.#read(subject);
    if (this.#isStopped) return;
    if (typeof receipt === 'string') return this.#end(subject, before, saleId, { kind: 'not_printed', why: receipt });
    if (before || !subject.isReprint) this.#save(url, saleId, { kind: 'sending' });
    const outcome = await printer.print(paperOf(receipt, { isCopy }));
    if (!this.#isStopped) this.#end(subject, before, saleId, outcome);
  }

  /** The receipt in words, or why there is none. */
  async #read({ token, isReprint }: Subject): Promise<PrintableReceipt | 'not_reached' | 'not_ready'> {
    const params = { token };
    // That of a copy the service knows: the sale's.
    const language = isReprint ? undefined : this.#ports.customerLanguage();
    const query = language === undefined ? {} : { language };
    const response = await onceThere(this.#waiting, () =>
      this.#ports.connection.call(getPrintableReceipt, { params, query }),
    );
    if (response.kind === 'answered') return response.body;
    return response.kind === 'refused' ? 'not_ready' : 'not_reached';
  }

  #end({ url, isReprint }: Subject, before: PrintRecord | undefined, saleId: string | null, outcome: Outcome): void {
    this.#last = { url, outcome };
    const { store, clock } = this.#ports;
    // What was printed before counts, although no copy of it was.
    if (outcome.kind === 'not_printed' && before && before.state !== 'not_printed')
      store.savePrint({ ...before, at: clock.now() });
    // One that is printed later tells the software that there is a receipt on paper.
    else if (before || !isReprint) this.#save(url, saleId, outcome);
  }

  #save(receiptUrl: string, saleId: string | null, outcome: Outcome | { readonly kind: 'sending' }): void {
    const { store, clock, log } = this.#ports;
    const why = outcome.kind === 'sending' ? null : (outcome.why ?? null);
    store.savePrint({ receiptUrl, state: outcome.kind, why, saleId, at: clock.now() });
    if (saleId === null || outcome.kind === 'sending') return;
    this.#ports.deliverReports().catch((error: unknown) => {
      if (!this.#isStopped) log.error({ saleId, error: String(error) }, 'the report of a printed receipt failed');
    });
  }
}

/** Whether it was printed before, or may have been: also at another terminal, or too long ago to be known here. */
function isCopyOf({ isReprint }: Subject, record: PrintRecord | undefined): boolean {
  return record ? record.state !== 'not_printed' : isReprint;
}
