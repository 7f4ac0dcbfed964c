import encodeQr from 'qr';
import { type Row, rowsOf } from '../layout.ts';
import type { Paper } from '../printer.ts';
import type { PaperWidthMm } from '../receipt/encode.ts';

const pointsPerMm = 72 / 25.4;
const marginMm = 4;
const columns = 42;
/** Of a character of Courier, as a part of the font's size. */
const characterWidth = 0.6;
const rowHeight = 1.35;
const codeMm = 30;

type Placed = { readonly row: Row; readonly heightPoints: number };

/**
 * A paper as a PDF page of the paper's width, as long as it needs to be. Written here because it is so little: one of
 * the fonts that every PDF reader has, and rectangles for the code.
 */
export function pdfOf(paper: Paper, { widthMm }: { readonly widthMm: PaperWidthMm }): Buffer {
  const width = widthMm * pointsPerMm;
  const margin = marginMm * pointsPerMm;
  const size = (width - 2 * margin) / (columns * characterWidth);
  const placed = rowsOf(paper, columns).map((row): Placed => ({ row, heightPoints: heightOf(row, size) }));
  const height = placed.reduce((sum, { heightPoints }) => sum + heightPoints, 2 * margin);
  let y = height - margin;
  const drawn = placed.map(({ row, heightPoints }) => {
    y -= heightPoints;
    return drawnRow(row, { size, width, margin, y });
  });
  return documentOf({ width, height, content: drawn.filter(text => text !== '').join('\n') });
}

function heightOf(row: Row, size: number): number {
  if (row.kind === 'code') return codeMm * pointsPerMm + size;
  return size * rowHeight * (row.kind === 'text' && row.look === 'large' ? 2 : 1);
}

function drawnRow(row: Row, at: { size: number; width: number; margin: number; y: number }): string {
  const { size, width, margin, y } = at;
  switch (row.kind) {
    case 'space':
      return '';
    case 'rule':
      return `${margin} ${n(y + size / 2)} ${n(width - 2 * margin)} 0.5 re f`;
    case 'code':
      return drawnCode(row.text, { x: (width - codeMm * pointsPerMm) / 2, y: y + size / 2 });
    case 'text': {
      const fontSize = row.look === 'large' ? size * 2 : size;
      const taken = row.text.length * characterWidth * fontSize;
      const x = row.align === 'centre' ? (width - taken) / 2 : margin;
      const font = row.look === 'normal' ? 'F1' : 'F2';
      return `BT /${font} ${n(fontSize)} Tf ${n(x)} ${n(y + fontSize * 0.3)} Td <${winAnsi(row.text)}> Tj ET`;
    }
  }
}

function drawnCode(text: string, { x, y }: { x: number; y: number }): string {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 1 });
  const module = (codeMm * pointsPerMm) / rows.length;
  const squares = rows.flatMap((row, down) =>
    row.flatMap((isDark, across) =>
      isDark
        ? [`${n(x + across * module)} ${n(y + (rows.length - 1 - down) * module)} ${n(module)} ${n(module)} re`]
        : [],
    ),
  );
  return `${squares.join(' ')} f`;
}

/** The characters of WinAnsiEncoding from 0x80 on that are not those of Latin-1. */
const winAnsiExtras = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

function winAnsi(text: string): string {
  const bytes = Array.from(text, character => {
    const extra = character === ' ' ? -1 : winAnsiExtras.indexOf(character);
    const code = character.charCodeAt(0);
    return extra >= 0 ? 0x80 + extra : code < 0x100 ? code : 0x3f;
  });
  return Buffer.from(bytes).toString('hex');
}

function documentOf({ width, height, content }: { width: number; height: number; content: string }): Buffer {
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${n(width)} ${n(height)}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font('Courier'),
    font('Courier-Bold'),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + trailer, 'latin1');
}

/** A number as PDF writes it. */
function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
