import { type Instant, idPrefixes } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { Backend } from '../../backend.ts';
import type { BitcoinBackendRow } from '../../bitcoin/backends/rows.ts';
import type { Answer, BitcoinNode, NodeMovements, UnknownCause } from '../../bitcoin/nodes/node.ts';
import { nodeCause } from '../doctor/causes.ts';
import { command, type Outcome } from './command.ts';
import { since, sinceFlag } from './since.ts';

/** Clocks of nodes differ from this one's, and the time of a block may be two hours off. */
const clockToleranceMs = 2 * 3_600_000;
const ownLabel = new RegExp(`^${idPrefixes.withdrawal}_`);

type Network = 'lightning' | 'onchain';
/** A movement that the records do not have: over Lightning `txId` is the payment hash. */
type Missing = {
  readonly network: Network;
  readonly amountSats: number;
  readonly at: string | null;
  readonly txId: string;
  readonly address: string | null;
};
type Contradiction = { readonly recordId: string; readonly problem: string };
type NotCompared = { readonly what: string; readonly cause: UnknownCause };

type Comparison = {
  readonly bitcoinBackendId: string;
  readonly adapter: string;
  /** The movements that the node lists. */
  readonly listed: number;
  readonly notCompared: readonly NotCompared[];
  readonly paymentsMissing: readonly Missing[];
  readonly withdrawalsMissing: readonly Missing[];
  readonly contradictions: readonly Contradiction[];
};

export const bitcoinBackendCompare = command({
  summary: 'Find what bitcoin nodes received and sent and the records do not have, as after a restored backup',
  flags: { since: sinceFlag },
  input: z.object({ since }),
  asksNodes: true,
  async run({ since }, backend): Promise<Outcome> {
    const from = since - clockToleranceMs;
    const comparisons: Comparison[] = [];
    for (const row of await backend.services.bitcoinBackends.list())
      comparisons.push(await compared(backend, row, from));
    const nothing = ['No business has a bitcoin node: there is nothing to compare'];
    const lines = comparisons.length === 0 ? nothing : comparisons.flatMap(linesOf);
    return { ok: comparisons.every(isComplete), json: { comparisons }, lines };
  },
});

function isComplete({ notCompared, paymentsMissing, withdrawalsMissing, contradictions }: Comparison): boolean {
  return (
    notCompared.every(({ cause }) => cause === 'not_supported') &&
    paymentsMissing.length + withdrawalsMissing.length + contradictions.length === 0
  );
}

async function compared({ services }: Backend, row: BitcoinBackendRow, from: Instant): Promise<Comparison> {
  const node = await services.bitcoinBackends.ofBackend(row.id);
  const { listed, notCompared } = answersOf(await node.movements(from));
  const { settledInvoices, receipts, payments, sendings } = listed;
  const unrecorded = await services.bitcoinInvoices.comparison.unrecorded({ settledInvoices, receipts });
  const own = sendings.filter(({ label }) => ownLabel.test(label));
  const withdrawals = await services.withdrawals.listedAs({
    ids: own.map(({ label }) => label),
    paymentHashes: payments.map(({ paymentHash }) => paymentHash),
  });
  const known = new Set(withdrawals.flatMap(({ id, paymentHash }) => [id, paymentHash]));
  const sentThoughFailed = withdrawals
    .filter(({ status }) => status === 'failed')
    .map(({ id }) => ({ recordId: id, problem: 'it is recorded as failed, and the node sent it' }));
  const denied = await deniedBy(node, {
    receipts: await services.bitcoinInvoices.comparison.confirmedSince(row.id, from),
    withdrawals: await services.withdrawals.completedSince(row.id, from),
  });
  return {
    bitcoinBackendId: row.id,
    adapter: row.adapter,
    listed: settledInvoices.length + receipts.length + payments.length + own.length,
    notCompared: [...notCompared, ...denied.notCompared],
    paymentsMissing: [
      ...unrecorded.settledInvoices.map(({ paymentHash, receivedMsat, settledAt }) =>
        overLightning({ paymentHash, amountSats: Math.floor(receivedMsat / 1_000), at: settledAt }),
      ),
      ...unrecorded.receipts.map(onChain),
    ],
    withdrawalsMissing: [
      ...payments.filter(({ paymentHash }) => !known.has(paymentHash)).map(overLightning),
      ...own.filter(({ label }) => !known.has(label)).map(onChain),
    ],
    contradictions: [...sentThoughFailed, ...denied.contradictions],
  };
}

const names = {
  settledInvoices: 'paid Lightning invoices',
  receipts: 'payments to addresses',
  payments: 'withdrawals over Lightning',
  sendings: 'withdrawals on chain',
} as const;

function answersOf(movements: NodeMovements) {
  const notCompared: NotCompared[] = [];
  const entriesOf = <Item>(answer: Answer<readonly Item[]>, what: string): readonly Item[] => {
    if (answer.kind === 'answered') return answer.value;
    notCompared.push({ what, cause: answer.cause });
    return [];
  };
  const listed = {
    settledInvoices: entriesOf(movements.settledInvoices, names.settledInvoices),
    receipts: entriesOf(movements.receipts, names.receipts),
    payments: entriesOf(movements.payments, names.payments),
    sendings: entriesOf(movements.sendings, names.sendings),
  };
  return { listed, notCompared };
}

type Recorded = {
  readonly receipts: Awaited<ReturnType<Backend['services']['bitcoinInvoices']['comparison']['confirmedSince']>>;
  readonly withdrawals: Awaited<ReturnType<Backend['services']['withdrawals']['completedSince']>>;
};

/** The records that the node, asked about each of them, does not confirm. */
async function deniedBy(
  node: BitcoinNode,
  { receipts, withdrawals }: Recorded,
): Promise<Pick<Comparison, 'notCompared' | 'contradictions'>> {
  const contradictions: Contradiction[] = [];
  const notCompared: NotCompared[] = [];
  for (const { id, txId, amountSats } of receipts.filter(({ network }) => network === 'lightning')) {
    const state = await node.lookupInvoice(txId);
    if (state.kind === 'unknown') notCompared.push({ what: id, cause: state.cause });
    else if (state.kind !== 'settled' || Math.floor(state.receivedMsat / 1_000) !== amountSats)
      contradictions.push({
        recordId: id,
        problem: `it is recorded as ${amountSats} sats received over Lightning, which the node denies`,
      });
  }
  const onChainReceipts = receipts.filter(({ network }) => network === 'onchain');
  const listed = await listedOnChain(node, onChainReceipts);
  if (listed.kind === 'unknown')
    notCompared.push(...onChainReceipts.map(({ id }) => ({ what: id, cause: listed.cause })));
  else
    for (const { id, txId, vout, amountSats } of onChainReceipts)
      if (!listed.value.some(one => one.txId === txId && one.vout === vout && one.amountSats === amountSats))
        contradictions.push({
          recordId: id,
          problem: `it is recorded as ${amountSats} sats received on chain, which the node denies`,
        });
  for (const { id, network, paymentHash, chainHeight } of withdrawals) {
    const outcome =
      network === 'lightning' && paymentHash !== null
        ? await node.lookupPayment(paymentHash)
        : await node.lookupOnChain(id, chainHeight);
    if (outcome.kind === 'unknown') notCompared.push({ what: id, cause: outcome.cause });
    else if (outcome.kind !== 'succeeded' && outcome.kind !== 'sent')
      contradictions.push({ recordId: id, problem: 'it is recorded as completed, and the node did not send it' });
  }
  return { notCompared, contradictions };
}

async function listedOnChain(node: BitcoinNode, receipts: Recorded['receipts']) {
  const addresses = receipts.flatMap(({ address }) => address ?? []);
  if (addresses.length === 0) return { kind: 'answered', value: [] } as const;
  return node.addressPayments(addresses, Math.min(...receipts.map(one => one.addressFromHeight ?? 0)));
}

function overLightning(one: { paymentHash: string; amountSats: number; at: Instant }): Missing {
  const { paymentHash: txId, amountSats, at } = one;
  return { network: 'lightning', amountSats, at: new Date(at).toISOString(), txId, address: null };
}

function onChain(one: { txId: string; amountSats: number; address: string; at: Instant | null }): Missing {
  const { txId, amountSats, address, at } = one;
  return { network: 'onchain', amountSats, at: at === null ? null : new Date(at).toISOString(), txId, address };
}

function linesOf(comparison: Comparison): string[] {
  const { bitcoinBackendId, adapter, listed, notCompared, paymentsMissing, withdrawalsMissing, contradictions } =
    comparison;
  const missing = paymentsMissing.length + withdrawalsMissing.length;
  const failed = notCompared.filter(({ cause }) => cause !== 'not_supported');
  return [
    `${bitcoinBackendId}: ${listed} movements listed by the node, ${missing} not in the records${failed.length > 0 ? '; not everything could be compared' : ''}`,
    ...paymentsMissing.map(one => `  Payment ${words(one)}: received, and the records have no such payment`),
    ...withdrawalsMissing.map(one => `  Withdrawal ${words(one)}: sent, and the records have no such withdrawal`),
    ...contradictions.map(({ recordId, problem }) => `  ${recordId}: ${problem}`),
    ...notCompared.map(({ what, cause }) =>
      cause === 'not_supported'
        ? `  ${what}: not compared, since ${adapter} has none as it is set up`
        : `  ${what}: not compared: ${nodeCause(cause).says}`,
    ),
    ...new Set(failed.map(({ cause }) => `  To do: ${nodeCause(cause).todo}; then compare again`)),
  ];
}

function words({ network, amountSats, at, txId, address }: Missing): string {
  const when = at === null ? '' : ` at ${at}`;
  return network === 'lightning'
    ? `of ${amountSats} sats over Lightning${when}, payment hash ${txId}`
    : `of ${amountSats} sats on chain${when}, transaction ${txId} to ${address}`;
}
