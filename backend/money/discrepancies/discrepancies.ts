import { type Actor, actorReference, system } from '@florin/shared/actor.ts';
import type { DiscrepancyKind } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import { contestMinor, releaseContested } from '../payments/amounts-store.ts';
import type { DiscrepancyOutcome, StoredResolution } from './discrepancy.ts';
import type { DiscrepancyRow } from './rows.ts';
import { closeDiscrepancy, insertDiscrepancy, openDiscrepancies, recordReturned } from './store.ts';

export type NewDiscrepancy = {
  /** Default: a new one. */
  readonly id?: string;
  readonly businessId: string;
  /** Null where it is of no payment; its evidence then says what it is of. */
  readonly paymentId: string | null;
  readonly refundId?: string | null;
  readonly kind: DiscrepancyKind;
  /** Distinguishes evidence of one kind about the same record. */
  readonly evidence?: string;
  readonly recorded: Readonly<Record<string, unknown>>;
  readonly gateway: Readonly<Record<string, unknown>>;
  /**
   * An amount that may have been returned although our records say otherwise: held until the discrepancy is resolved.
   */
  readonly contestedMinor?: number;
};

export type Decision = {
  readonly outcome: DiscrepancyOutcome;
  readonly evidence: string;
  readonly by: Actor;
};

/** The only place that raises and closes discrepancies; the caller holds the payment's lock or has just changed it. */
export type Discrepancies = {
  /** Records it once per piece of evidence, emits an event and logs it. False if it was already recorded. */
  raise(tx: Transaction, discrepancy: NewDiscrepancy): Promise<boolean>;
  /** Records which side is right and releases or counts the contested amount; undefined if it was already closed. */
  close(tx: Transaction, row: DiscrepancyRow, decision: Decision): Promise<DiscrepancyRow | undefined>;
  /** Closes discrepancies that another change has resolved. */
  closeOpen(
    tx: Transaction,
    paymentId: string,
    kinds: readonly DiscrepancyKind[],
    outcome: DiscrepancyOutcome,
    evidence: string,
    by?: Actor,
  ): Promise<void>;
};

/**
 * Raises each discrepancy once by its evidence key. A contested amount is held against the payment from then until it
 * is closed.
 */
export function discrepancies(ports: { clock: Clock; ids: Ids; events: Events }): Discrepancies {
  const { clock, ids, events } = ports;

  async function close(tx: Transaction, row: DiscrepancyRow, { outcome, evidence, by }: Decision) {
    const resolution: StoredResolution = { outcome, evidence, by: actorReference(by) };
    const closed = await tx.first(closeDiscrepancy, {
      id: row.id,
      resolvedAt: clock.now(),
      resolutionJson: JSON.stringify(resolution),
    });
    if (!closed) return undefined;
    const { businessId, paymentId, refundId, kind, contestedMinor } = closed;
    if (paymentId !== null && contestedMinor > 0) {
      const returnedMinor = outcome === 'gateway_right' ? contestedMinor : 0;
      const released = await tx.run(releaseContested, { id: paymentId, contestedMinor, returnedMinor });
      if (released === 1 && returnedMinor > 0) await tx.run(recordReturned, { id: closed.id, returnedMinor });
    }
    events.announce(tx, {
      businessId,
      type: 'discrepancy.resolved',
      paymentId,
      subjectId: refundId ?? paymentId ?? closed.id,
      by,
      payload: { discrepancyId: closed.id, kind, paymentId, refundId, outcome, evidence },
    });
    return closed;
  }

  return {
    close,
    async raise(tx, { id = ids.next(idPrefixes.discrepancy), businessId, paymentId, refundId = null, ...found }) {
      const { kind, evidence, recorded, gateway, contestedMinor = 0 } = found;
      const subjectId = refundId ?? paymentId;
      const written = await tx.run(insertDiscrepancy, {
        id,
        businessId,
        paymentId,
        refundId,
        kind,
        evidenceKey: [subjectId ?? [], kind, evidence ?? []].flat().join(':'),
        recordedJson: JSON.stringify(recorded),
        gatewayJson: JSON.stringify(gateway),
        contestedMinor,
        returnedMinor: 0,
        createdAt: clock.now(),
        resolvedAt: null,
        resolutionJson: null,
      });
      if (written === 0) return false;
      if (paymentId !== null && contestedMinor > 0)
        await tx.run(contestMinor, { id: paymentId, amountMinor: contestedMinor });
      events.announce(tx, {
        businessId,
        type: 'discrepancy.found',
        paymentId,
        subjectId: subjectId ?? id,
        payload: { discrepancyId: id, kind, paymentId, refundId, recorded, gateway },
      });
      return true;
    },

    async closeOpen(tx, paymentId, kinds, outcome, evidence, by = system) {
      for (const row of await tx.all(openDiscrepancies, { paymentId }))
        if (kinds.includes(row.kind)) await close(tx, row, { outcome, evidence, by });
    },
  };
}
