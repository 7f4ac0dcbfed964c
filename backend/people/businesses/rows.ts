import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

export type BusinessRow = {
  id: string;
  name: string;
  /** The lines of its address, as a JSON array. */
  addressLinesJson: string;
  countryCode: string;
  currency: string;
  locale: string;
  timeZone: string;
  /** `#rrggbb`; null for the product's own colour. */
  accentColour: string | null;
  /** Printed below each receipt. */
  receiptFooter: string | null;
  passwordProtectRefundsAndVoids: Flag;
  /** Amounts that staff enter with one key, as a JSON array in the smallest unit. */
  quickAmountsJson: string;
  /** Staff confirm a sale of more than this; null: they confirm none. */
  confirmAboveMinor: number | null;
  playsSounds: Flag;
  saleReference: 'none' | 'note' | 'table_number';
  /** Tips that customers are offered on the reader, as a JSON array of percentages; empty: none. */
  tipPercentsJson: string;
  /** Whether it may create payment links. */
  paymentLinksEnabled: Flag;
  /** Whether customers are offered each method, where the business is set up for it. */
  takesCards: Flag;
  takesWallets: Flag;
  takesLightning: Flag;
  takesOnChain: Flag;
  createdAt: Instant;
};

/** The picture of a business on its pages and receipts. */
export type BusinessLogoRow = {
  businessId: string;
  /** SHA-256 (hex) of the content, under which pages load it. */
  hash: string;
  mediaType: 'image/png' | 'image/jpeg';
  contentBase64: string;
  widthPx: number;
  heightPx: number;
  changedAt: Instant;
};
