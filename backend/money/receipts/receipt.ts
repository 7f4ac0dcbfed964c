import type { ReceiptFacts } from '@florin/shared/receipts/document.ts';
import type { Business } from '../../people/businesses/service.ts';

/** A receipt as it is now, with its business. */
export type Receipt = {
  readonly facts: ReceiptFacts;
  readonly business: Business;
  /** The language tag of the terminal sale, which its customer chose or software named; null without one. */
  readonly language: string | null;
};

/** The languages that a terminal's receipt may be written in, the preferred first: the one chosen there, then the sale's. */
export function languagesFor({ language }: Receipt, chosen: string | undefined): string[] {
  return [chosen, language].filter(tag => tag !== undefined && tag !== null);
}

export type EmailRefusal =
  | { readonly kind: 'receipt_not_found' }
  /** It went to as many addresses as it may. */
  | { readonly kind: 'too_many_addresses' }
  | { readonly kind: 'too_many_emails' };
