import type { Clock, Instant } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { type Database, KeyTaken, readingAgain, type Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { CardSummary } from '../../gateways/gateway.ts';
import type { AuditLog } from '../../people/audit/log.ts';
import { businessById } from '../../people/businesses/store.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import type { Authorisations } from './authorisation.ts';
import type { SaleEndings } from './completion.ts';
import type { PaymentRow } from './rows.ts';
import type { SaleKey, SaleRefusal } from './sale.ts';
import { insertPayment, paymentBySale } from './store.ts';
import type { UnknownSales } from './unknown-sale.ts';

export type RecordedSale = SaleKey & {
  readonly amountMinor: number;
  readonly currency: string;
  readonly takenAt: Instant;
  readonly processorReference: string;
  readonly readerSerial?: string | undefined;
  readonly authorisationCode: string;
  /** What staff noted of it. */
  readonly reference?: string | undefined;
  /** The part of the amount that the customer added as a tip. */
  readonly tipMinor: number;
  readonly card: CardSummary & {
    readonly entryMode: string;
    readonly applicationId?: string | undefined;
    /** The reader asked for one, and no staff were there to take it. */
    readonly signature?: 'not_taken' | undefined;
  };
};
/** A payment that a reader with its own processor took. */
export type ReaderSale = {
  readonly businessId: string;
  readonly paymentId: string;
  readonly readerSerial: string;
  readonly takenAt: Instant;
};
export type RecordedSaleRefusal = Extract<SaleRefusal, { kind: 'sale_differs' }>;
export type RecordSale = (sale: RecordedSale) => Promise<Result<PaymentRow, RecordedSaleRefusal>>;

/**
 * Sales that the processor of a terminal's reader approved. The money has moved: each is recorded once, as completed,
 * in no gateway account and without polling.
 */
export function saleRecording(options: {
  database: Database;
  clock: Clock;
  audit: AuditLog;
  events: Events;
  attempts: Authorisations;
  endings: SaleEndings;
  unknown: Pick<UnknownSales, 'approve'>;
  discrepancies: Pick<Discrepancies, 'raise'>;
  onTaken: (tx: Transaction, payment: PaymentRow) => Promise<void>;
  /** Which reader took it, and when. */
  onReaderSale: (tx: Transaction, sale: ReaderSale) => Promise<void>;
}): RecordSale {
  const { database, clock, audit, events, attempts, endings } = options;

  async function paymentOf(tx: Transaction, sale: RecordedSale): Promise<PaymentRow> {
    const { processorReference, readerSerial: _, authorisationCode, card, takenAt, reference = null, ...what } = sale;
    const { entryMode, applicationId = null } = card;
    const begun = await attempts.begin(tx, { ...what, reference, entryMode, applicationId, gatewayAccountId: null });
    return {
      ...begun,
      authorisedBy: 'reader',
      status: 'unsettled',
      approvedMinor: sale.amountMinor,
      gatewayReference: processorReference,
      authorisationCode,
      cardScheme: card.scheme,
      cardLastFour: card.lastFour,
      takenAt: Math.min(takenAt, clock.now()),
      sentAt: null,
      nextPollAt: null,
    };
  }

  async function contradict(
    tx: Transaction,
    payment: PaymentRow,
    { amountMinor, currency, processorReference }: RecordedSale,
    kind: 'payment_approved_twice' | 'sale_currency_differs',
  ): Promise<void> {
    const { businessId, id: paymentId, status, gatewayReference } = payment;
    await options.discrepancies.raise(tx, {
      businessId,
      paymentId,
      kind,
      evidence: processorReference,
      recorded: { status, amountMinor: payment.amountMinor, currency: payment.currency, gatewayReference },
      gateway: { amountMinor, currency, processorReference },
    });
  }

  async function save(tx: Transaction, payment: PaymentRow, { signature }: RecordedSale['card']): Promise<PaymentRow> {
    if ((await tx.run(insertPayment, payment)) === 0) throw new KeyTaken('the sale has its payment already');
    const { businessId, id, amountMinor, currency, paymentLinkId, terminalId, saleId, invoiceNumber } = payment;
    const by = { kind: 'terminal', terminalId: terminalId ?? '' } as const;
    const detail = { amountMinor, currency, terminalId, saleId, processorReference: payment.gatewayReference };
    events.announce(tx, {
      businessId,
      type: 'payment.recorded',
      paymentId: id,
      subjectId: id,
      by,
      payload: { ...detail, paymentLinkId, invoiceNumber, signature },
    });
    await audit.append(tx, {
      businessId,
      kind: 'payment_recorded',
      status: 'approved',
      by,
      paymentId: id,
      amountMinor,
      detail,
    });
    await options.onTaken(tx, payment);
    return (await endings.complete(tx, id, by)) ?? payment;
  }

  async function record(tx: Transaction, sale: RecordedSale): Promise<Result<PaymentRow, RecordedSaleRefusal>> {
    const { businessId, terminalId, saleId } = sale;
    const known = await tx.first(paymentBySale, { businessId, terminalId, saleId });
    if (known && isSame(known, sale)) return ok(known);
    if (known && isUndecided(known, sale))
      return ok(await options.unknown.approve(tx, known, approvalOf(sale), byOf(sale)));
    if (known) {
      if (known.gatewayReference !== sale.processorReference)
        await contradict(tx, known, sale, 'payment_approved_twice');
      return err({ kind: 'sale_differs' });
    }
    const saved = await save(tx, await paymentOf(tx, sale), sale.card);
    const business = await tx.first(businessById, { id: businessId });
    // The money has moved: what is wrong about it is for a person, and no reason to forget it.
    if (business?.currency !== sale.currency) await contradict(tx, saved, sale, 'sale_currency_differs');
    return ok(saved);
  }

  return sale =>
    readingAgain(() =>
      database.write(async tx => {
        const recorded = await record(tx, sale);
        const { businessId, readerSerial, takenAt } = sale;
        if (recorded.ok && readerSerial !== undefined)
          await options.onReaderSale(tx, { businessId, paymentId: recorded.value.id, readerSerial, takenAt });
        return recorded;
      }),
    );
}

function approvalOf({ processorReference, authorisationCode, card }: RecordedSale) {
  const message = 'The reader’s own processor approved it';
  return { kind: 'approved', gatewayReference: processorReference, authorisationCode, card, message } as const;
}

const byOf = ({ terminalId }: RecordedSale) => ({ kind: 'terminal', terminalId }) as const;

/** Its outcome was not known, or a person decided without knowing of this approval. */
function isUndecided({ authorisedBy, status, amountMinor, currency }: PaymentRow, sale: RecordedSale): boolean {
  const isOpen = status === 'pending' || status === 'failed';
  return authorisedBy === 'reader' && isOpen && amountMinor === sale.amountMinor && currency === sale.currency;
}

function isSame(known: PaymentRow, sale: RecordedSale): boolean {
  return (
    known.authorisedBy === 'reader' &&
    known.amountMinor === sale.amountMinor &&
    known.currency === sale.currency &&
    known.gatewayReference === sale.processorReference
  );
}
