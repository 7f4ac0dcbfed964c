import type { CustomerMessages } from './customer-messages.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';

const catalogue: Readonly<Record<string, CustomerMessages>> = { en, de, fr };

/** The messages of the first supported language tag, otherwise English. */
export function messagesFor(...tags: readonly (string | null)[]): { language: string; messages: CustomerMessages } {
  for (const tag of tags) {
    const language = tag?.split('-')[0]?.toLowerCase() ?? '';
    const messages = Object.hasOwn(catalogue, language) ? catalogue[language] : undefined;
    if (messages) return { language, messages };
  }
  return { language: 'en', messages: en };
}

/** A receipt's lines in the customer's language; other text is unchanged. */
export function receiptIn(
  { receiptWords }: Pick<CustomerMessages, 'receiptWords'>,
  lines: readonly { readonly label: string; readonly value: string }[],
): { label: string; value: string }[] {
  const words: Readonly<Record<string, string>> = receiptWords;
  const translated = (text: string) => (Object.hasOwn(words, text) ? (words[text] ?? text) : text);
  // Only the entry mode is translated: a business may be named like one.
  return lines.map(({ label, value }) => ({
    label: translated(label),
    value: label === 'Entry' ? translated(value) : value,
  }));
}
