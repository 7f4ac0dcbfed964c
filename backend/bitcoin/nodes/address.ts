import type { BitcoinNetwork } from './node.ts';

/** Returns a check for addresses of a network. */
export async function addressReader(address: string): Promise<(network: BitcoinNetwork) => boolean> {
  // Loaded lazily, like the invoice parser.
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
      // The package throws for invalid addresses.
      return false;
    }
  };
}
