import type { BitcoinNetwork } from './node.ts';

/** Whether an address is one of a network. */
export async function addressReader(address: string): Promise<(network: BitcoinNetwork) => boolean> {
  // Loaded by the first address, as what reads invoices is.
  const { Address, NETWORK, TEST_NETWORK } = await import('@scure/btc-signer');
  const addressNetworks: Readonly<Record<BitcoinNetwork, typeof NETWORK>> = {
    bitcoin: NETWORK,
    testnet: TEST_NETWORK,
    signet: TEST_NETWORK,
    regtest: { ...TEST_NETWORK, bech32: 'bcrt' },
  };
  return network => {
    try {
      return Address(addressNetworks[network]).decode(address).type !== 'unknown';
    } catch {
      // The package throws for whatever is none.
      return false;
    }
  };
}
