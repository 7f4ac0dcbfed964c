import type { PrintableReceipt } from '@florin/shared/contracts/device-v1/receipts.ts';
import { wordsIn } from '../../foundation/language.ts';
import { writtenReceipt } from './lines.ts';
import type { Receipt } from './receipt.ts';
import { receiptWords } from './words/words.ts';

/** The receipt as a terminal prints it, in the first of these languages that there are words in. */
export function printableReceipt({ facts, business }: Receipt, languages: readonly string[]): PrintableReceipt {
  const chosen = wordsIn(receiptWords, languages, business.locale);
  const written = writtenReceipt(facts, chosen);
  const { words, returns, left } = written;
  return {
    url: facts.url,
    language: chosen.language,
    title: words.titles[facts.kind],
    name: business.name,
    addressLines: [...facts.business.addressLines],
    amount: written.amount,
    worth: written.worth,
    ofSale: written.ofSale,
    meaning: written.meaning,
    lines: written.facts.map(labelled),
    returns:
      returns.length === 0
        ? null
        : {
            title: words.returnsTitle,
            lines: [
              ...returns.map(({ name, at, amount }) => labelled([`${name}, ${at}`, amount])),
              labelled([words.facts.left, left]),
            ],
          },
    footer: business.receiptFooter,
    ...words.paper,
  };
}

const labelled = ([label, value]: readonly [string, string]) => ({ label, value });
