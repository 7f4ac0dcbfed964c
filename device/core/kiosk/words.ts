import type { Notice } from '../../ipc/view.ts';
import type { CoreWords } from '../words.ts';

/** The messages of the staff check for changing the mode, which moves no money. */
export function withoutMoney({ message, detail }: Notice, { modes, noMoneyMoved, notices }: CoreWords): Notice {
  if (message === notices.notReached.message) return modes.notReached;
  const rest = detail?.replace(noMoneyMoved, '').replaceAll(/ {2,}/g, ' ').trim() ?? '';
  return { message, detail: rest === '' ? null : rest };
}
