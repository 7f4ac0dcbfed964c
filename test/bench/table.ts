import { cpus, loadavg, totalmem } from 'node:os';
import { isMet, type Reading } from './bar.ts';

const heads = ['bar', 'goal', 'ratio', 'measured', 'ceiling', ''] as const;

/** The readings as a table, followed by the notes on single lines. */
export function tableOf(readings: readonly Reading[]): string {
  const rows = readings.map(reading => [
    reading.bar,
    reading.goal ? `${reading.goal.sign} ${reading.goal.value.toFixed(2)}` : '–',
    reading.ratio.toFixed(2),
    reading.measured,
    reading.ceiling,
    { true: 'met', false: 'NOT MET', undefined: '' }[String(isMet(reading)) as 'true' | 'false' | 'undefined'],
  ]);
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map(row => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const notes = readings.flatMap(({ bar, note }) => (note === undefined ? [] : [`${bar}: ${note}`]));
  return [
    line(heads),
    `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`,
    ...rows.map(line),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n');
}

/** Describes the machine and its load, which affects every figure. */
export function machineLine(loadBefore: number): string {
  const [processor] = cpus();
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  return (
    `${cpus().length} × ${processor?.model ?? 'unknown processor'}, ${memoryGb} GB, ${process.platform}, Node ${process.versions.node}; ` +
    `load ${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after`
  );
}
