import type { BitcoinNode, NotSent, Unknown } from './node.ts';

const unknown: Unknown = { kind: 'unknown', cause: 'node_unusable' };
const notSent: NotSent = { kind: 'notSent', cause: 'node_unusable' };

/** The node of a backend that is missing or unreadable: it sends nothing and has no data. */
export const unusableNode: BitcoinNode = {
  adapter: 'unusable',
  capabilities: {
    lightning: false,
    onChain: false,
    lightningWithdrawals: false,
    onChainWithdrawals: false,
    channelBackup: false,
  },
  info: async () => unknown,
  testConnection: async () => [{ name: 'settings', ok: false, cause: 'node_unusable', message: '' }],
  createInvoice: async () => unknown,
  lookupInvoice: async () => unknown,
  cancelInvoice: async () => unknown,
  followInvoices: async () => unknown,
  newAddress: async () => unknown,
  addressPayments: async () => unknown,
  receivableSats: async () => unknown,
  balances: async () => unknown,
  payInvoice: async () => notSent,
  lookupPayment: async () => unknown,
  sendOnChain: async () => notSent,
  lookupOnChain: async () => unknown,
  movements: async () => ({ settledInvoices: unknown, payments: unknown, receipts: unknown, sendings: unknown }),
  channelBackup: async () => unknown,
  close: async () => {},
};
