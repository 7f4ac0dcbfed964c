import type { Paper, PaperBlock } from '../../printers/printer.ts';
import type { DisplaySettings } from '../words.ts';
import type { ReportSection } from './lines.ts';

const rule: PaperBlock = { kind: 'rule' };

/** An end-of-day report on paper, with the lines of the screen. */
export function dayReportPaper(
  sections: readonly ReportSection[],
  { businessName, words }: Pick<DisplaySettings, 'businessName' | 'words'>,
): Paper {
  return [
    { kind: 'text', text: businessName, align: 'centre', look: 'bold' },
    { kind: 'text', text: words.dayReport.title, align: 'centre', look: 'normal' },
    ...sections.flatMap(({ title, lines }): PaperBlock[] => [
      rule,
      ...(title === null ? [] : [{ kind: 'text', text: title, align: 'left', look: 'bold' } as const]),
      ...lines.map(({ label, value }): PaperBlock => ({ kind: 'fact', label, value })),
    ]),
  ];
}
