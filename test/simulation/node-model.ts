import { createHash } from 'node:crypto';
import type { Instant } from '@florin/shared/ports.ts';
import { z } from 'zod';
import { type NodeAdapter, nodeAdapter } from '../../backend/bitcoin/nodes/adapter.ts';
import type {
  AddressPayment,
  Answer,
  BitcoinNode,
  CreateInvoiceOutcome,
  FollowEnd,
  FollowRequest,
  InvoiceRequest,
  InvoiceState,
  NotSent,
  OnChainOutcome,
  PaymentOutcome,
  SettledInvoice,
  Unknown,
} from '../../backend/bitcoin/nodes/node.ts';
import { type BookedInvoice, type BookedOutput, type BookedSending, NodeLedger } from './node-ledger.ts';
import type { SeededNumbers, VirtualTime } from './seeded.ts';

/** The faults of one request to the node and its response. */
export type NodeBehaviour = {
  /** The connection is refused: the request certainly was not sent. */
  readonly refused?: boolean;
  readonly dropped?: boolean;
  readonly arrivesAfterMs?: number;
  readonly replyLost?: boolean;
  /** A payment finds no route. */
  readonly failed?: boolean;
  /** How long a payment is in flight. */
  readonly inFlightMs?: number;
};

/** The behaviour of a stream of settled invoices. */
export type StreamBehaviour = {
  readonly endsAfterMs: number;
  /** The stream omits every n-th invoice. */
  readonly missesEvery: number;
};

export type BitcoinNodeModel = BitcoinNode & {
  readonly nodeLedger: NodeLedger;
  /** A customer's wallet pays; false if the node does not accept it. */
  pay(bolt11: string, amountMsat: number): Promise<boolean>;
  /** A customer's wallet sends to an address. */
  receive(address: string, amountSats: number): BookedOutput;
  /** Whether a payment waits for a block. */
  isChainMoving(): boolean;
  /** Mines a block with all unconfirmed payments. */
  mine(): void;
  /** Replaces the payment with a higher fee, or drops it; no effect on a confirmed one. */
  replace(output: BookedOutput, isGivenUp: boolean): void;
  /** Removes the last block; its payments are unconfirmed again, or gone permanently. */
  reorganise(isGone: boolean): void;
};

/** How long the adapter waits for a response. */
const timeoutMs = 10_000;
const usualMs = 40;
const onChainFeeSats = 200;
const lightningFeeSats = 3;

export function bitcoinNodeModel(options: {
  readonly time: VirtualTime;
  readonly numbers: SeededNumbers;
  /** Confirmations after which a payment counts. */
  readonly confirmations: number;
  /** The behaviour of a request; `makes` if it makes the node create or send something. */
  readonly behaviour: (makes: boolean) => NodeBehaviour;
  readonly stream: () => StreamBehaviour;
  /** Called when money leaves for the node. */
  readonly onSent: (sending: BookedSending) => void;
  readonly print: (line: string) => void;
}): BitcoinNodeModel {
  const { time, numbers, print } = options;
  const nodeLedger = new NodeLedger();
  const settledInOrder: BookedInvoice[] = [];
  const listeners = new Set<() => void>();
  let height = 100;
  let made = 0;

  const hex = (name: string) => createHash('sha256').update(name).digest('hex');
  const fresh = (kind: string) => {
    made += 1;
    return hex(`${kind} ${made}`);
  };
  const later = <Value>(delayMs: number, value: () => Value): Promise<Value> =>
    new Promise(resolve => void time.after(delayMs, () => resolve(value())));
  const lost = (cause: 'timeout' | 'connection_lost'): Promise<Unknown> =>
    later(timeoutMs, () => ({ kind: 'unknown', cause }));

  /** Delivers a request and its response. */
  async function carry<Value>(
    act: (behaviour: NodeBehaviour) => Value | Promise<Value>,
    { makes = false, onSend }: { makes?: boolean; onSend?: (behaviour: NodeBehaviour) => void } = {},
  ): Promise<Value | Unknown | NotSent> {
    const behaviour = options.behaviour(makes);
    if (behaviour.refused) return later(1, () => ({ kind: 'notSent', cause: 'connection_refused' }) as const);
    onSend?.(behaviour);
    if (behaviour.dropped) return lost('timeout');
    const arrived = later(behaviour.arrivesAfterMs ?? numbers.between(1, usualMs), () => act(behaviour)).then(
      value => value,
    );
    if (behaviour.replyLost) {
      await arrived;
      return lost('connection_lost');
    }
    const answered = arrived.then(value => later(numbers.between(1, usualMs), () => value));
    return Promise.race([answered, lost('timeout')]);
  }

  async function ask<Value extends { readonly kind: string }>(
    act: () => Value,
    makes = false,
  ): Promise<Exclude<Value, NotSent> | Unknown> {
    const answer = await carry(act, { makes });
    return answer.kind === 'notSent' ? { kind: 'unknown', cause: 'connection_refused' } : (answer as never);
  }
  const answering = <Value>(act: () => Value, makes = false): Promise<Answer<Value>> =>
    ask(() => ({ kind: 'answered', value: act() }) as const, makes);

  function addInvoice({ label, amountSats, expiresInSeconds }: InvoiceRequest): CreateInvoiceOutcome {
    const preimage = hex(`preimage of ${label}`);
    const paymentHash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex');
    const known = nodeLedger.invoices.get(paymentHash);
    if (known && known.amountSats !== amountSats) return { kind: 'label_taken' };
    const invoice: BookedInvoice = known ?? {
      label,
      paymentHash,
      preimage,
      bolt11: `lnmodel${paymentHash}`,
      amountSats,
      expiresAt: time.now() + expiresInSeconds * 1_000,
      isCancelled: false,
      settled: null,
    };
    if (!known) print(`the node makes an invoice over ${amountSats} for ${label}`);
    nodeLedger.invoices.set(paymentHash, invoice);
    const { bolt11, expiresAt } = invoice;
    return { kind: 'created', invoice: { bolt11, paymentHash, expiresAt } };
  }

  const isPayable = ({ settled, isCancelled, expiresAt }: BookedInvoice) =>
    settled === null && !isCancelled && time.now() < expiresAt;

  function stateOf(invoice: BookedInvoice | undefined): InvoiceState {
    if (!invoice) return { kind: 'notFound' };
    return settledOf(invoice) ?? { kind: isPayable(invoice) ? 'open' : 'cancelled' };
  }

  function cancel(paymentHash: string): null {
    const invoice = nodeLedger.invoices.get(paymentHash);
    if (invoice && invoice.settled === null && !invoice.isCancelled) {
      invoice.isCancelled = true;
      print(`the node cancels the invoice for ${invoice.label}`);
    }
    return null;
  }

  /** Reports settlements after the cursor, then new ones, until the stream ends. */
  async function follow({ after, signal, onOpen, onSettled }: FollowRequest): Promise<FollowEnd> {
    const begun = await carry(() => ({ kind: 'open' }) as const);
    if (begun.kind !== 'open') return { kind: 'unknown', cause: 'connection_lost' };
    const { endsAfterMs, missesEvery } = options.stream();
    onOpen?.();
    let delivered = Number(after ?? settledInOrder.length);
    let isOver = false;
    let wake = () => {};
    const onChange = () => wake();
    listeners.add(onChange);
    const end = () => {
      isOver = true;
      wake();
    };
    time.after(endsAfterMs, end);
    signal.addEventListener('abort', end);
    while (!isOver) {
      const next = settledInOrder[delivered];
      if (!next) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
        continue;
      }
      delivered += 1;
      await later(numbers.between(1, usualMs), () => undefined);
      const settled = settledOf(next);
      if (settled && (missesEvery === 0 || delivered % missesEvery > 0)) await onSettled(settled, String(delivered));
    }
    listeners.delete(onChange);
    return signal.aborted ? { kind: 'aborted' } : { kind: 'unknown', cause: 'connection_lost' };
  }

  const confirmationsOf = (minedAt: number | null) => (minedAt === null ? 0 : height - minedAt + 1);

  function listed(addresses: readonly string[]): AddressPayment[] {
    return [...nodeLedger.outputs.values()]
      .filter(({ address, isGone }) => !isGone && addresses.includes(address))
      .map(({ address, txId, vout, amountSats, minedAt }) => ({
        address,
        txId,
        vout,
        amountSats,
        confirmations: confirmationsOf(minedAt),
      }));
  }

  function addOutput(address: string, amountSats: number): BookedOutput {
    const output: BookedOutput = {
      txId: fresh('transaction'),
      vout: numbers.between(0, 1),
      address,
      amountSats,
      minedAt: null,
      isGone: false,
      maxConfirmations: 0,
      countsSince: null,
    };
    nodeLedger.outputs.set(`${output.txId}:${output.vout}`, output);
    print(`a transaction of ${amountSats} to ${address.slice(0, 12)} is seen`);
    return output;
  }

  function grow(): void {
    for (const output of nodeLedger.outputs.values()) {
      const confirmations = confirmationsOf(output.minedAt);
      output.maxConfirmations = Math.max(output.maxConfirmations, confirmations);
      if (confirmations >= options.confirmations) output.countsSince ??= time.now();
    }
  }

  function sending(wanted: Pick<BookedSending, 'network' | 'reference' | 'destination' | 'amountSats' | 'maxFeeSats'>) {
    return (behaviour: NodeBehaviour) => {
      const known = nodeLedger.sendings.get(wanted.reference);
      const row: BookedSending = known ?? {
        ...wanted,
        sends: 0,
        isDropped: true,
        outcome: 'none',
        txId: null,
        minedAt: null,
      };
      row.sends += 1;
      row.isDropped &&= behaviour.dropped === true;
      nodeLedger.sendings.set(wanted.reference, row);
      print(`the node is sent ${wanted.network} ${wanted.amountSats} as ${wanted.reference.slice(0, 20)}`);
      options.onSent(row);
    };
  }
  function booked(reference: string): BookedSending {
    const row = nodeLedger.sendings.get(reference);
    if (!row) throw new Error(`${reference} was never sent`);
    return row;
  }

  function paymentOutcomeOf(row: BookedSending): PaymentOutcome {
    if (row.outcome === 'failed') return { kind: 'failed', reason: 'no_route' };
    if (row.outcome !== 'succeeded') return { kind: 'inFlight' };
    return { kind: 'succeeded', preimage: hex(`proof of ${row.reference}`), feeMsat: lightningFeeSats * 1_000 };
  }

  /** Responds within `waitMs`, with the payment still in flight. */
  async function payOut(
    reference: string,
    waitMs: number | undefined,
    behaviour: NodeBehaviour,
  ): Promise<PaymentOutcome> {
    const row = booked(reference);
    if (row.outcome !== 'none') return paymentOutcomeOf(row);
    row.outcome = 'inFlight';
    const ended = later(behaviour.inFlightMs ?? numbers.between(1, 2 * usualMs), () => {
      row.outcome = behaviour.failed ? 'failed' : 'succeeded';
      print(`the payment ${reference.slice(0, 12)} has ${row.outcome}`);
    });
    await Promise.race([ended, later(waitMs ?? timeoutMs, () => undefined)]);
    return paymentOutcomeOf(row);
  }

  function sendCoins(label: string, behaviour: NodeBehaviour): OnChainOutcome {
    const row = booked(label);
    if (behaviour.failed && row.outcome === 'none') row.outcome = 'failed';
    if (row.outcome === 'failed') return { kind: 'failed', reason: 'insufficient_balance' };
    row.outcome = 'succeeded';
    row.txId ??= fresh('withdrawal');
    return { kind: 'sent', txId: row.txId, confirmations: 0, feeSats: null };
  }

  return {
    adapter: 'model',
    capabilities: {
      lightning: true,
      onChain: true,
      lightningWithdrawals: true,
      onChainWithdrawals: true,
      channelBackup: false,
    },
    nodeLedger,
    info: async () => ({ kind: 'unknown', cause: 'not_supported' }),
    testConnection: async () => [],
    createInvoice: request => ask(() => addInvoice(request), true),
    lookupInvoice: paymentHash => ask(() => stateOf(nodeLedger.invoices.get(paymentHash))),
    cancelInvoice(paymentHash) {
      nodeLedger.cancelled.add(paymentHash);
      return answering(() => cancel(paymentHash));
    },
    followInvoices: follow,
    newAddress: () => answering(() => ({ address: `bcrt1model${fresh('address')}` }), true),
    addressPayments: addresses => answering(() => listed(addresses)),
    receivableSats: async () => ({ kind: 'answered', value: null }),
    balances: () =>
      answering(() => ({
        lightningSats: nodeLedger.balanceSats('lightning'),
        onChainSats: nodeLedger.balanceSats('onchain'),
        onChainUnconfirmedSats: 0,
        chainHeight: null,
      })),
    payInvoice: ({ paymentHash, bolt11, amountSats, feeLimitSats, waitMs }) =>
      carry(behaviour => payOut(paymentHash, waitMs, behaviour), {
        makes: true,
        onSend: sending({
          network: 'lightning',
          reference: paymentHash,
          destination: bolt11,
          amountSats,
          maxFeeSats: feeLimitSats,
        }),
      }),
    lookupPayment: paymentHash =>
      ask(() => {
        const row = nodeLedger.sendings.get(paymentHash);
        return row === undefined || row.outcome === 'none' ? ({ kind: 'notFound' } as const) : paymentOutcomeOf(row);
      }),
    sendOnChain: ({ label, address, amountSats }) =>
      carry(behaviour => sendCoins(label, behaviour), {
        makes: true,
        onSend: sending({ network: 'onchain', reference: label, destination: address, amountSats, maxFeeSats: 0 }),
      }),
    lookupOnChain: label =>
      ask((): OnChainOutcome | { readonly kind: 'notFound' } => {
        const row = nodeLedger.sendings.get(label);
        if (row?.txId == null) return { kind: 'notFound' };
        const { txId, minedAt } = row;
        return { kind: 'sent', txId, confirmations: confirmationsOf(minedAt), feeSats: onChainFeeSats };
      }),
    movements: async () => {
      const none = { kind: 'unknown', cause: 'not_supported' } as const;
      return { settledInvoices: none, payments: none, receipts: none, sendings: none };
    },
    channelBackup: async () => ({ kind: 'unknown', cause: 'not_supported' }),
    close: async () => {},

    pay: (bolt11, amountMsat) =>
      later(numbers.between(1, 500), () => {
        const invoice = [...nodeLedger.invoices.values()].find(one => one.bolt11 === bolt11);
        if (!invoice || !isPayable(invoice) || amountMsat < invoice.amountSats * 1_000) return false;
        settledInOrder.push(invoice);
        invoice.settled = { receivedMsat: amountMsat, at: time.now(), index: settledInOrder.length };
        print(`the invoice for ${invoice.label} is paid`);
        for (const listener of listeners) listener();
        return true;
      }),
    receive: addOutput,
    isChainMoving: () =>
      [...nodeLedger.outputs.values()].some(
        ({ isGone, minedAt, countsSince }) => !isGone && (minedAt === null || countsSince === null),
      ) || [...nodeLedger.sendings.values()].some(({ txId, minedAt }) => txId !== null && minedAt === null),
    mine() {
      height += 1;
      for (const output of nodeLedger.outputs.values()) if (!output.isGone) output.minedAt ??= height;
      for (const row of nodeLedger.sendings.values()) if (row.txId !== null) row.minedAt ??= height;
      grow();
      print(`block ${height}`);
    },
    replace(output, isGivenUp) {
      if (output.minedAt !== null || output.isGone) return;
      output.isGone = true;
      print(`the transaction ${output.txId.slice(0, 12)} is ${isGivenUp ? 'given up' : 'replaced'}`);
      if (!isGivenUp) addOutput(output.address, output.amountSats);
    },
    reorganise(isGone) {
      for (const output of nodeLedger.outputs.values())
        if (output.minedAt === height) {
          output.minedAt = null;
          output.isGone = isGone;
        }
      for (const row of nodeLedger.sendings.values()) if (row.minedAt === height) row.minedAt = null;
      print(`block ${height} is taken back`);
      height -= 1;
    },
  };
}

function settledOf({ settled, paymentHash, preimage }: BookedInvoice): SettledInvoice | undefined {
  if (settled === null) return undefined;
  return {
    kind: 'settled',
    paymentHash,
    preimage,
    receivedMsat: settled.receivedMsat,
    settledAt: settled.at as Instant,
  };
}

/** The model as a node adapter. */
export function modelNodeAdapter(node: BitcoinNode): NodeAdapter {
  const noSettings = z.strictObject({});
  return nodeAdapter({
    name: 'model',
    examples: { config: {}, secrets: {} },
    config: noSettings,
    secrets: noSettings,
    open: () => node,
  });
}
