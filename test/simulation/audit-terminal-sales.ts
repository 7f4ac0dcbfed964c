import type { TerminalSaleRow } from '../../backend/channels/terminal-sales/rows.ts';
import type { Ledger } from './ledger.ts';
import type { SeenPayment } from './observed.ts';

type Sales = ReadonlyMap<string, TerminalSaleRow>;
type Payments = ReadonlyMap<string, SeenPayment>;

/** The transitions allowed to terminal sales from one commit to the next. */
export function* saleFaults(options: { before: Sales; after: Sales; known: ReadonlySet<string>; payments: Payments }) {
  const { before, after, known, payments } = options;
  const underWay = new Set<string>();
  for (const row of after.values()) {
    const { id, terminalId, status, endedAt } = row;
    yield* moveFaults(before.get(id), row);
    if ((status === 'PENDING' || status === 'PROCESSING') !== (endedAt === null)) yield `sale ${id} is ${status}`;
    // A payment seen on chain, and a refund that staff left while it was pending, do not need the terminal.
    const isLeft = row.type === 'refund' && row.leftTerminalAt !== null;
    const needsTerminal = endedAt === null && row.rail !== 'bitcoin' && !isLeft;
    if (needsTerminal && underWay.has(terminalId)) yield `${terminalId} has two sales in progress`;
    if (needsTerminal) underWay.add(terminalId);
  }
  const charged = new Set<string>();
  for (const { id, saleId } of payments.values()) {
    if (saleId === null || !after.has(saleId)) continue;
    if (charged.has(saleId)) yield `sale ${saleId} has two payments`;
    charged.add(saleId);
    if (!known.has(id) && before.get(saleId)?.endedAt != null) yield `${saleId} is sent to the bank after it has ended`;
  }
}

function* moveFaults(before: TerminalSaleRow | undefined, row: TerminalSaleRow) {
  const { id, status, statusReason, sequence } = row;
  if (!before) {
    // A sale keyed in at a terminal starts with its bitcoin request.
    const isAsked = row.mode === 'bitcoin' && status === 'PROCESSING' && sequence === 2;
    if (!isAsked && (status !== 'PENDING' || sequence !== 1)) yield `sale ${id} began as ${status} ${sequence}`;
    return;
  }
  const { metadataJson, updatedAt } = row;
  // A bitcoin payment is a transition of its own.
  const isReceived = metadataJson !== before.metadataJson && metadataJson.includes('"bitcoin"');
  const isSame = before.status === status && before.statusReason === statusReason && !isReceived;
  // A late payment is shown and changes nothing else.
  if (before.endedAt !== null && isReceived) {
    const shown = { ...before, metadataJson, updatedAt, sequence: before.sequence + 1 };
    if (JSON.stringify(shown) !== JSON.stringify(row)) yield `sale ${id} changed after its end`;
    return;
  }
  if (isSame ? sequence !== before.sequence : sequence <= before.sequence)
    yield `sale ${id} went from ${before.status} ${before.sequence} to ${status} ${sequence}`;
  if (before.endedAt !== null && JSON.stringify(before) !== JSON.stringify(row))
    yield `sale ${id} changed after its end`;
}

/** Once nothing is pending, a terminal sale's status matches the reader and the bank. */
export function* salesAgainstBank(options: { sales: Sales; payments: Payments; ledger: Ledger }) {
  const { sales, payments, ledger } = options;
  const paymentOf = new Map([...payments.values()].map(payment => [payment.saleId, payment]));
  for (const { id, status } of sales.values()) {
    const payment = paymentOf.get(id);
    const isTaken = payment !== undefined && ledger.isApproved(payment.uniqueReference);
    const isInBitcoin = payment?.method === 'lightning' || payment?.method === 'onchain';
    const isKept = isInBitcoin || (isTaken && payment.completedAt !== null);
    if (isKept !== (status === 'COMPLETE'))
      yield `sale ${id} is ${status}, and the bank took ${isKept ? 'the' : 'no'} money`;
    const isGivenBack =
      payment?.reversalReason !== null || payment.status === 'cancelled' || payment.status === 'settlement_rejected';
    if (isTaken && !isKept && !isGivenBack) yield `the bank took money for ${id}, which is ${status}`;
    if (isTaken && (status === 'CANCELLED' || status === 'TIMED_OUT')) yield `sale ${id} is ${status} and was charged`;
  }
}
