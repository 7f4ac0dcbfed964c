import type { CardGatewaySandbox } from '@florin/backend/programs/sandbox/card-gateway/server.ts';
import type { Operation } from './operations.ts';
import type { DatabaseRecords } from './records.ts';

/** The step of an operation that the kill hit, derived from the database, the gateway and the caller. */
export const phases = [
  'before reserve committed',
  'reserved, not sent',
  'sent, not applied',
  'applied, not replied',
  'replied, not settled',
  'settled, not answered',
  'answered',
] as const;
export type Phase = (typeof phases)[number];

type Traces = {
  readonly records: DatabaseRecords;
  readonly gateway: ReturnType<CardGatewaySandbox['control']['transactions']>;
  readonly sent: ReadonlyMap<string, number>;
  readonly replied: ReadonlySet<string>;
};

export function phaseOf(operation: Operation, traces: Traces): Phase {
  if (operation.answers.length > 0) return 'answered';
  const [row] = operation.rowsIn(traces.records);
  if (!row) return 'before reserve committed';
  if (row.status !== 'pending') return 'settled, not answered';
  const reference = row.uniqueReference ?? '';
  if (!traces.sent.has(reference)) return 'reserved, not sent';
  if (traces.replied.has(reference)) return 'replied, not settled';
  return wasApplied(row.id, reference, traces) ? 'applied, not replied' : 'sent, not applied';
}

function wasApplied(id: string, reference: string, { records, gateway }: Traces): boolean {
  const refund = records.refunds.find(row => row.id === id);
  if (refund?.kind !== 'CANCEL') return gateway.some(({ transactionUnique }) => transactionUnique === reference);
  const payment = records.payments.find(row => row.id === refund.paymentId);
  return gateway.some(({ xref, state }) => xref === payment?.gatewayReference && state === 'canceled');
}

/** How often each step was hit, for refunds and sales separately. */
export class PhaseTable {
  readonly #counts = new Map<string, number>();

  add(operation: Operation, phase: Phase): void {
    const key = `${operation.kind === 'sale' ? 'sale' : 'refund'} ${phase}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  count(what: 'refund' | 'sale', phase: Phase): number {
    return this.#counts.get(`${what} ${phase}`) ?? 0;
  }

  /** The steps of a refund that no kill hit. */
  missed(): Phase[] {
    return phases.filter(phase => this.count('refund', phase) === 0);
  }

  inLines(): string {
    const cell = (value: string | number) => String(value).padStart(9);
    const lines = phases.map(
      phase => `  ${phase.padEnd(26)}${cell(this.count('refund', phase))}${cell(this.count('sale', phase))}`,
    );
    return [`  ${'the kill came'.padEnd(26)}${cell('refunds')}${cell('sales')}`, ...lines].join('\n');
  }
}
