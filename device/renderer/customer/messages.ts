import type { CustomerMessages } from './customer-messages.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';

const catalogue: Readonly<Record<string, CustomerMessages>> = { en, de, fr };

/** The first of these language tags that there are words for, or else English. */
export function messagesFor(...tags: readonly (string | null)[]): { language: string; messages: CustomerMessages } {
  for (const tag of tags) {
    const language = tag?.split('-')[0]?.toLowerCase() ?? '';
    const messages = Object.hasOwn(catalogue, language) ? catalogue[language] : undefined;
    if (messages) return { language, messages };
  }
  return { language: 'en', messages: en };
}
