import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder';
import { rowsOf } from '../layout.ts';
import type { Paper } from '../printer.ts';

export const printerLanguages = ['esc-pos', 'star-prnt'] as const;
export type PrinterLanguage = (typeof printerLanguages)[number];

export const paperWidthsMm = [80, 58] as const;
export type PaperWidthMm = (typeof paperWidthsMm)[number];

/** Those that printers of all makes have under the same number. */
const characterTables = ['cp437', 'cp858', 'cp852', 'cp866', 'windows1252'] as const;
/** The least that printers of this width have in their usual font. */
const columnsOf: Readonly<Record<PaperWidthMm, 42 | 32>> = { 80: 42, 58: 32 };
/** From the print head to the knife. */
const rowsBeforeCut = 4;
const codeModuleDots = 6;

/** The bytes that print a paper and cut it. */
export function encodedPaper(
  paper: Paper,
  { language, widthMm }: { readonly language: PrinterLanguage; readonly widthMm: PaperWidthMm },
): Uint8Array {
  const columns = columnsOf[widthMm];
  // Without `autoFlush`, which switches Star printers to page mode at the end: the cut does that too.
  const encoder = new ReceiptPrinterEncoder({
    language,
    columns,
    feedBeforeCut: rowsBeforeCut,
    newline: '\n',
    codepageCandidates: [...characterTables],
    autoFlush: false,
  });
  encoder.initialize().codepage('auto');
  for (const row of rowsOf(paper, columns)) {
    switch (row.kind) {
      case 'text': {
        const size = row.look === 'large' ? 2 : 1;
        encoder
          .align(row.align === 'centre' ? 'center' : 'left')
          .bold(row.look !== 'normal')
          .size(size, size)
          .text(row.text)
          .bold(false)
          .size(1, 1)
          .newline();
        break;
      }
      case 'rule':
        encoder.align('left').rule();
        break;
      case 'space':
        encoder.newline();
        break;
      case 'code':
        encoder.align('center').qrcode(row.text, { size: codeModuleDots, errorlevel: 'm' }).align('left');
        break;
    }
  }
  return encoder.cut('partial').encode();
}
