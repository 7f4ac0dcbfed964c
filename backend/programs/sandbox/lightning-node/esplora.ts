import type { ServerResponse } from 'node:http';
import type { Chain } from './chain.ts';
import type { TransactionRecord } from './store.ts';

/** A fault until removed: rate limited, disconnected, invalid responses, or payments that were never made. */
export type EsploraFault = 'busy' | 'broken' | 'garbled' | 'lying';

const genesis = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';
const perPage = 25;
const maxUnconfirmed = 50;

/** Esplora's REST interface to the sandbox's chain, limited to what watching addresses needs. */
export function esploraServer(chain: Chain) {
  let fault: EsploraFault | undefined;

  function listed(address: string): { confirmed: TransactionRecord[]; unconfirmed: TransactionRecord[] } {
    const all = chain.transactions().filter(({ outputs }) => outputs.some(output => output.address === address));
    return {
      confirmed: all.filter(one => one.blockHeight > 0).sort((a, b) => b.blockHeight - a.blockHeight),
      unconfirmed: all.filter(one => one.blockHeight === 0),
    };
  }
  const invented = (address: string): TransactionRecord => ({
    txId: 'ee'.repeat(32),
    outputs: [{ address, amountSats: 1_000_000, isWalletAddress: false }],
    spentSats: 0,
    feeSats: 0,
    label: '',
    createdAt: 0,
    blockHeight: chain.height(),
    replacedBy: null,
  });

  function answerTo(path: string): object | string | undefined {
    if (path === '/blocks/tip/height') return String(chain.height());
    if (path === '/block-height/0') return genesis;
    const [, address = '', rest = '', last] =
      /^\/address\/([0-9a-z]+)(\/txs(?:\/chain\/([0-9a-f]{64}))?)?$/.exec(path) ?? [];
    if (address === '') return undefined;
    const { confirmed, unconfirmed } = listed(address);
    if (rest === '')
      return { address, chain_stats: { tx_count: confirmed.length }, mempool_stats: { tx_count: unconfirmed.length } };
    const from = last === undefined ? 0 : confirmed.findIndex(one => one.txId === last) + 1;
    const waiting = last === undefined ? unconfirmed.slice(0, maxUnconfirmed) : [];
    const lies = fault === 'lying' && last === undefined ? [invented(address)] : [];
    return [...waiting, ...lies, ...confirmed.slice(from, from + perPage)].map(onWire);
  }

  function replyTo(path: string): { readonly status: number; readonly content: object | string } {
    if (fault === 'busy') return { status: 429, content: 'Too Many Requests' };
    if (fault === 'garbled') return { status: 200, content: { error: 'internal' } };
    const content = answerTo(path);
    return content === undefined ? { status: 404, content: 'Not Found' } : { status: 200, content };
  }

  return {
    setFault(next: EsploraFault | undefined): void {
      fault = next;
    },
    handle(path: string, response: ServerResponse): void {
      if (fault === 'broken') {
        response.destroy();
        return;
      }
      const { status, content } = replyTo(path);
      // Heights and hashes are plain text.
      response.writeHead(status, { 'content-type': typeof content === 'string' ? 'text/plain' : 'application/json' });
      response.end(typeof content === 'string' ? content : JSON.stringify(content));
    },
  };
}

function onWire({ txId, outputs, blockHeight }: TransactionRecord): object {
  return {
    txid: txId,
    vout: outputs.map(({ address, amountSats }) => ({ scriptpubkey_address: address, value: amountSats })),
    status: blockHeight === 0 ? { confirmed: false } : { confirmed: true, block_height: blockHeight },
  };
}
