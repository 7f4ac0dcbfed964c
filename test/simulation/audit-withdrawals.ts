import type { WithdrawalRow } from '../../backend/bitcoin/withdrawals/rows.ts';
import { type BitcoinRows, skewMs } from './bitcoin-rows.ts';
import type { BookedSending } from './node-ledger.ts';

type Rows = ReadonlyMap<string, WithdrawalRow>;

/** The transitions of withdrawals. */
export function* withdrawalFaults(before: Rows, bitcoin: BitcoinRows) {
  for (const row of bitcoin.withdrawals.values()) {
    const earlier = before.get(row.id);
    if (!earlier) yield* newFaults(row, bitcoin);
    else if (earlier.status !== row.status) yield* moveFaults(earlier, row, bitcoin);
  }
  for (const { id } of before.values()) if (!bitcoin.withdrawals.has(id)) yield `withdrawal ${id} is gone`;
}

const referenceOf = ({ id, paymentHash }: WithdrawalRow) => paymentHash ?? id;
const maxDebitSats = ({ amountSats, maxFeeSats }: WithdrawalRow) => amountSats + (maxFeeSats ?? 0);

/** A withdrawal never spends what other withdrawals or customer refunds need. */
function* newFaults(row: WithdrawalRow, bitcoin: BitcoinRows) {
  const { nodeLedger } = bitcoin.shop;
  if (row.finalAt !== null) yield `withdrawal ${row.id} began as ${row.status}`;
  for (const other of bitcoin.withdrawals.values())
    if (other.id !== row.id && other.destination === row.destination && other.network === 'onchain')
      yield `withdrawal ${row.id} was requested once, and is also ${other.id}`;
  const balance = nodeLedger.balanceSats(row.network);
  let committedSats = maxDebitSats(row);
  for (const other of bitcoin.withdrawals.values()) {
    const isOpen = other.id !== row.id && other.network === row.network && other.finalAt === null;
    const outcome = nodeLedger.sendings.get(referenceOf(other))?.outcome ?? 'none';
    if (isOpen && outcome === 'none') committedSats += maxDebitSats(other);
  }
  for (const { amountSats, returnedSats, refundedSats } of bitcoin.claims.values())
    committedSats += amountSats - returnedSats - refundedSats;
  if (committedSats > balance)
    yield `withdrawal ${row.id}: ${committedSats} is committed of ${balance} over ${row.network}`;
}

function* moveFaults(before: WithdrawalRow, row: WithdrawalRow, { shop: { nodeLedger } }: BitcoinRows) {
  const { id, status } = row;
  if (before.finalAt !== null) yield `withdrawal ${id} went from ${before.status} to ${status}`;
  if ((status === 'completed' || status === 'failed') !== (row.finalAt !== null))
    yield `withdrawal ${id} is ${status}, final at ${row.finalAt}`;
  const booked = nodeLedger.sendings.get(referenceOf(row));
  if (status === 'completed' && booked?.outcome !== 'succeeded')
    yield `withdrawal ${id} is completed, and nothing left`;
  if (status === 'failed' && booked && booked.outcome !== 'failed' && !booked.isDropped)
    yield `withdrawal ${id} is failed, and has left or may still leave`;
}

/** A withdrawal sent to the node was recorded before, is unchanged, and is sent once. */
export function* sendingFaults(sending: BookedSending, { withdrawals, shop }: BitcoinRows) {
  const { reference, network, destination, amountSats, sends } = sending;
  const row = [...withdrawals.values()].find(one => referenceOf(one) === reference);
  if (sends > 1) yield `${reference} was sent ${sends} times`;
  else if (!row) yield `${reference} was sent without a record`;
  else if (row.finalAt !== null) yield `${row.id} was sent although it is ${row.status}`;
  else if (row.network !== network || row.destination !== destination || row.amountSats !== amountSats)
    yield `${row.id} was sent as something else than recorded`;
  else if (shop.now() > row.createdAt + shop.sendsWithinMs + skewMs) yield `${row.id} was sent when its lease was over`;
}

/** Once nothing is pending, the record matches the node. */
export function* withdrawalsAtRest({ withdrawals, shop: { nodeLedger } }: BitcoinRows) {
  for (const row of withdrawals.values()) {
    const hasLeft = nodeLedger.sendings.get(referenceOf(row))?.outcome === 'succeeded';
    if (hasLeft !== (row.status === 'completed')) yield `withdrawal ${row.id} is ${row.status}, has left: ${hasLeft}`;
  }
}
