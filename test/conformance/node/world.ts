import type { AddressIndexes } from '@florin/backend/bitcoin/nodes/adapter.ts';
import type { BitcoinNode } from '@florin/backend/bitcoin/nodes/node.ts';
import { nodeRegistry } from '@florin/backend/bitcoin/nodes/registry.ts';
import type { Invoices } from '@florin/backend/programs/sandbox/lightning-node/invoices.ts';
import type { Payments } from '@florin/backend/programs/sandbox/lightning-node/payments.ts';
import { startLightningNodeSandbox } from '@florin/backend/programs/sandbox/lightning-node/server.ts';
import type { ForeignInvoiceRecord, ForeignOutcome } from '@florin/backend/programs/sandbox/lightning-node/store.ts';
import { startPhoenixdSandbox } from '@florin/backend/programs/sandbox/phoenixd/server.ts';
import type { NodeUnderTest } from './suite.ts';

/** Timers that a test expires: `pass` runs those of up to this many milliseconds. */
function manualTimers() {
  const armed = new Map<() => void, number>();
  return {
    after(delayMs: number, task: () => void) {
      armed.set(task, delayMs);
      return () => void armed.delete(task);
    },
    expire(withinMs: number): void {
      for (const [task, delayMs] of armed) {
        if (delayMs > withinMs) continue;
        armed.delete(task);
        task();
      }
    },
  };
}

const invoiceKey = new Uint8Array(32).fill(7);
/** Address indexes that are lost when the process ends. */
function indexesInMemory(): AddressIndexes {
  const given = new Map<string, number>();
  return {
    async next(sequence) {
      const index = given.get(sequence) ?? 0;
      given.set(sequence, index + 1);
      return index;
    },
    given: async sequence => given.get(sequence) ?? 0,
  };
}

/** Opens the node of stored settings, as a backend on the same machine does. */
function opened(adapter: string, timers: ReturnType<typeof manualTimers>, config: object, secrets: object) {
  const registry = nodeRegistry({ timers, timeoutMs: 5_000, policy: { allowLoopback: true } });
  const made = registry.get(adapter)?.open({ config, secrets, invoiceKey, addressIndexes: indexesInMemory() });
  if (!made?.ok) throw new Error(JSON.stringify(made?.refusal));
  return made.value;
}

function manyMovements(
  count: number,
  books: {
    readonly invoices: Pick<Invoices, 'add' | 'pay'>;
    readonly payments: Pick<Payments, 'send'>;
    foreignInvoice(): ForeignInvoiceRecord;
  },
) {
  const times = Array.from({ length: count });
  const wanted = { valueMsat: 7_000, memo: 'Tea', descriptionHash: '', expiresInSeconds: 900 };
  const received = times.map(() => {
    const paymentHash = books.invoices.add(wanted)?.paymentHash ?? '';
    books.invoices.pay(paymentHash, {});
    return paymentHash;
  });
  const sent = times.map(() => {
    const { bolt11, paymentHash } = books.foreignInvoice();
    books.payments.send({ bolt11, amountMsat: 0, feeLimitMsat: 10_000 });
    return paymentHash;
  });
  return { received, sent };
}

/** A sandbox node, and the product's adapter connected to it. */
export async function anLndWorld() {
  const sandbox = await startLightningNodeSandbox({ file: ':memory:' });
  const { control } = sandbox;
  const timers = manualTimers();
  const nodes: BitcoinNode[] = [];
  const open = (config: object = {}, macaroon: string = sandbox.macaroons.admin): BitcoinNode => {
    const settings = { url: sandbox.url, certificate: sandbox.certificate, ...config };
    const node = opened('lnd', timers, settings, { macaroon });
    nodes.push(node);
    return node;
  };
  const world: NodeUnderTest = {
    node: open(),
    nodeWithWrongSecret: open({}, `0201036c6e64${'00'.repeat(48)}`),
    pay: (paymentHash, amountMsat) =>
      void control.invoices.pay(paymentHash, amountMsat === undefined ? {} : { amountMsat }),
    expire: paymentHash => void control.invoices.expire(paymentHash),
    afterLoss: () => open(),
    many: count => manyMovements(count, { ...control, foreignInvoice: () => control.foreignInvoice({ memo: '' }) }),
    foreignInvoice: outcome => control.foreignInvoice({ outcome }),
    resolve: (paymentHash, outcome) => void control.payments.resolve(paymentHash, outcome),
    fault: fault => control.addFault(fault),
    clearFaults: () => control.clearFaults(),
    refuseConnections: () => control.refuseConnections(),
    acceptConnections: () => control.acceptConnections(),
    calls: () => control.requests().map(({ call }) => call) as ReturnType<NodeUnderTest['calls']>,
    pass: milliseconds => timers.expire(milliseconds),
    async close() {
      await Promise.all(nodes.map(node => node.close()));
      await sandbox.close();
    },
  };
  return { ...world, sandbox, control, timers, open };
}

/** The first account of the seed of BIP84's test vectors, on test networks. */
export const vpub =
  'vpub5Y6cjg78GGuNLsaPhmYsiw4gYX3HoQiRBiSwDaBXKUafCt9bNwWQiitDk5VZ5BVxYnQdwoTyXSs2JHRPAgjAvtbBrf8ZhDYe2jWAqvZVnsc';

export async function aPhoenixdWorld(config: object = {}): Promise<NodeUnderTest> {
  const sandbox = await startPhoenixdSandbox();
  const timers = manualTimers();
  const nodes: BitcoinNode[] = [];
  const open = (password: string) => {
    const opening = opened('phoenixd', timers, { url: sandbox.url, ...config }, { password });
    nodes.push(opening);
    return opening;
  };
  const foreignInvoice = (outcome: ForeignOutcome) =>
    sandbox.payments.foreignInvoice({ amountSats: 1_000, memo: '', outcome, expiresInSeconds: 3_600 });
  const [node, nodeWithWrongSecret] = [open(sandbox.password), open('another password'.replace(' ', '-'))];
  return {
    node,
    nodeWithWrongSecret,
    pay: (paymentHash, amountMsat) =>
      void sandbox.invoices.pay(paymentHash, amountMsat === undefined ? {} : { amountMsat }),
    expire: paymentHash => void sandbox.invoices.expire(paymentHash),
    afterLoss: () => open(sandbox.password),
    many: count => manyMovements(count, { ...sandbox, foreignInvoice: () => foreignInvoice('succeeds') }),
    foreignInvoice,
    resolve: (paymentHash, outcome) => void sandbox.payments.resolve(paymentHash, outcome),
    fault: fault => sandbox.faults.add(fault),
    clearFaults: () => sandbox.faults.clear(),
    refuseConnections: () => sandbox.refuseConnections(),
    acceptConnections: () => sandbox.acceptConnections(),
    calls: () => sandbox.requests(),
    pass: milliseconds => timers.expire(milliseconds),
    async close() {
      await Promise.all(nodes.map(one => one.close()));
      await sandbox.close();
    },
  };
}

/** A phoenixd whose business has an account watched on a server with Esplora's interface. */
export async function aWatchedWorld() {
  const { control, controlUrl, close } = await startLightningNodeSandbox({ file: ':memory:' });
  const sources = [`${controlUrl}/esplora`];
  const world = await aPhoenixdWorld({ onChain: { publicKey: vpub, sources } });
  return {
    ...world,
    control,
    async close() {
      await world.close();
      await close();
    },
  };
}
