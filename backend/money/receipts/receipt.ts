import type { ReceiptFacts } from '@florin/shared/receipts/document.ts';
import type { Business } from '../../people/businesses/service.ts';

/** A receipt as it is now, with its business. */
export type Receipt = { readonly facts: ReceiptFacts; readonly business: Business };

export type EmailRefusal =
  | { readonly kind: 'receipt_not_found' }
  /** It went to as many addresses as it may. */
  | { readonly kind: 'too_many_addresses' }
  | { readonly kind: 'too_many_emails' };
