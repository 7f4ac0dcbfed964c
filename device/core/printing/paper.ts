import type { PrintableReceipt } from '@florin/shared/contracts/device-v1/receipts.ts';
import type { Paper, PaperBlock } from '../../printers/printer.ts';

/** A receipt on paper; the service wrote its words. */
export function paperOf(receipt: PrintableReceipt, { isCopy }: { readonly isCopy: boolean }): Paper {
  const { returns } = receipt;
  return [
    centred(receipt.name, 'bold'),
    ...receipt.addressLines.map(line => centred(line)),
    space,
    centred(receipt.title),
    ...(isCopy ? [centred(`*** ${receipt.copy.toUpperCase()} ***`, 'bold')] : []),
    space,
    centred(receipt.amount, 'large'),
    ...(receipt.worth === null ? [] : [centred(receipt.worth)]),
    ...(receipt.ofSale === null ? [] : [centred(receipt.ofSale)]),
    ...(receipt.meaning === null ? [] : [space, centred(receipt.meaning)]),
    space,
    ...receipt.lines.map(fact),
    ...(returns === null ? [] : [rule, { ...centred(returns.title, 'bold'), align: 'left' as const }]),
    ...(returns?.lines ?? []).map(fact),
    rule,
    centred(receipt.scan),
    { kind: 'code', text: receipt.url },
    ...(receipt.footer === null ? [] : [space, centred(receipt.footer)]),
  ];
}

const space: PaperBlock = { kind: 'space' };
const rule: PaperBlock = { kind: 'rule' };

function centred(text: string, look: 'normal' | 'bold' | 'large' = 'normal') {
  return { kind: 'text', text, align: 'centre', look } as const satisfies PaperBlock;
}

const fact = (line: { readonly label: string; readonly value: string }): PaperBlock => ({ kind: 'fact', ...line });
