import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { receiptFormat, receiptText, type SignedReceipt } from '@florin/shared/receipts/document.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { z } from 'zod';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { SendLetter } from '../../foundation/mail.ts';
import { secretHash } from '../../foundation/secret.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { timestamp } from '../payments/payment.ts';
import { type PaymentView, viewById } from '../payments/views-store.ts';
import { terminalRequestIdOf } from '../refunds/refund.ts';
import { refundById } from '../refunds/store.ts';
import type { ReceiptAddresses } from './address.ts';
import { factsOf } from './facts.ts';
import type { ReceiptKeys } from './keys.ts';
import { receiptLetter } from './letter.ts';
import type { EmailRefusal, Receipt } from './receipt.ts';
import type { ReceiptRow } from './rows.ts';
import {
  emailsOfReceipt,
  insertReceiptEmail,
  receiptByToken,
  receiptForUpdate,
  requestOfSale,
  returnedByCorrection,
  returnedByLoss,
  returnedByRefund,
} from './store.ts';

export type ReceiptService = {
  /** By the token in its address; undefined for any other. */
  find(token: string): Promise<Receipt | undefined>;
  /** The receipt as it is now, signed. */
  signed(token: string): Promise<SignedReceipt | undefined>;
  /** Sends the receipt to an address that was typed for it, and stores the address with it. */
  sendTo(
    token: string,
    to: { readonly address: string; readonly languages: readonly string[] },
  ): Promise<Result<undefined, EmailRefusal>>;
};

const mostAddresses = 3;
const mostEmailsPerDay = 5;
const dayMs = 24 * 60 * 60_000;
/** A form that is sent again within this time, such as by a second click, sends nothing more. */
const repeatedWithinMs = 60_000;

/** Receipts of sales, voids and refunds for those who have their address. */
export function receiptService(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly businesses: Pick<BusinessService, 'find'>;
  readonly addresses: ReceiptAddresses;
  readonly keys: Pick<ReceiptKeys, 'current'>;
  readonly sendLetter: SendLetter;
}): ReceiptService {
  const { database, clock, ids, businesses, addresses, keys, sendLetter } = options;

  async function find(token: string): Promise<Receipt | undefined> {
    const receipt = await database.first(receiptByToken, { tokenHash: secretHash(token) });
    if (!receipt) return undefined;
    const { businessId, subjectId } = receipt;
    const refund = subjectId.startsWith(`${idPrefixes.refund}_`)
      ? await database.first(refundById, { id: subjectId, businessId })
      : undefined;
    const paymentId = refund?.paymentId ?? subjectId;
    const [business, payment] = await Promise.all([
      businesses.find(businessId),
      database.first(viewById, { businessId, id: paymentId }),
    ]);
    if (!business || !payment) return undefined;
    const reads = returnsToRead(payment).map(each => database.all(each, { paymentId }));
    const returned = (await Promise.all(reads)).flat();
    const requestOf = async (saleId: string | null) =>
      saleId === null ? undefined : database.first(requestOfSale, { businessId, saleId });
    const sale = await requestOf(payment.saleId);
    // Software that asked a terminal for the refund may have named another language.
    const own = refund && (await requestOf(terminalRequestIdOf(refund)));
    const reference = payment.reference ?? sale?.reference ?? payment.linkReference;
    return {
      facts: factsOf({ receipt, business, payment, refund, returned, reference }, addresses),
      business,
      language: languageIn(own) ?? languageIn(sale),
    };
  }

  /** Whether this address may get it now; `sent` if it just did. */
  async function mayGetIt(tx: Transaction, { id }: ReceiptRow, addressKey: string) {
    const earlier = await tx.all(emailsOfReceipt, { receiptId: id });
    const now = clock.now();
    if (earlier.some(each => each.addressKey === addressKey && each.sentAt > now - repeatedWithinMs)) return ok('sent');
    const known = new Set(earlier.map(each => each.addressKey));
    if (!known.has(addressKey) && known.size >= mostAddresses) return err({ kind: 'too_many_addresses' } as const);
    const today = earlier.filter(({ sentAt }) => sentAt > now - dayMs);
    return today.length >= mostEmailsPerDay ? err({ kind: 'too_many_emails' } as const) : ok('send');
  }

  return {
    find,

    async signed(token) {
      const found = await find(token);
      if (!found) return undefined;
      const key = await keys.current(found.business.id);
      const document = {
        format: receiptFormat as typeof receiptFormat,
        ...found.facts,
        issuedAt: timestamp(clock.now()),
        keyId: key.id,
      };
      return { ...document, signature: key.sign(receiptText(document)) };
    },

    async sendTo(token, { address, languages }) {
      const found = await find(token);
      if (!found) return err({ kind: 'receipt_not_found' });
      const letter = receiptLetter(found, languages);
      const addressKey = address.toLowerCase();
      return database.write(async tx => {
        const receipt = await tx.first(receiptForUpdate, { tokenHash: secretHash(token) });
        if (!receipt) return err({ kind: 'receipt_not_found' });
        const may = await mayGetIt(tx, receipt, addressKey);
        if (!may.ok) return may;
        if (may.value === 'sent') return ok(undefined);
        const id = ids.next(idPrefixes.receiptEmail);
        await tx.run(insertReceiptEmail, { id, receiptId: receipt.id, address, addressKey, sentAt: clock.now() });
        // Of no business: an address that does not exist is the customer's mistake, and not a problem of the shop.
        sendLetter(tx, { businessId: null, recipient: address, letter });
        return ok(undefined);
      });
    },
  };
}

const named = z.object({ language: z.string().nullable() });

/** The language tag that the customer chose, or software named; null if neither did, or long ago. */
function languageIn(request: { readonly commandJson: string | null } | undefined): string | null {
  return request?.commandJson ? named.parse(JSON.parse(request.commandJson)).language : null;
}

/** Most payments were not returned, so nothing is read; corrections, which have no index by payment, are rare. */
function returnsToRead({ refundedMinor, creditedMinor, refundedSats, voidedOrRejectedAt }: PaymentView) {
  return [
    ...(voidedOrRejectedAt === null ? [] : [returnedByLoss]),
    ...(refundedMinor + creditedMinor + refundedSats === 0 ? [] : [returnedByRefund]),
    ...(creditedMinor === 0 ? [] : [returnedByCorrection]),
  ];
}
