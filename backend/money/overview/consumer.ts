import type { Transaction } from '../../foundation/database/database.ts';
import type { EventType } from '../../foundation/events/catalogue.ts';
import { allBut, type EventConsumer } from '../../foundation/events/dispatcher.ts';
import type { DomainEvent } from '../../foundation/events/event.ts';
import type { PaymentMethod } from '../payments/rows.ts';
import type { MovementRecord } from '../transactions/movements-store.ts';
import type { MoneyTotalRow, Rail } from './rows.ts';
import { addToTotals, type CountedMovement, movementsByRecord, quarterHourMs } from './store.ts';

type MovedRecord = { readonly kind: MovementRecord; readonly id: string };

const ofPayment = ({ subjectId: id }: DomainEvent): MovedRecord => ({ kind: 'payment', id });
const ofLoss = ({ subjectId: id }: DomainEvent): MovedRecord => ({ kind: 'loss', id });
const ofRefund = ({ subjectId: id }: DomainEvent): MovedRecord => ({ kind: 'refund', id });

/** The events that make a movement of money true, with its record: each line of the transactions list has exactly one. */
const movedRecords: { readonly [Type in EventType]?: (event: Extract<DomainEvent, { type: Type }>) => MovedRecord } = {
  'payment.approved': ofPayment,
  'payment.recorded': ofPayment,
  'bitcoin.received': ofPayment,
  'payment.voided_elsewhere': ofLoss,
  'payment.settlement_rejected': ofLoss,
  'refund.approved': event =>
    event.payload.kind === 'CANCEL' ? { kind: 'loss', id: event.payload.paymentId } : ofRefund(event),
  'refund.recorded': ofRefund,
  'discrepancy.resolved': ({ payload }) => ({ kind: 'correction', id: payload.discrepancyId }),
};
export const movingEvents = Object.keys(movedRecords) as EventType[];

export const railOf: Readonly<Record<PaymentMethod, Rail>> = {
  card: 'card',
  apple_pay: 'wallet',
  google_pay: 'wallet',
  lightning: 'lightning',
  onchain: 'onchain',
};

/**
 * Adds each movement of money to the totals of its quarter of an hour, once. A movement never changes, so it does not
 * matter how much later it is counted. On a database that had payments before, it starts with the first event.
 */
export const totalsConsumer: EventConsumer = {
  name: 'money-totals',
  ignores: allBut(...movingEvents),
  mayWait: true,
  async handle(tx, event) {
    const record = recordOf(event);
    const movement = record && (await tx.first(movementsByRecord[record.kind], { id: record.id }));
    if (movement) await add(tx, event, movement);
  },
};

function recordOf(event: DomainEvent): MovedRecord | undefined {
  const movedRecord = movedRecords[event.type] as ((event: DomainEvent) => MovedRecord) | undefined;
  return movedRecord?.(event);
}

const nothing = {
  takenMinor: 0,
  takenCount: 0,
  voidedMinor: 0,
  voidedCount: 0,
  rejectedMinor: 0,
  rejectedCount: 0,
  returnedMinor: 0,
  returnedCount: 0,
  tipMinor: 0,
  tipCount: 0,
};

async function add(tx: Transaction, event: DomainEvent, movement: CountedMovement): Promise<void> {
  const { effect, at, currency, method, tipMinor, tipCount } = movement;
  const row: MoneyTotalRow = {
    ...nothing,
    businessId: event.businessId,
    quarterHour: Math.floor(at / quarterHourMs),
    rail: railOf[method],
    currency,
    [`${effect}Minor`]: Math.abs(movement.amountMinor),
    [`${effect}Count`]: 1,
    tipMinor,
    tipCount,
  };
  await tx.run(addToTotals, row);
}
