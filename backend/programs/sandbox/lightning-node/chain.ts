import type { Clock, Random } from '@florin/shared/ports.ts';
import { HDKey } from '@scure/bip32';
import { p2wpkh, TEST_NETWORK } from '@scure/btc-signer';
import { kept, type Store, type TransactionRecord } from './store.ts';

const regtest = { ...TEST_NETWORK, bech32: 'bcrt' };

export type Chain = ReturnType<typeof chainBook>;

/** A simulated blockchain: wallet addresses, mempool, blocks, replacements, reorganisations. */
export function chainBook(options: { store: Store; clock: Clock; random: Random; seed: Uint8Array }) {
  const { store, clock, random } = options;
  const root = HDKey.fromMasterSeed(options.seed).derive("m/84'/1'/0'");
  const save = (transaction: TransactionRecord) => store.put('transaction', transaction.txId, transaction);
  const height = () => Number(kept(store, 'height', () => '800000'));
  const inMempool = (one: TransactionRecord) => one.blockHeight === 0 && one.replacedBy === null;

  function add(transaction: Partial<TransactionRecord> & Pick<TransactionRecord, 'outputs'>): TransactionRecord {
    return save({
      txId: Buffer.from(random.bytes(32)).toString('hex'),
      spentSats: 0,
      feeSats: 0,
      label: '',
      createdAt: clock.now(),
      blockHeight: 0,
      replacedBy: null,
      ...transaction,
    });
  }

  function newAddress(): string {
    const index = store.all('address').length;
    const { publicKey } = root.deriveChild(0).deriveChild(index);
    const address = publicKey && p2wpkh(publicKey, regtest).address;
    if (!address) throw new Error(`no address at index ${index}`);
    store.put('address', address, { address, index });
    return address;
  }

  function balances() {
    const listed = store.all('transaction').filter(one => one.replacedBy === null);
    const change = (one: TransactionRecord) =>
      one.outputs.reduce((sum, { amountSats, isWalletAddress }) => sum + (isWalletAddress ? amountSats : 0), 0) -
      one.spentSats;
    const sum = (some: TransactionRecord[]) => some.reduce((total, one) => total + change(one), 0);
    // Spent coins are deducted at once, mined or not.
    const counted = listed.filter(one => one.blockHeight > 0 || change(one) < 0);
    return {
      confirmedSats: sum(counted),
      unconfirmedSats: sum(listed.filter(one => !counted.includes(one))),
    };
  }

  return {
    height,

    newAddress,

    isWalletAddress: (address: string) => store.get('address', address) !== undefined,

    /** The wallet's transactions without replaced or dropped ones. */
    transactions: () => store.all('transaction').filter(one => one.replacedBy === null),
    byLabel: (label: string) => store.all('transaction').find(one => one.label === label),

    /** A payment to an address; the transaction enters the mempool. */
    payTo(address: string, amountSats: number): TransactionRecord {
      return add({ outputs: [{ address, amountSats, isWalletAddress: store.get('address', address) !== undefined }] });
    },

    /** A payment from the wallet, which spends all its coins: the rest is change. */
    send(sending: { address: string; amountSats: number; feeSats: number; label: string }): TransactionRecord {
      const { address, amountSats, feeSats, label } = sending;
      const isWalletAddress = store.get('address', address) !== undefined;
      const changeSats = Math.max(0, balances().confirmedSats - amountSats - feeSats);
      const change = { address: newAddress(), amountSats: changeSats, isWalletAddress: true };
      return add({
        outputs: [{ address, amountSats, isWalletAddress }, ...(changeSats === 0 ? [] : [change])],
        spentSats: amountSats + feeSats + changeSats,
        feeSats,
        label,
      });
    },

    /** Mines blocks, the first with the whole mempool or with this transaction only. */
    mine(blocks: number, txId?: string): number {
      const next = height() + 1;
      for (const one of store.all('transaction'))
        if (inMempool(one) && (txId === undefined || one.txId === txId)) save({ ...one, blockHeight: next });
      store.put('value', 'height', { text: String(next + blocks - 1) });
      return height();
    },

    /** Double-spends the same coins: to the same address with another amount, or back to the payer. */
    replace(txId: string, amountSats: number | undefined): TransactionRecord | undefined {
      const old = store.get('transaction', txId);
      const output = old?.outputs[0];
      if (!old || !output || !inMempool(old)) return undefined;
      const outputs = amountSats === undefined ? [] : [{ ...output, amountSats }];
      const made = add({ outputs });
      save({ ...old, replacedBy: made.txId });
      return made;
    },

    /** Removes it from the mempool. */
    drop(txId: string): boolean {
      const old = store.get('transaction', txId);
      if (!old || !inMempool(old)) return false;
      save({ ...old, replacedBy: 'dropped' });
      return true;
    },

    /** Returns it to the mempool. */
    restore(txId: string): void {
      const old = store.get('transaction', txId);
      if (old?.replacedBy === 'dropped') save({ ...old, replacedBy: null });
    },

    /** Replaces the last blocks; their transactions return to the mempool. */
    reorganise(blocks: number): number {
      const kept = height() - blocks;
      for (const one of store.all('transaction')) if (one.blockHeight > kept) save({ ...one, blockHeight: 0 });
      // The winning branch is longer.
      store.put('value', 'height', { text: String(height() + 1) });
      return height();
    },

    balances,
  };
}
