import { z } from 'zod';
import { contract } from '../contract.ts';
import { emailAddress } from '../portal/people.ts';
import { receiptToken } from '../receipts.ts';
import { json } from '../responses.ts';
import { oneLine } from '../text.ts';

const line = z.object({ label: z.string(), value: z.string() });

/** What a receipt says on paper, in one language; amounts and times are formatted. */
export const printableReceipt = z
  .object({
    url: z.string(),
    language: z.string(),
    title: z.string(),
    /** Of the business. */
    name: z.string(),
    addressLines: z.array(z.string()),
    amount: z.string(),
    /** Of an amount in bitcoin, in the currency of the business; otherwise null. */
    worth: z.string().nullable(),
    /** Of a void or refund: the sale that it belongs to. */
    ofSale: z.string().nullable(),
    /** Of a void: what it means for the customer's card. */
    meaning: z.string().nullable(),
    lines: z.array(line),
    /** What was returned of a sale since, and what is left; null if nothing was. */
    returns: z.object({ title: z.string(), lines: z.array(line) }).nullable(),
    footer: z.string().nullable(),
    /** Above the code that leads to the receipt's page. */
    scan: z.string(),
    /** Marks a receipt that was printed before. */
    copy: z.string(),
  })
  .meta({ id: 'PrintableReceipt' });
export type PrintableReceipt = z.infer<typeof printableReceipt>;

const customerLanguageTag = oneLine(35)
  .optional()
  .meta({ description: 'The customer’s; otherwise that of the sale, then that of the business', example: 'en-GB' });

export const getPrintableReceipt = contract({
  name: 'getPrintableReceipt',
  method: 'GET',
  path: '/device/v1/receipts/{token}',
  authentication: ['deviceToken'],
  summary: 'Read a receipt of this business as it is printed',
  description: 'A receipt appears a moment after its payment or refund: 404 until then.',
  tag: 'Receipts',
  params: z.object({ token: receiptToken }),
  query: z.object({ language: customerLanguageTag }),
  responses: { 200: json(printableReceipt) },
  errors: { 404: ['receipt_not_found'] },
  origin: 'project',
});

export const emailTerminalReceipt = contract({
  name: 'emailTerminalReceipt',
  method: 'POST',
  path: '/device/v1/receipts/{token}/email',
  authentication: ['deviceToken'],
  summary: 'Send a receipt of this business to an address that was typed for it',
  description:
    'The address is stored with the receipt and used for nothing else. Sent again to the same address within a minute, it is sent once.',
  tag: 'Receipts',
  params: z.object({ token: receiptToken }),
  body: z.object({ address: emailAddress, language: customerLanguageTag }),
  responses: { 200: json(z.object({ address: emailAddress })) },
  errors: { 404: ['receipt_not_found'], 409: ['email_not_available', 'too_many_addresses', 'too_many_emails'] },
  origin: 'project',
});
