import type { CellReport } from './cell.ts';
import type { Outcome } from './judge.ts';
import type { Operation } from './people.ts';

const columns = ['moved', 'not_moved', 'open', 'disagrees'] as const satisfies readonly Outcome[];
const titles: Readonly<Record<Operation, readonly string[]>> = {
  sale: ['paid', 'not paid', 'open', 'DISAGREES'],
  void: ['returned', 'not', 'open', 'DISAGREES'],
  refund: ['returned', 'not', 'open', 'DISAGREES'],
};
const faultWidth = 16;
const width = 10;

/** The outcomes by operation and fault, with a group of columns for each protocol. */
export function tableOf(reports: readonly CellReport[]): string {
  const protocols = unique(reports.map(({ cell }) => cell.protocol));
  const lines: string[] = [];
  for (const operation of unique(reports.map(({ cell }) => cell.operation))) {
    const own = reports.filter(({ cell }) => cell.operation === operation);
    const groups = protocols.map(
      protocol =>
        `${protocol}: steps`.padStart(width + 2) + titles[operation].map(title => title.padStart(width)).join(''),
    );
    lines.push('', [operation.toUpperCase().padEnd(faultWidth), ...groups].join(' │'));
    for (const fault of unique(own.map(({ cell }) => cell.fault))) {
      const counts = protocols.map(protocol =>
        countsOf(own.filter(({ cell }) => cell.fault === fault && cell.protocol === protocol)),
      );
      lines.push([fault.padEnd(faultWidth), ...counts].join(' │'));
    }
  }
  return lines.join('\n');
}

function countsOf(reports: readonly CellReport[]): string {
  const count = (outcome: Outcome) => reports.filter(report => report.outcome === outcome).length;
  const cells = [reports.length, ...columns.map(count)];
  return cells
    .map((number, index) => (number === 0 ? '·' : String(number)).padStart(index === 0 ? width + 2 : width))
    .join('');
}

function unique<Value extends string>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
