import type { EventType } from '../../foundation/events/catalogue.ts';
import { allBut, type EventConsumer } from '../../foundation/events/dispatcher.ts';
import type { DomainEvent } from '../../foundation/events/event.ts';
import type { PaymentMethod } from '../payments/rows.ts';
import type { MovementRecord } from '../transactions/movements-store.ts';
import type { MoneyTotalRow, Rail } from './rows.ts';
import { addToTotals, type CountedMovement, movementsByRecord, quarterHourMs } from './store.ts';

type MovedRecord = { readonly record: MovementRecord; readonly id: string };

const ofPayment = ({ subjectId: id }: DomainEvent): MovedRecord => ({ record: 'payment', id });
const ofLoss = ({ subjectId: id }: DomainEvent): MovedRecord => ({ record: 'loss', id });
const ofRefund = ({ subjectId: id }: DomainEvent): MovedRecord => ({ record: 'refund', id });

/** The events that make a movement of money true, with its record: each line of the transactions list has exactly one. */
const movedRecords: { readonly [Type in EventType]?: (event: Extract<DomainEvent, { type: Type }>) => MovedRecord } = {
  'payment.approved': ofPayment,
  'payment.recorded': ofPayment,
  'bitcoin.received': ofPayment,
  'payment.voided_elsewhere': ofLoss,
  'payment.settlement_rejected': ofLoss,
  'refund.approved': event =>
    event.payload.kind === 'CANCEL' ? { record: 'loss', id: event.payload.paymentId } : ofRefund(event),
  'refund.recorded': ofRefund,
  'discrepancy.resolved': ({ payload }) => ({ record: 'correction', id: payload.discrepancyId }),
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
  async handleTogether(tx, events) {
    const moved = events.map(recordOf).filter(record => record !== undefined);
    const totals = new Map<string, MoneyTotalRow>();
    for (const [record, ofKind] of Map.groupBy(moved, ({ record }) => record)) {
      const idsJson = JSON.stringify(ofKind.map(({ id }) => id));
      for (const movement of await tx.all(movementsByRecord[record], { idsJson })) addTo(totals, movement);
    }
    for (const row of totals.values()) await tx.run(addToTotals, row);
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

/** Adds a movement to the totals of its quarter of an hour. */
function addTo(totals: Map<string, MoneyTotalRow>, movement: CountedMovement): void {
  const { businessId, effect, at, currency, method, tipMinor, tipCount } = movement;
  const quarterHour = Math.floor(at / quarterHourMs);
  const rail = railOf[method];
  const key = [businessId, quarterHour, rail, currency].join();
  const before = totals.get(key) ?? { ...nothing, businessId, quarterHour, rail, currency };
  totals.set(key, {
    ...before,
    [`${effect}Minor`]: before[`${effect}Minor`] + Math.abs(movement.amountMinor),
    [`${effect}Count`]: before[`${effect}Count`] + 1,
    tipMinor: before.tipMinor + tipMinor,
    tipCount: before.tipCount + tipCount,
  });
}
