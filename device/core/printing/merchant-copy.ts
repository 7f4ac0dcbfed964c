import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { formatMoney } from '@florin/shared/money.ts';
import type { Screen } from '../../ipc/view.ts';
import type { Paper, PaperBlock } from '../../printers/printer.ts';
import { receiptCopy } from '../sales/receipt-copy.ts';
import type { DisplaySettings } from '../words.ts';
import { subjectOf } from './subject.ts';

/** The copy of a receipt that its customer signs and the business keeps. */
export type MerchantCopy = {
  /** Of the receipt, which the customer gets. */
  readonly url: string;
  /** Under which its prints are stored. */
  readonly key: string;
  readonly sale: SaleRecord;
  /** Whether the reader asks for the signature now; a sale that is looked up later no longer tells. */
  readonly isAsked: boolean;
};

/** That of the sale on the screen; undefined where none is shown, or nothing is left of it. */
export function merchantCopyOf(screen: Screen): MerchantCopy | undefined {
  const subject = subjectOf(screen);
  const sale = screen.name === 'sale_result' || screen.name === 'sale_detail' ? screen.sale : null;
  if (!subject || sale === null || sale.remainingInCents === 0) return undefined;
  const isAsked = screen.name === 'sale_result' && screen.asksSignature;
  return { url: subject.url, key: `${subject.url}#merchant`, sale, isAsked };
}

/** On paper, with a line to sign on. It needs no service, and has the business's own language. */
export function merchantCopyPaper(
  sale: SaleRecord,
  { isCopy, settings }: { readonly isCopy: boolean; readonly settings: DisplaySettings },
): Paper {
  const { title, again, agree, signature } = settings.words.printing.merchantCopy;
  const { amountInCents: amountMinor, currency } = sale;
  return [
    centred(settings.businessName, 'bold'),
    space,
    centred(title),
    ...(isCopy ? [centred(`*** ${again.toUpperCase()} ***`, 'bold')] : []),
    space,
    centred(formatMoney({ amountMinor, currency }, settings.locale), 'large'),
    space,
    ...receiptCopy(sale, settings).map((line): PaperBlock => ({ kind: 'fact', ...line })),
    space,
    centred(agree),
    space,
    space,
    space,
    { kind: 'rule' },
    centred(signature),
  ];
}

const space: PaperBlock = { kind: 'space' };

function centred(text: string, look: 'normal' | 'bold' | 'large' = 'normal') {
  return { kind: 'text', text, align: 'centre', look } as const satisfies PaperBlock;
}
