import type { CustomerLanguage } from '@florin/shared/languages.ts';
import type { Transaction } from './database/database.ts';

/** Facts about one thing, one below the other. */
export type LetterTable = {
  readonly title?: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
  /** Whether the values are figures, which stand below each other at the right. */
  readonly isOfFigures?: boolean;
};

/** The words of an e-mail. */
export type LetterWords = {
  readonly subject: string;
  readonly paragraphs: readonly (string | LetterTable)[];
  /** The page concerned. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Why it was sent, in small print. */
  readonly reason?: string;
};

/** What an e-mail says, in one language: of the portal to a business's people, otherwise of customers. */
export type Letter<Spoken extends CustomerLanguage = CustomerLanguage> = LetterWords & { readonly language: Spoken };

/** Queues an e-mail to one person; it is sent once the transaction is committed. */
export type SendLetter = (
  tx: Transaction,
  mail: { readonly businessId: string | null; readonly recipient: string; readonly letter: Letter },
) => void;
