import type { Notice } from '../../ipc/view.ts';
import type { CoreWords } from '../words.ts';

type Words = CoreWords['printing'];

/** Why a receipt was not printed, or may not have been: the printer, the service, or a restart. */
export type WhyNotPrinted = keyof Words['troubles'] | keyof Words['reasons'];

/** Why printing failed; `mayHavePrinted`: the paper may have come out nevertheless, or a part of it. */
export function printNotice(
  why: WhyNotPrinted,
  { words, mayHavePrinted }: { readonly words: Words; readonly mayHavePrinted: boolean },
): Notice {
  if (why in words.reasons) return words.reasons[why as keyof Words['reasons']];
  const { message, remedy } = words.troubles[why as keyof Words['troubles']];
  return { message, detail: mayHavePrinted ? words.mayHavePrinted(remedy) : words.printAgain(remedy) };
}
