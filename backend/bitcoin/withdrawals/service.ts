import { type Actor, actorColumns } from '@florin/shared/actor.ts';
import { type Clock, type Ids, type Instant, idPrefixes, type Log } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import { workOnEach } from '../../foundation/jobs/each.ts';
import type { LeasesOn } from '../../foundation/jobs/leases.ts';
import { afterPoll, notFoundIsFinal, type PollingSettings } from '../../foundation/jobs/polling.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { BitcoinBackendRow } from '../backends/rows.ts';
import type { BitcoinNode, NodeBalances, NotFound, NotSent, OnChainOutcome, PaymentOutcome } from '../nodes/node.ts';
import { type Destination, type DestinationGiven, type DestinationRefusal, destinationOf } from './destination.ts';
import { failed, outcomeOf } from './outcome.ts';
import type { WithdrawalRow } from './rows.ts';
import {
  claimWithdrawals,
  insertWithdrawal,
  lockBackend,
  type OutcomeColumns,
  postponeWithdrawal,
  recordOutcome,
  reservedAt,
  withdrawalById,
  withdrawalByRequest,
  withdrawalForUpdate,
  withdrawalPage,
  withdrawalsCompletedSince,
  withdrawalsOf,
} from './store.ts';

export type WithdrawalRefusal =
  | DestinationRefusal
  | { readonly kind: 'bitcoin_backend_not_set' }
  | { readonly kind: 'withdrawal_not_supported' }
  | { readonly kind: 'node_unavailable'; readonly retryAfterSeconds: number }
  /** `remaining`: the amount that can be withdrawn now, before fees. */
  | { readonly kind: 'insufficient_balance'; readonly remaining: number }
  | { readonly kind: 'invoice_already_used' };

export type WithdrawalRequest = {
  readonly businessId: string;
  readonly destination: DestinationGiven;
  readonly by: Actor;
  readonly write: DurableWrite<WithdrawalRow>;
};

export type ResolutionRequest = {
  readonly businessId: string;
  readonly id: string;
  readonly outcome: 'completed' | 'failed';
  /** The transaction that is in the chain instead. */
  readonly txId: string | null;
  readonly evidence: string;
  readonly by: Actor;
  readonly write: DurableWrite<WithdrawalRow>;
};
export type ResolutionRefusal =
  | { readonly kind: 'withdrawal_not_found' }
  | { readonly kind: 'withdrawal_final' }
  /** The node lists its transaction, or stopped listing it too recently. */
  | { readonly kind: 'still_asking' };

export type WithdrawalAnswer =
  | { readonly kind: 'done'; readonly withdrawal: WithdrawalRow }
  | { readonly kind: 'refused'; readonly refusal: WithdrawalRefusal };

/** Withdrawals from a business's node. Each is saved first, sent once, and polled until its outcome is final. */
export type WithdrawalService = {
  request(request: WithdrawalRequest): Promise<WithdrawalAnswer>;
  find(businessId: string, id: string): Promise<WithdrawalRow | undefined>;
  /** Those of any business that a node lists by id (on chain) or payment hash. */
  listedAs(references: {
    readonly ids: readonly string[];
    readonly paymentHashes: readonly string[];
  }): Promise<readonly WithdrawalRow[]>;
  /** Those of a node that were completed from this time on. */
  completedSince(backendId: string, since: Instant): Promise<readonly WithdrawalRow[]>;
  list(businessId: string, page: { readonly before: string; readonly limit: number }): Promise<WithdrawalRow[]>;
  /**
   * Records a manual decision about a withdrawal whose transaction the node no longer lists. It is never sent again.
   */
  resolve(request: ResolutionRequest): Promise<Result<WithdrawalRow, ResolutionRefusal>>;
  /** Polls nodes for withdrawals that no process is handling; returns how many. Never sends. */
  recover(): Promise<number>;
};

export type WithdrawalOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly changes: ChangeLog;
  readonly polling: PollingSettings;
  readonly leases: LeasesOn<Pick<WithdrawalRow, 'id'>>;
  /** How long a caller waits for each response of the node; after that the withdrawal is polled. */
  readonly answerWithinMs: number;
  readonly backends: {
    nodeOf(businessId: string): Promise<{ readonly backendId: string; readonly node: BitcoinNode } | undefined>;
    ofBackend(backendId: string): Promise<BitcoinNode>;
    find(backendId: string): Promise<BitcoinBackendRow | undefined>;
  };
  /** The part of the node's balance that customers can claim. */
  readonly dueSats: (tx: Transaction, businessId: string) => Promise<number>;
};

type NodeAnswer = PaymentOutcome | OnChainOutcome | NotSent;

const statusMessages: Readonly<Record<WithdrawalRow['status'], string>> = {
  pending: 'a withdrawal was sent and is not final yet',
  completed: 'a withdrawal is completed',
  failed: 'a withdrawal failed; nothing was sent',
  unknown: 'the outcome of a withdrawal is unknown; the node is polled for it',
};

/**
 * The operations on withdrawals. What customers can claim and what other withdrawals have reserved is not available to
 * a new one.
 */
export function withdrawalService(options: WithdrawalOptions): WithdrawalService {
  const { database, clock, ids, log, changes, polling, leases, backends } = options;

  const refused = (refusal: WithdrawalRefusal): WithdrawalAnswer => ({ kind: 'refused', refusal });

  function factsOf({ id, businessId, network, amountSats }: WithdrawalRow) {
    return { withdrawalId: id, businessId, network, amountSats };
  }

  const firstPollAt = () => clock.now() + (polling.intervalsMs[0] ?? 0);

  function newRow(
    request: WithdrawalRequest,
    backendId: string,
    destination: Destination,
    chainHeight: number | null,
  ): WithdrawalRow {
    const now = clock.now();
    const { actorKind, actorId } = actorColumns(request.by);
    return {
      ...destination,
      id: ids.next(idPrefixes.withdrawal),
      businessId: request.businessId,
      backendId,
      feeSats: null,
      status: 'unknown',
      failureReason: null,
      txId: null,
      preimage: null,
      clientRequestId: request.write.clientRequestId,
      nextPollAt: leases.fromNow(),
      pollCount: 0,
      polledAt: null,
      polledForMs: 0,
      sentAt: now,
      chainHeight,
      createdAt: now,
      missingSince: null,
      finalAt: null,
      actorKind,
      actorId,
    };
  }

  /** Saves the withdrawal within the available balance. From its commit on the node may have received it. */
  function reserve(request: WithdrawalRequest, row: WithdrawalRow, balance: { sats: number; readAt: Instant }) {
    const { businessId, backendId, network } = row;
    return database.write(async (tx): Promise<{ row: WithdrawalRow; isNew: boolean } | WithdrawalRefusal> => {
      const begun = await request.write.begin(tx);
      const { clientRequestId } = row;
      const earlier =
        begun === 'resumed' && clientRequestId !== null
          ? await tx.first(withdrawalByRequest, { businessId, clientRequestId })
          : undefined;
      if (earlier) return { row: earlier, isNew: false };
      await tx.first(lockBackend, { backendId });
      const reserved = await tx.first(reservedAt, { backendId, network, balanceReadAt: balance.readAt });
      const due = await options.dueSats(tx, businessId);
      const remaining = Math.max(0, balance.sats - Number(reserved?.sats ?? 0) - due);
      if (row.amountSats + (row.maxFeeSats ?? 0) > remaining) return { kind: 'insufficient_balance', remaining };
      if ((await tx.run(insertWithdrawal, row)) === 0) return { kind: 'invoice_already_used' };
      const { id, destination, amountSats } = row;
      const detail = { withdrawalId: id, network, destination, amountSats };
      await changes.append(tx, { businessId, kind: 'withdrawal_requested', by: request.by, detail });
      return { row, isNew: true };
    });
  }

  async function send(row: WithdrawalRow, node: BitcoinNode): Promise<NodeAnswer> {
    // A process that was paused for too long has lost its exclusive hold.
    if (row.nextPollAt === null || clock.now() >= row.nextPollAt) return { kind: 'unknown', cause: 'timeout' };
    try {
      if (row.network === 'lightning')
        return await node.payInvoice({
          bolt11: row.destination,
          paymentHash: paymentHashOf(row),
          amountSats: row.amountSats,
          feeLimitSats: row.maxFeeSats ?? 0,
          waitMs: options.answerWithinMs,
        });
      return await node.sendOnChain({
        label: row.id,
        address: row.destination,
        amountSats: row.amountSats,
        waitMs: options.answerWithinMs,
        ...(row.satsPerVbyte === null ? {} : { satsPerVbyte: row.satsPerVbyte }),
      });
    } catch (error) {
      log.error({ ...factsOf(row), err: error }, 'a withdrawal was sent and its outcome is unknown');
      return { kind: 'unknown', cause: 'node_error' };
    }
  }

  /** Sends a saved withdrawal and records the node's answer. */
  async function finish({ write }: WithdrawalRequest, row: WithdrawalRow, node: BitcoinNode): Promise<WithdrawalRow> {
    const answer = await send(row, node);
    // Its caller no longer waits, so it is polled like any other.
    const sent = answer.kind === 'inFlight' ? { ...row, nextPollAt: firstPollAt() } : row;
    const outcome = outcomeOf(sent, answer, clock.now());
    const withdrawal = await database.write(async tx => {
      const recorded = outcome ? await record(tx, row, outcome) : row;
      await write.finish(tx, recorded);
      return recorded;
    });
    logStatus(withdrawal, answer);
    return withdrawal;
  }

  async function lookup(row: WithdrawalRow): Promise<NodeAnswer | NotFound> {
    try {
      const node = await backends.ofBackend(row.backendId);
      return await (row.network === 'lightning'
        ? node.lookupPayment(paymentHashOf(row))
        : node.lookupOnChain(row.id, row.chainHeight));
    } catch (error) {
      log.error({ ...factsOf(row), err: error }, 'could not poll the node for a withdrawal');
      return { kind: 'unknown', cause: 'node_error' };
    }
  }

  async function record(tx: Transaction, row: WithdrawalRow, outcome: OutcomeColumns): Promise<WithdrawalRow> {
    const changed = await tx.first(recordOutcome, { id: row.id, ...outcome });
    // Another process recorded it first.
    return changed ?? (await tx.first(withdrawalById, { businessId: row.businessId, id: row.id })) ?? row;
  }

  async function recoverOne(row: WithdrawalRow): Promise<void> {
    const polledAt = clock.now();
    const answer = await lookup(row);
    const isGone = answer.kind === 'notFound' && row.txId === null && notFoundIsFinal(row, polledAt, polling);
    const next = { id: row.id, ...afterPoll(row, polledAt, polling), missingSince: missingSince(row, answer) };
    const recorded = await database.write(async tx => {
      const found = answer.kind === 'notFound' ? undefined : outcomeOf(row, answer, clock.now());
      const outcome = isGone ? failed(row, 'never_arrived', clock.now()) : found;
      const changed = outcome && (await record(tx, row, outcome));
      await tx.run(postponeWithdrawal, next);
      return changed;
    });
    const facts = { ...factsOf(row), answer: answer.kind, pollCount: row.pollCount };
    log.info(facts, 'polled the node for a withdrawal');
    if (recorded && recorded.status !== row.status) logStatus(recorded, answer);
    else if (next.missingSince !== null && row.missingSince === null)
      log.warn({ ...facts, txId: row.txId }, 'the node no longer lists the transaction of a withdrawal');
  }

  function logStatus(row: WithdrawalRow, answer: NodeAnswer | NotFound): void {
    const { status, txId, failureReason } = row;
    const cause = answer.kind === 'unknown' ? answer.cause : undefined;
    const write = status === 'failed' || status === 'unknown' ? log.warn : log.info;
    write({ ...factsOf(row), txId, failureReason, answer: answer.kind, cause }, statusMessages[status]);
  }

  /** Since when the node no longer lists its transaction. A failed poll changes nothing. */
  function missingSince(row: WithdrawalRow, answer: NodeAnswer | NotFound): Instant | null {
    if (answer.kind === 'unknown') return row.missingSince;
    return answer.kind === 'notFound' && row.txId !== null ? (row.missingSince ?? clock.now()) : null;
  }

  return {
    async request(request) {
      const { businessId, write } = request;
      const current = await backends.nodeOf(businessId);
      const about = current && (await backends.find(current.backendId));
      if (!current || !about) return refused({ kind: 'bitcoin_backend_not_set' });
      const { node, backendId } = current;
      const destination = await destinationOf(request.destination, { network: about.network, now: clock.now() });
      if (!destination.ok) return refused(destination.refusal);
      const { network } = destination.value;
      const { lightningWithdrawals, onChainWithdrawals } = node.capabilities;
      if (!(network === 'lightning' ? lightningWithdrawals : onChainWithdrawals))
        return refused({ kind: 'withdrawal_not_supported' });
      const readAt = clock.now();
      const balances = await node.balances(options.answerWithinMs);
      if (balances.kind === 'unknown') return refused({ kind: 'node_unavailable', retryAfterSeconds: 10 });
      const row = newRow(request, backendId, destination.value, balances.value.chainHeight);
      const reserved = await reserve(request, row, { sats: balanceOf(balances.value, network), readAt });
      if ('kind' in reserved) return refused(reserved);
      // An earlier run of this call may have sent it, so it is polled like any other.
      if (!reserved.isNew) {
        await database.write(tx => write.finish(tx, reserved.row));
        return { kind: 'done', withdrawal: reserved.row };
      }
      return { kind: 'done', withdrawal: await leases.during(row, row.nextPollAt, () => finish(request, row, node)) };
    },

    find: (businessId, id) => database.first(withdrawalById, { businessId, id }),
    listedAs: ({ ids: withdrawalIds, paymentHashes }) =>
      database.all(withdrawalsOf, {
        idsJson: JSON.stringify(withdrawalIds),
        paymentHashesJson: JSON.stringify(paymentHashes),
      }),
    completedSince: (backendId, since) => database.all(withdrawalsCompletedSince, { backendId, since }),
    list: (businessId, page) => database.all(withdrawalPage, { businessId, ...page }),

    resolve: ({ businessId, id, outcome, txId, evidence, by, write }) =>
      database.write(async (tx): Promise<Result<WithdrawalRow, ResolutionRefusal>> => {
        await write.begin(tx);
        const row = await tx.first(withdrawalForUpdate, { businessId, id });
        if (!row) return err({ kind: 'withdrawal_not_found' });
        if (row.finalAt !== null) return err({ kind: 'withdrawal_final' });
        const mayBeDecidedAt = row.missingSince === null ? null : row.missingSince + polling.evidenceAfterMs;
        if (mayBeDecidedAt === null || clock.now() < mayBeDecidedAt) return err({ kind: 'still_asking' });
        const now = clock.now();
        const decided: OutcomeColumns =
          outcome === 'failed'
            ? failed(row, 'not_in_chain', now)
            : { ...row, status: 'completed', txId: txId ?? row.txId, nextPollAt: null, finalAt: now };
        const resolved = await record(tx, row, decided);
        const detail = { withdrawalId: id, outcome, txId, evidence };
        await changes.append(tx, { businessId, kind: 'withdrawal_resolved', by, detail });
        await write.finish(tx, resolved);
        return ok(resolved);
      }),

    async recover() {
      const claim = { now: clock.now(), nextPollAt: leases.fromNow(), limit: polling.batch };
      const due = await database.write(tx => tx.all(claimWithdrawals, claim));
      const idsOf = ({ businessId, id }: WithdrawalRow) => ({ businessId, withdrawalId: id });
      return workOnEach(due, { log, idsOf }, row => leases.during(row, row.nextPollAt, () => recoverOne(row)));
    },
  };
}

function balanceOf({ lightningSats, onChainSats }: NodeBalances, network: WithdrawalRow['network']): number {
  return network === 'lightning' ? lightningSats : onChainSats;
}

function paymentHashOf({ id, paymentHash }: WithdrawalRow): string {
  if (paymentHash === null) throw new Error(`withdrawal ${id} pays no Lightning invoice`);
  return paymentHash;
}
