import { emailTerminalReceipt, getPrintableReceipt } from '@florin/shared/contracts/device-v1/receipts.ts';
import { getReceiptDocument, getReceiptKeys } from '@florin/shared/contracts/receipts.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { type Route, respond, respondFile, route } from '../../foundation/http/route.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { timestamp, timestampOf } from '../payments/payment.ts';
import type { ReceiptKeys } from './keys.ts';
import { printableReceipt } from './printable.ts';
import { languagesFor } from './receipt.ts';
import type { ReceiptKeyRow } from './rows.ts';
import type { ReceiptService } from './service.ts';

/** The signed document of a receipt and the keys to check it with, and what terminals print. */
export function receiptRoutes({
  receipts,
  keys,
  businesses,
  sendsEmails,
}: {
  readonly receipts: Pick<ReceiptService, 'find' | 'signed' | 'sendTo'>;
  readonly keys: Pick<ReceiptKeys, 'all'>;
  readonly businesses: Pick<BusinessService, 'find'>;
  /** Whether the service has a mail server. */
  readonly sendsEmails: boolean;
}): Route[] {
  return [
    route(getReceiptDocument, async ({ params }) => {
      const document = await receipts.signed(params.token);
      if (!document) return errorBy(problems, { kind: 'receipt_not_found' });
      const content = Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
      return respondFile(200, content, `receipt-${document.invoiceNumber}.json`);
    }),

    route(getPrintableReceipt, async ({ caller, params, query }) => {
      const receipt = await receipts.find(params.token);
      if (receipt?.business.id !== caller.businessId) return errorBy(problems, { kind: 'receipt_not_found' });
      return respond(200, printableReceipt(receipt, languagesFor(receipt, query.language)));
    }),

    route(emailTerminalReceipt, async ({ caller, params, body: { address, language } }) => {
      if (!sendsEmails) return errorBy(problems, { kind: 'email_not_available' });
      const receipt = await receipts.find(params.token);
      if (receipt?.business.id !== caller.businessId) return errorBy(problems, { kind: 'receipt_not_found' });
      const sent = await receipts.sendTo(params.token, { address, languages: languagesFor(receipt, language) });
      return sent.ok ? respond(200, { address }) : errorBy(problems, sent.refusal);
    }),

    route(getReceiptKeys, async ({ params: { businessId } }) => {
      const business = await businesses.find(businessId);
      if (!business) return errorBy(problems, { kind: 'business_not_found' });
      const published = (await keys.all(businessId)).map(publishedKey);
      return respond(200, { businessId, name: business.name, keys: published });
    }),
  ];
}

function publishedKey({ id, publicKey, createdAt, retiredAt }: ReceiptKeyRow) {
  const times = { createdAt: timestamp(createdAt), retiredAt: timestampOf(retiredAt) };
  return { id, algorithm: 'Ed25519', publicKey, ...times } as const;
}

const problems = {
  receipt_not_found: { status: 404, message: 'There is no such receipt' },
  business_not_found: { status: 404, message: 'There is no such business' },
  email_not_available: { status: 409, message: 'This service sends no e-mails' },
  too_many_addresses: { status: 409, message: 'This receipt was sent to as many addresses as it may be sent to' },
  too_many_emails: { status: 409, message: 'This receipt was sent as often as it may be sent in a day' },
} as const satisfies ProblemTable;
