import { z } from 'zod';
import { urlProblem } from '../../../foundation/outbound/address.ts';
import type { AddressIndexes } from '../adapter.ts';
import type { ConnectionPorts } from '../connection.ts';
import {
  type AddressPayment,
  type Answer,
  type BitcoinNetwork,
  type BitcoinNode,
  type DerivedAddresses,
  type ListedReceipt,
  malformed,
} from '../node.ts';
import { accountKeyOf, addressAt } from './account-key.ts';
import { type ChainSource, esploraSource } from './source.ts';

export type OnChainSettings = z.infer<ReturnType<typeof onChainSettings>>;

/** Settings that give on-chain addresses to a node without any. */
export function onChainSettings({ policy }: Pick<ConnectionPorts, 'policy'>) {
  const source = z.string().superRefine((url, context) => {
    const problem = urlProblem(url, policy);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });
  return z
    .strictObject({
      publicKey: z.string().max(300),
      script: z.enum(['bip84', 'bip86']).optional(),
      sources: z.array(source).min(1).max(3),
    })
    .superRefine(({ publicKey, script }, context) => {
      const read = accountKeyOf(publicKey, script);
      if (!read.ok) context.addIssue({ code: 'custom', path: ['publicKey'], message: read.refusal });
    });
}

/** Receiving addresses of an account whose private key is elsewhere, and the servers' reports of payments to them. */
export type WatchedAccount = Pick<BitcoinNode, 'newAddress' | 'addressPayments'> & {
  readonly derived: DerivedAddresses;
  /** Payments to addresses after the last one that was issued: records that were lost may have issued them. */
  receiptsBeyondIssued(): Promise<Answer<readonly ListedReceipt[]>>;
  /** Whether the key has addresses of this network and all servers respond. */
  test(): Promise<Answer<null>>;
  close(): Promise<void>;
};

/** The maximum number of used addresses skipped at once. */
const maxSkipped = 50;
/** The unused addresses after which there are no used ones (BIP44). */
const gapLimit = 20;

/**
 * Issues each address once from the account's public key and reads payments from every server. Throws if the settings
 * were not validated.
 */
export function watchedAccount(
  settings: OnChainSettings,
  options: {
    readonly ports: ConnectionPorts;
    readonly indexes: AddressIndexes;
    /** The network of the node. */
    readonly network: () => Promise<Answer<BitcoinNetwork>>;
  },
): WatchedAccount {
  const { ports, indexes, network } = options;
  const read = accountKeyOf(settings.publicKey, settings.script);
  if (!read.ok) throw new Error('the settings were not validated');
  const key = read.value;
  const sources = settings.sources.map(url => esploraSource(url, ports));

  async function at(index: number): Promise<Answer<string>> {
    const on = await network();
    if (on.kind === 'unknown') return on;
    if ((on.value === 'bitcoin') !== key.isMainnet)
      return { ...malformed, message: `the key is not of the network ${on.value}` };
    const value = await addressAt(key, index, on.value);
    return value === undefined ? { ...malformed, message: 'the key makes no address' } : { kind: 'answered', value };
  }

  /** A wallet of the same account may have issued the address already. */
  async function isUsed(address: string): Promise<Answer<boolean>> {
    const replies = await Promise.all(sources.map(source => source.isUsed(address)));
    const unanswered = replies.find(reply => reply.kind === 'unknown');
    if (unanswered) return unanswered;
    return { kind: 'answered', value: replies.some(reply => reply.kind === 'answered' && reply.value) };
  }

  async function addressPayments(addresses: readonly string[]): Promise<Answer<readonly AddressPayment[]>> {
    const replies = await Promise.all(sources.map(source => source.paymentsTo(addresses)));
    const [first, ...others] = replies.flatMap(reply => (reply.kind === 'answered' ? [reply.value] : []));
    const unanswered = replies.find(reply => reply.kind === 'unknown');
    if (unanswered) return unanswered;
    return { kind: 'answered', value: others.reduce(agreed, first ?? []) };
  }

  return {
    derived: {
      first: async () => {
        const made = await at(0);
        return made.kind === 'answered' ? made.value : null;
      },
      given: () => indexes.given(key.sequence),
    },

    async test() {
      const made = await at(0);
      if (made.kind === 'unknown') return made;
      const on = await network();
      if (on.kind === 'unknown') return on;
      const replies = await Promise.all(sources.map(source => source.test(on.value)));
      return replies.find(reply => reply.kind === 'unknown') ?? { kind: 'answered', value: null };
    },

    /** The index is taken permanently before anything else. */
    async newAddress() {
      for (let attempt = 0; attempt < maxSkipped; attempt += 1) {
        const made = await at(await indexes.next(key.sequence));
        if (made.kind === 'unknown') return made;
        const used = await isUsed(made.value);
        if (used.kind === 'unknown') return used;
        if (!used.value) return { kind: 'answered', value: { address: made.value } };
      }
      return { ...malformed, message: 'every address tried is already used' };
    },

    addressPayments,

    async receiptsBeyondIssued() {
      const found: ListedReceipt[] = [];
      let index = await indexes.given(key.sequence);
      for (let unused = 0; unused < gapLimit; index += 1) {
        const made = await at(index);
        if (made.kind === 'unknown') return made;
        const payments = await addressPayments([made.value]);
        if (payments.kind === 'unknown') return payments;
        unused = payments.value.length === 0 ? unused + 1 : 0;
        found.push(
          ...payments.value.map(({ address, txId, vout, amountSats }) => ({
            address,
            txId,
            vout,
            amountSats,
            at: null,
          })),
        );
      }
      return { kind: 'answered', value: found };
    },

    async close() {
      await Promise.all(sources.map((source: ChainSource) => source.close()));
    },
  };
}

/** A payment is confirmed as far as all servers report it; one that only some report is seen, not confirmed. */
function agreed(some: readonly AddressPayment[], others: readonly AddressPayment[]): AddressPayment[] {
  const nameOf = ({ address, txId, vout, amountSats }: AddressPayment) => `${address} ${txId} ${vout} ${amountSats}`;
  const byName = new Map(others.map(payment => [nameOf(payment), payment]));
  const known = some.map(payment => ({
    ...payment,
    confirmations: Math.min(payment.confirmations, byName.get(nameOf(payment))?.confirmations ?? 0),
  }));
  const names = new Set(some.map(nameOf));
  const alone = others.filter(payment => !names.has(nameOf(payment)));
  return [...known, ...alone.map(payment => ({ ...payment, confirmations: 0 }))];
}
