import { z } from 'zod';
import { type ConnectionPorts, nodeConnection } from '../connection.ts';
import { type AddressPayment, type Answer, type BitcoinNetwork, malformed } from '../node.ts';

/** A server that reports the state of the chain. */
export type ChainSource = {
  /** Whether it responds and serves this network. */
  test(network: BitcoinNetwork): Promise<Answer<null>>;
  /** Whether an address ever received a payment. */
  isUsed(address: string): Promise<Answer<boolean>>;
  paymentsTo(addresses: readonly string[]): Promise<Answer<readonly AddressPayment[]>>;
  close(): Promise<void>;
};

const hex32 = z.string().regex(/^[0-9a-f]{64}$/);
const whole = z.int().min(0);
const counts = z.object({ tx_count: whole });
const addressReply = z.object({ chain_stats: counts, mempool_stats: counts });
const transactionsReply = z.array(
  z.object({
    txid: hex32,
    vout: z.array(z.object({ scriptpubkey_address: z.string().optional(), value: whole })),
    status: z.union([
      z.object({ confirmed: z.literal(true), block_height: whole }),
      z.object({ confirmed: z.literal(false) }),
    ]),
  }),
);
type Transactions = z.infer<typeof transactionsReply>;

const confirmedPerPage = 25;
/** The maximum number of unconfirmed transactions it lists. */
const maxUnconfirmed = 50;
const maxPages = 40;

/** The genesis block of each chain. */
const genesis: Readonly<Record<BitcoinNetwork, readonly string[]>> = {
  bitcoin: ['000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'],
  testnet: [
    '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
    '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
  ],
  signet: ['00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6'],
  regtest: ['0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'],
};

/** A server with Esplora's REST interface. */
export function esploraSource(url: string, ports: ConnectionPorts): ChainSource {
  const connection = nodeConnection({ url }, ports);

  async function ask<Value>(path: string, schema: z.ZodType<Value>): Promise<Answer<Value>> {
    const reply = await connection.ask({ method: 'GET', path });
    if (reply.kind !== 'reply') return { ...reply, kind: 'unknown' };
    if (reply.status !== 200) return { kind: 'unknown', cause: 'node_error', message: `HTTP ${reply.status}` };
    const parsed = schema.safeParse(jsonOf(reply.body));
    return parsed.success ? { kind: 'answered', value: parsed.data } : malformed;
  }

  /** All transactions of an address, or an error. */
  async function transactionsOf(address: string): Promise<Answer<Transactions>> {
    const first = await ask(`/address/${address}/txs`, transactionsReply);
    if (first.kind === 'unknown') return first;
    if (first.value.filter(({ status }) => !status.confirmed).length >= maxUnconfirmed) return malformed;
    const found = [...first.value];
    let page = found.filter(({ status }) => status.confirmed);
    for (let number = 1; page.length === confirmedPerPage; number += 1) {
      if (number > maxPages) return malformed;
      const next = await ask(`/address/${address}/txs/chain/${page.at(-1)?.txid}`, transactionsReply);
      if (next.kind === 'unknown') return next;
      page = next.value;
      found.push(...page);
    }
    return { kind: 'answered', value: found };
  }

  return {
    async test(network) {
      const [first, tip] = [await ask('/block-height/0', z.string()), await ask('/blocks/tip/height', whole)];
      if (first.kind === 'unknown') return first;
      if (tip.kind === 'unknown') return tip;
      if (genesis[network].includes(first.value.trim())) return { kind: 'answered', value: null };
      return { ...malformed, message: `is not of the network ${network}` };
    },

    async isUsed(address) {
      const reply = await ask(`/address/${address}`, addressReply);
      if (reply.kind === 'unknown') return reply;
      const { chain_stats: chain, mempool_stats: mempool } = reply.value;
      return { kind: 'answered', value: chain.tx_count + mempool.tx_count > 0 };
    },

    async paymentsTo(addresses) {
      const listed: { address: string; transactions: Transactions }[] = [];
      // Sequential, because public servers limit request rates.
      for (const address of new Set(addresses)) {
        const found = await transactionsOf(address);
        if (found.kind === 'unknown') return found;
        listed.push({ address, transactions: found.value });
      }
      const tip = await ask('/blocks/tip/height', whole);
      if (tip.kind === 'unknown') return tip;
      const payments = listed.flatMap(({ address, transactions }) => paymentsOf(address, transactions, tip.value));
      // The tip is read last, so no block read before can be above it.
      return payments.some(({ confirmations }) => confirmations < 0)
        ? malformed
        : { kind: 'answered', value: payments };
    },

    close: () => connection.close(),
  };
}

function paymentsOf(address: string, transactions: Transactions, tip: number): AddressPayment[] {
  return transactions.flatMap(({ txid: txId, vout: outputs, status }) => {
    const depth = status.confirmed ? tip - status.block_height + 1 : 0;
    const confirmations = status.confirmed && depth < 1 ? -1 : depth;
    return outputs.flatMap((output, vout) =>
      output.scriptpubkey_address === address && output.value > 0
        ? [{ address, txId, vout, amountSats: output.value, confirmations }]
        : [],
    );
  });
}

/** JSON; some responses are plain text. */
function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}
