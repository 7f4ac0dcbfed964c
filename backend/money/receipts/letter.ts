import { wordsIn } from '../../foundation/language.ts';
import type { Letter } from '../../foundation/mail.ts';
import { writtenReceipt } from './lines.ts';
import type { Receipt } from './receipt.ts';
import { receiptWords } from './words/words.ts';

/** The e-mail that a customer asked for, in the language of the page. */
export function receiptLetter({ facts, business }: Receipt, languages: readonly string[]): Letter {
  const chosen = wordsIn(receiptWords, languages, business.locale);
  const { words, language } = chosen;
  const { amount, worth, facts: lines, ids, returns, left, ofSale, meaning } = writtenReceipt(facts, chosen);
  const shown = worth === null ? amount : `${amount} (${worth})`;
  const since = returns.map(({ name, at, amount: returned }) => [`${name}, ${at}`, returned] as const);
  const mayBeRefunded = facts.kind === 'sale' && (facts.remainingSats ?? facts.remainingMinor) > 0;
  return {
    subject: words.letter.subject(business.name),
    language,
    paragraphs: [
      [business.name, ...facts.business.addressLines].join(', '),
      ...(ofSale === null ? [] : [ofSale]),
      ...(meaning === null ? [] : [meaning]),
      { title: words.titles[facts.kind], rows: [[words.facts.amount, shown], ...lines, ...ids] },
      ...(since.length === 0
        ? []
        : [{ title: words.returnsTitle, rows: [...since, [words.facts.left, left] as const] }]),
      ...(mayBeRefunded ? [words.letter.later] : []),
    ],
    action: { label: words.letter.open, url: facts.url },
    reason: words.letter.reason(business.name),
  };
}
