import type { ConnectionPorts } from '../connection.ts';
import type { Answer, BitcoinNetwork, BitcoinNode, NodeConnectionTest, NodeInfo } from '../node.ts';
import { asUnknown, type LndConfig, lndConnection } from './connection.ts';
import { lndInvoices } from './invoices.ts';
import { lndMovements } from './movements.ts';
import { lndPayments } from './payments.ts';
import { lndWallet } from './wallet.ts';
import { infoReply, readReply } from './wire.ts';

/** A payment hash without an invoice: the response to its lookup shows whether the macaroon permits lookups. */
const noInvoice = '00'.repeat(32);
const networks: Readonly<Record<string, BitcoinNetwork>> = {
  mainnet: 'bitcoin',
  testnet: 'testnet',
  testnet4: 'testnet',
  regtest: 'regtest',
  signet: 'signet',
};

/** An LND node over its REST interface. */
export function lndNode(
  settings: { readonly config: LndConfig; readonly macaroonHex: string; readonly invoiceKey: Uint8Array },
  ports: ConnectionPorts,
): BitcoinNode {
  const lnd = lndConnection(settings.config, settings.macaroonHex, ports);
  const invoices = lndInvoices(lnd, settings.invoiceKey);
  const wallet = lndWallet(lnd);

  async function info(): Promise<Answer<NodeInfo>> {
    const reply = await lnd.ask({ method: 'GET', path: '/v1/getinfo' });
    if (reply.kind !== 'reply') return asUnknown(reply);
    const found = readReply(infoReply, reply);
    if (found.kind === 'unknown') return found;
    const network = networks[found.value.chains[0]?.network ?? ''];
    if (network === undefined) return { kind: 'unknown', cause: 'malformed', message: 'an unknown network' };
    return {
      kind: 'answered',
      value: {
        publicKey: found.value.identity_pubkey,
        alias: found.value.alias,
        version: found.value.version,
        network,
        blockHeight: found.value.block_height,
        isSynced: found.value.synced_to_chain,
        activeChannels: found.value.num_active_channels,
      },
    };
  }

  return {
    adapter: 'lnd',
    capabilities: {
      lightning: true,
      onChain: true,
      lightningWithdrawals: true,
      onChainWithdrawals: true,
      channelBackup: true,
    },
    info,
    async testConnection() {
      const [node, lookup, balances] = await Promise.all([
        info(),
        invoices.lookupInvoice(noInvoice),
        wallet.balances(),
      ]);
      return [tested('node', node), tested('invoices', lookup), tested('balances', balances)];
    },
    ...invoices,
    ...wallet,
    ...lndPayments(lnd),
    ...lndMovements(lnd),
    close: () => lnd.close(),
  };
}

function tested(
  name: string,
  answer: { readonly kind: string } | Extract<Answer<never>, { kind: 'unknown' }>,
): NodeConnectionTest {
  if (!('cause' in answer)) return { name, ok: true };
  return { name, ok: false, cause: answer.cause, message: answer.message ?? '' };
}
