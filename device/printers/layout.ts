import type { Paper, PaperBlock } from './printer.ts';

/** A row of a paper with a fixed number of columns. */
export type Row =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly align: 'left' | 'centre';
      readonly look: 'normal' | 'bold' | 'large';
    }
  | Extract<PaperBlock, { kind: 'rule' | 'space' | 'code' }>;

/** Breaks a paper into rows of so many columns; a large character takes two. */
export function rowsOf(paper: Paper, columns: number): Row[] {
  return paper.flatMap(block => rowsOfBlock(block, columns));
}

function rowsOfBlock(block: PaperBlock, columns: number): Row[] {
  switch (block.kind) {
    case 'text': {
      const room = block.look === 'large' ? Math.floor(columns / 2) : columns;
      // An amount stays on one row: bold if it is too long to be large.
      const look = block.look === 'large' && printable(block.text).length > room ? 'bold' : block.look;
      return wrapped(block.text, look === 'large' ? room : columns).map(text => ({ ...block, text, look }));
    }
    case 'fact':
      return factRows(block, columns).map(text => ({ kind: 'text', text, align: 'left', look: 'normal' }));
    case 'rule':
    case 'space':
    case 'code':
      return [block];
  }
}

/** Label and value on one row, or the value at the end of the rows below. */
function factRows({ label, value }: { label: string; value: string }, columns: number): string[] {
  const [name, text] = [printable(label), printable(value)];
  const gap = columns - name.length - text.length;
  if (gap > 0) return [`${name}${' '.repeat(gap)}${text}`];
  return [...wrapped(name, columns), ...wrapped(text, columns).map(row => row.padStart(columns))];
}

/** Rows of whole words; a longer word is cut. */
function wrapped(text: string, columns: number): string[] {
  return printable(text)
    .split('\n')
    .flatMap(line => {
      const rows = [''];
      for (const word of line.split(/ +/).flatMap(each => pieces(each, columns))) {
        const last = rows.at(-1) ?? '';
        if (last === '') rows[rows.length - 1] = word;
        else if (last.length + 1 + word.length <= columns) rows[rows.length - 1] = `${last} ${word}`;
        else rows.push(word);
      }
      return rows;
    });
}

function pieces(word: string, columns: number): string[] {
  return word.length <= columns ? [word] : [word.slice(0, columns), ...pieces(word.slice(columns), columns)];
}

/** What the character tables of printers have: plain spaces, and no control characters but the end of a line. */
function printable(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll('•', '*')
    .replaceAll('−', '-')
    .replaceAll(/[\p{Zs}\t]/gu, ' ')
    .replaceAll(/[^\P{C}\n]/gu, '');
}
