import type { SaleStage, Screen } from '../../ipc/view.ts';
import type { BitcoinWords } from '../customer/customer-messages.ts';
import type { StaffText } from './en.ts';

/** The texts of a bitcoin sale, with the reason if nothing can be paid yet. */
export function bitcoinWordsOf(
  { stage, problem, paymentUri, amountSats }: Extract<Screen, { name: 'bitcoin_sale' }>,
  words: BitcoinWords,
): BitcoinWords['stages']['requesting'] {
  const isOpen = stage === 'requesting' || stage === 'waiting';
  if (problem === 'not_reached') {
    const { noCodeYet, withdrawing, withdrawingShown } = words.offline;
    if (stage === 'requesting') return noCodeYet;
    if (stage === 'cancelling' || stage === 'leaving')
      return { title: words.stages[stage].title, detail: amountSats === null ? withdrawing : withdrawingShown };
  }
  return isOpen && paymentUri === null && problem !== null ? words.problems[problem] : words.stages[stage];
}

/** Before a card is presented, which could not be authorised without the service. */
export const waitsForCard: ReadonlySet<SaleStage> = new Set(['present_card', 'insert_card']);

/** While a payment is being checked only the core knows what may have happened. */
export function saleWordsOf(
  { stage, cancelling, cancellable, whyNotCancellable }: Extract<Screen, { name: 'sale' }>,
  text: StaffText,
  isOffline: boolean,
) {
  const words = stage === 'checking' && cancellable ? text.sale.unanswered : text.stages[stage];
  if (cancelling) return { ...words, detail: text.sale.cancellingDetail };
  if (isOffline && waitsForCard.has(stage)) return { ...text.sale.noCardYet, late: [] };
  if (isOffline && stage === 'authorising')
    return { title: text.stages.checking.title, detail: text.sale.unreachable, late: [] };
  return stage === 'checking' ? { ...words, detail: whyNotCancellable ?? words.detail } : words;
}

/** Without the service nobody waits for the bank: it is asked again once the connection is back. */
export function returnWordsOf(
  { stage, returning: { kind }, notice }: Extract<Screen, { name: 'return_progress' }>,
  { returnProgress: words }: StaffText,
  isOffline: boolean,
) {
  if (isOffline) return { title: words.checking[kind], detail: words.unreachable[kind], late: [] };
  const { late } = words;
  if (stage === 'checking')
    return { title: words.checking[kind], detail: notice?.detail ?? words.checkingDetail, late };
  return { title: kind === 'CANCEL' ? words.voiding : words.refunding, detail: words.sendingDetail, late };
}

/** What a screen reader announces when the screen changes by itself. */
export function announcement(screen: Screen, text: StaffText, isOffline: boolean): string {
  if (screen.name === 'sale') {
    const { title, detail } = saleWordsOf(screen, text, isOffline);
    return screen.cancelling ? text.sale.cancelling : `${title}. ${detail}`;
  }
  if (screen.name === 'bitcoin_sale') {
    const { title, detail } = bitcoinWordsOf(screen, text.bitcoin);
    return `${title}. ${detail}`;
  }
  if (screen.name === 'return_progress' && isOffline) {
    const { title, detail } = returnWordsOf(screen, text, isOffline);
    return `${title}. ${detail}`;
  }
  if (screen.name === 'return_progress' && screen.notice === null) {
    return screen.stage === 'checking' ? text.returnProgress.checking[screen.returning.kind] : '';
  }
  const notice = 'notice' in screen ? screen.notice : null;
  if (notice === null) return '';
  const end = /[.!?…]$/.test(notice.message) ? ' ' : '. ';
  return notice.detail === null ? notice.message : `${notice.message}${end}${notice.detail}`;
}
