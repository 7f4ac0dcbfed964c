import type { AddressIndexes } from '../adapter.ts';
import { type ConnectionPorts, nodeConnection } from '../connection.ts';
import { type OnChainSettings, watchedAccount } from '../esplora/watched-account.ts';
import type { Answer, BitcoinNetwork, BitcoinNode, NodeConnectionTest, NodeInfo, Unknown } from '../node.ts';
import type { Phoenixd } from './connection.ts';
import { phoenixdInvoices } from './invoices.ts';
import { phoenixdPayments } from './payments.ts';
import { asUnknown, balanceReply, infoReply, readReply } from './wire.ts';

const networks: Readonly<Record<string, BitcoinNetwork>> = {
  mainnet: 'bitcoin',
  testnet: 'testnet',
  testnet3: 'testnet',
  testnet4: 'testnet',
  signet: 'signet',
  regtest: 'regtest',
};
const unsupported: Unknown = { kind: 'unknown', cause: 'not_supported' };

/**
 * phoenixd: Lightning without channel management. Its on-chain addresses are derived from an extended public key, and
 * on-chain withdrawals are not supported, because a sent transaction cannot be found by a label.
 */
export function phoenixdNode(
  settings: {
    readonly url: string;
    readonly password: string;
    readonly onChain?: OnChainSettings | undefined;
    readonly addressIndexes: AddressIndexes;
  },
  ports: ConnectionPorts,
): BitcoinNode {
  const connection = nodeConnection(settings, ports);
  const authorization = `Basic ${Buffer.from(`florin:${settings.password}`).toString('base64')}`;
  const request = (method: 'GET' | 'POST', path: string, form?: Readonly<Record<string, string>>) => ({
    method,
    path,
    headers: { authorization, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(form && { body: new URLSearchParams(form).toString() }),
  });
  const phoenixd: Phoenixd = {
    ask: (method, path, form, maxMs) => connection.ask(request(method, path, form), maxMs),
    send: (path, form, maxMs) => connection.send(request('POST', path, form), maxMs),
  };

  async function info(): Promise<Answer<NodeInfo>> {
    const reply = await phoenixd.ask('GET', '/getinfo');
    if (reply.kind !== 'reply') return asUnknown(reply);
    const found = readReply(infoReply, reply);
    if (found.kind === 'unknown') return found;
    const { nodeId, chain = 'mainnet', version = null, blockHeight = null, channels } = found.value;
    const network = networks[chain];
    if (network === undefined) return { kind: 'unknown', cause: 'malformed', message: 'an unknown network' };
    return {
      kind: 'answered',
      value: {
        publicKey: nodeId,
        alias: null,
        version,
        network,
        blockHeight,
        isSynced: true,
        activeChannels: channels.filter(({ state }) => state === 'Normal').length,
      },
    };
  }

  let known: BitcoinNetwork | undefined;
  async function network(): Promise<Answer<BitcoinNetwork>> {
    if (known === undefined) {
      const found = await info();
      if (found.kind === 'unknown') return found;
      known = found.value.network;
    }
    return { kind: 'answered', value: known };
  }
  const { onChain, addressIndexes: indexes } = settings;
  const account = onChain && watchedAccount(onChain, { ports, indexes, network });

  async function balances(waitMs?: number): ReturnType<BitcoinNode['balances']> {
    const reply = await phoenixd.ask('GET', '/getbalance', undefined, waitMs);
    if (reply.kind !== 'reply') return asUnknown(reply);
    const found = readReply(balanceReply, reply);
    if (found.kind === 'unknown') return found;
    const { balanceSat: lightningSats } = found.value;
    return { kind: 'answered', value: { lightningSats, onChainSats: 0, onChainUnconfirmedSats: 0, chainHeight: null } };
  }

  const { settledInvoices, ...invoices } = phoenixdInvoices(phoenixd, ports);
  const { paymentsFrom, ...payments } = phoenixdPayments(phoenixd);

  return {
    adapter: 'phoenixd',
    capabilities: {
      lightning: true,
      onChain: account !== undefined,
      lightningWithdrawals: true,
      onChainWithdrawals: false,
      channelBackup: false,
    },
    info,
    async testConnection() {
      const [node, balance, addresses] = await Promise.all([info(), balances(), account?.test()]);
      const all = [tested('node', node), tested('balances', balance)];
      return addresses ? [...all, tested('addresses', addresses)] : all;
    },
    receivableSats: async () => ({ kind: 'answered', value: null }),
    balances,
    ...invoices,
    ...payments,
    derived: account?.derived,
    newAddress: async () => account?.newAddress() ?? unsupported,
    addressPayments: async addresses => account?.addressPayments(addresses) ?? unsupported,
    sendOnChain: async () => ({ kind: 'notSent', cause: 'not_supported' }),
    lookupOnChain: async () => unsupported,
    movements: async from => ({
      settledInvoices: await settledInvoices(from),
      payments: await paymentsFrom(from),
      receipts: (await account?.receiptsBeyondIssued()) ?? unsupported,
      sendings: unsupported,
    }),
    channelBackup: async () => unsupported,
    async close() {
      await Promise.all([connection.close(), account?.close()]);
    },
  };
}

function tested(name: string, answer: Answer<unknown>): NodeConnectionTest {
  if (answer.kind === 'answered') return { name, ok: true };
  return { name, ok: false, cause: answer.cause, message: answer.message ?? '' };
}
