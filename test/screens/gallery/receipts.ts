import { printNotice } from '@florin/device/core/printing/words.ts';
import type { View } from '@florin/device/ipc/view.ts';
import { aReturn, displaySettings, type Picture, type Printing, viewOf } from './picture.ts';

const possible = { state: 'possible', isCopy: false, notice: null } as const satisfies Printing;
function prints(): Record<string, Printing> {
  const words = displaySettings.words.printing;
  return {
    possible,
    printing: { ...possible, state: 'printing' },
    printed: { ...possible, state: 'printed', isCopy: true },
    'not-sent': {
      ...possible,
      state: 'not_sent',
      notice: printNotice('not_reached', { words, mayHavePrinted: false }),
    },
    'out-of-paper': {
      state: 'failed',
      isCopy: false,
      notice: printNotice('out_of_paper', { words, mayHavePrinted: false }),
    },
    'half-printed': {
      state: 'failed',
      isCopy: true,
      notice: printNotice('out_of_paper', { words, mayHavePrinted: true }),
    },
    'was-it-printed': {
      state: 'failed',
      isCopy: true,
      notice: printNotice('restarted', { words, mayHavePrinted: true }),
    },
  };
}

const ofKiosks = ['possible', 'printing', 'printed', 'out-of-paper'];

/** Results and details whose receipt is printed or shown large, from the pictures of those screens. */
export function receiptPictures(pictures: readonly Picture[]): Picture[] {
  const all = Object.entries(prints());
  const kiosks = all.filter(([name]) => ofKiosks.includes(name));
  const withPrints = (name: string, states: readonly (readonly [string, Printing])[]): Picture[] => {
    const { screen, header } = viewNamed(pictures, name);
    return states.map(([state, print]) => ({
      name: `${name}-print-${state}`,
      // The service that is not reached has its banner too.
      view: viewOf(screen, state === 'not-sent' ? { ...header, service: 'offline' } : header, print),
    }));
  };
  return [
    ...withPrints('sale-result-reader_confirmed', all),
    ...withPrints('sale-result-reader_gone', all.slice(0, 1)),
    ...withPrints('bitcoin-result-paid', all.slice(0, 1)),
    ...withPrints('return-result-refunded', all.slice(0, 1)),
    ...withPrints(
      'return-receipt-refund',
      all.filter(([name]) => ['possible', 'not-sent'].includes(name)),
    ),
    ...['', '-de', '-fr'].flatMap(language => withPrints(`kiosk-result-approved${language}`, kiosks)),
    ...withPrints('kiosk-result-approved-de-card-left', kiosks),
    ...[
      'sale-result-reader_confirmed',
      'return-result-refunded',
      'sale-detail-void',
      'kiosk-result-approved-de',
    ].flatMap(name => codeOf(name, viewNamed(pictures, name))),
    ...['sale-result-reader_confirmed', 'return-result-refunded', 'sale-detail-void'].flatMap(name =>
      emailsOf(name, viewNamed(pictures, name)),
    ),
  ];
}

/** The code of the receipt, large. */
function codeOf(name: string, view: View): Picture[] {
  return view.receipt === null
    ? []
    : [{ name: `${name}-code`, view: { ...view, receipt: { ...view.receipt, isCodeShown: true } } }];
}

/** Sent by e-mail, from the address to what became of it. */
function emailsOf(name: string, view: View): Picture[] {
  const words = displaySettings.words.receiptEmail;
  const states = {
    typing: { state: 'typing', notice: null },
    sending: { state: 'sending', notice: null },
    'not-reached': { state: 'typing', notice: words.notReached },
    'too-many': { state: 'typing', notice: words.tooMany },
    sent: { state: 'sent', notice: null },
  } as const;
  return Object.entries(states).map(([state, email]) => ({
    name: `${name}-email-${state}`,
    view: { ...view, receipt: view.receipt && { ...view.receipt, email } },
  }));
}

function viewNamed(pictures: readonly Picture[], wanted: string): View {
  const found = pictures.find(({ name }) => name === wanted);
  if (!found) throw new Error(`there is no picture ${wanted}`);
  const { screen, header } = found.view;
  if (screen.name !== 'return_result') return found.view;
  // A void or refund has a receipt of its own.
  const returns = [aReturn(0, { receipt: { url: 'https://pay.example/r/9zRkW2mTnV0aQ8wLx1yB5c' } })];
  return viewOf({ ...screen, sale: { ...screen.sale, returns } }, header);
}
