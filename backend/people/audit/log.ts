import { type Actor, actorColumns, actorReference } from '@florin/shared/actor.ts';
import type { Clock, Ids, Instant, Log } from '@florin/shared/ports.ts';
import { idPrefixes } from '@florin/shared/ports.ts';
import { afterCommit } from '../../foundation/database/after-commit.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import { genesisHash, hashOf } from './chain.ts';
import type { AuditEntryRow, AuditKind } from './rows.ts';
import { brokenSeal, type ChainHead, type HeadSeal, type SealState } from './seal.ts';
import { chainHeadForUpdate, insertChainHead, insertEntry, insertSubject, lastEntry, moveChainHead } from './store.ts';

/** The recorded fields; the chain adds id, sequence, recording time and hashes. */
export type NewAuditEntry = {
  readonly businessId: string;
  readonly kind: AuditKind;
  readonly by: Actor;
  readonly status?: string | null;
  readonly reason?: string | null;
  readonly staffId?: string | null;
  readonly terminalId?: string | null;
  readonly paymentId?: string | null;
  /** The refund that an authorisation allowed. */
  readonly refundId?: string | null;
  readonly amountMinor?: number | null;
  /** Names and facts at the time of the entry, so that it stays readable when they change. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** When it happened, if a terminal recorded it while offline; default now. */
  readonly attemptedAt?: Instant;
};

export type AuditLog = {
  /** Creates the chain of a new business. */
  begin(tx: Transaction, businessId: string): Promise<void>;
  /**
   * Appends to the business's hash chain. Call it last in a transaction: the chain's head is its most contended lock.
   */
  append(tx: Transaction, entry: NewAuditEntry): Promise<AuditEntryRow>;
  /** Appends an entry and reseals the head whatever its seal was. For an operator who has verified the chain. */
  appendAndSeal(tx: Transaction, entry: NewAuditEntry): Promise<AuditEntryRow>;
};

type HeadState = SealState | 'missing';

/** Writes the hash-chained log. */
export function auditLog(ports: { clock: Clock; ids: Ids; log: Log; seal: HeadSeal }): AuditLog {
  const { seal, log } = ports;

  /**
   * The head to append to, and how the next one is sealed. A missing or tampered head is replaced by the last entry so
   * that the business can continue; the seal stays broken.
   */
  async function headToWriteOn(
    tx: Transaction,
    businessId: string,
  ): Promise<ChainHead & { readonly state: HeadState }> {
    const head = await tx.first(chainHeadForUpdate, { businessId });
    const state = head ? seal.check(head) : 'missing';
    if (head && state === 'valid') return { ...head, state };
    const last = await tx.first(lastEntry, { businessId });
    const from = { businessId, sequence: last?.sequence ?? 0, hash: last?.hash ?? genesisHash };
    if (!head) await tx.run(insertChainHead, { ...from, seal: brokenSeal });
    if (state !== 'broken')
      afterCommit(tx, () => log.error({ ...from, head: state }, 'the audit log was changed outside the service'));
    return { ...from, state };
  }

  async function append(
    tx: Transaction,
    entry: NewAuditEntry,
    sealOf: (state: HeadState, next: ChainHead) => string,
  ): Promise<AuditEntryRow> {
    const { businessId, by } = entry;
    const { actorKind, actorId } = actorColumns(by);
    const head = await headToWriteOn(tx, businessId);
    const now = ports.clock.now();
    const unhashed = {
      id: ports.ids.next(idPrefixes.auditEntry),
      businessId,
      sequence: head.sequence + 1,
      kind: entry.kind,
      status: entry.status ?? null,
      reason: entry.reason ?? null,
      actorKind,
      actorId,
      staffId: entry.staffId ?? null,
      terminalId: entry.terminalId ?? null,
      paymentId: entry.paymentId ?? null,
      refundId: entry.refundId ?? null,
      amountMinor: entry.amountMinor ?? null,
      detailJson: JSON.stringify(entry.detail),
      attemptedAt: entry.attemptedAt ?? now,
      recordedAt: now,
      previousHash: head.hash,
    };
    const row: AuditEntryRow = { ...unhashed, hash: hashOf(unhashed) };
    const next = { businessId, sequence: row.sequence, hash: row.hash };
    tx.send(insertEntry, row);
    for (const subjectId of subjectsOf(entry))
      tx.send(insertSubject, { businessId, subjectId, sequence: row.sequence });
    tx.send(moveChainHead, { ...next, seal: sealOf(head.state, next) });
    const { id: auditEntryId, kind, status, reason, staffId, terminalId, paymentId, refundId } = row;
    const facts = { businessId, auditEntryId, kind, status, reason, staffId, terminalId, paymentId, refundId };
    afterCommit(tx, () => log.info({ ...facts, by: actorReference(by) }, 'recorded in the audit log'));
    return row;
  }

  return {
    async begin(tx, businessId) {
      const head = { businessId, sequence: 0, hash: genesisHash };
      await tx.run(insertChainHead, { ...head, seal: seal.seal(head) });
    },
    append: (tx, entry) => append(tx, entry, (state, next) => (state === 'valid' ? seal.seal(next) : brokenSeal)),
    appendAndSeal: (tx, entry) => append(tx, entry, (_, next) => seal.seal(next)),
  };
}

/** The records that an entry is about: in its columns and, as members named `…Id`, in its detail. */
function subjectsOf({ staffId, terminalId, paymentId, refundId, detail }: NewAuditEntry): ReadonlySet<string> {
  const inDetail = Object.entries(detail).flatMap(([name, value]) => (name.endsWith('Id') ? [value] : []));
  const all = [staffId, terminalId, paymentId, refundId, ...inDetail];
  return new Set(all.filter(id => typeof id === 'string'));
}
