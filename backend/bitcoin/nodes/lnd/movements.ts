import type { Instant } from '@florin/shared/ports.ts';
import type { z } from 'zod';
import { type Answer, type BitcoinNode, malformed, type NodeMovements, type SettledInvoice } from '../node.ts';
import { asUnknown, type Lnd } from './connection.ts';
import { settled } from './invoices.ts';
import { headerReply, invoicesPage, paymentsPage, readReply, walletHistory } from './wire.ts';

const pageSize = 100;
/** LND lists invoices by their creation. One that was settled since a time was made at most this long before it. */
const longestInvoiceMs = 7 * 24 * 3_600_000;
/** Blocks are found less often than this, so that none since a time is below the first one read. */
const blockMs = 60_000;
/** Labels that LND gives to transactions of its channels, such as `0:sweep`. */
const ownLabel = /^\d+:/;

/** What an LND node lists from a time on. */
export function lndMovements(lnd: Lnd): Pick<BitcoinNode, 'movements'> {
  async function get<Value>(path: string, schema: z.ZodType<Value>): Promise<Answer<Value>> {
    const reply = await lnd.ask({ method: 'GET', path });
    return reply.kind === 'reply' ? readReply(schema, reply) : asUnknown(reply);
  }

  /** Reads pages from the newest entry back to the first one before `from`. */
  async function back<Item>(
    page: (before: number) => Promise<Answer<{ readonly items: readonly Item[]; readonly first: number }>>,
    { from, createdAt }: { readonly from: Instant; readonly createdAt: (item: Item) => Instant },
  ): Promise<Answer<readonly Item[]>> {
    const found: Item[] = [];
    for (let before = 0; ; ) {
      const next = await page(before);
      if (next.kind === 'unknown') return next;
      const { items, first } = next.value;
      found.push(...items.filter(item => createdAt(item) >= from));
      if (items.length < pageSize || items.some(item => createdAt(item) < from)) break;
      // A page that does not lead further back is none of LND's.
      if (first < 1 || (before > 0 && first >= before)) return malformed;
      before = first;
    }
    return { kind: 'answered', value: found };
  }

  async function settledInvoices(from: Instant): Promise<NodeMovements['settledInvoices']> {
    const made = await back(
      async before => {
        const path = `/v1/invoices?reversed=true&num_max_invoices=${pageSize}&index_offset=${before}`;
        const page = await get(path, invoicesPage);
        return page.kind === 'unknown'
          ? page
          : { ...page, value: { items: page.value.invoices, first: page.value.first_index_offset } };
      },
      { from: from - longestInvoiceMs, createdAt: invoice => invoice.creation_date * 1_000 },
    );
    if (made.kind === 'unknown') return made;
    const value: SettledInvoice[] = [];
    for (const invoice of made.value) {
      // Payments without an invoice have none of this service.
      if (invoice.state !== 'SETTLED' || invoice.is_keysend || invoice.is_amp) continue;
      const one = settled(invoice);
      if (!one) return malformed;
      if (one.settledAt >= from) value.push(one);
    }
    return { kind: 'answered', value };
  }

  async function payments(from: Instant): Promise<NodeMovements['payments']> {
    const made = await back(
      async before => {
        const query = `include_incomplete=true&reversed=true&max_payments=${pageSize}&index_offset=${before}`;
        const page = await get(`/v1/payments?${query}`, paymentsPage);
        return page.kind === 'unknown'
          ? page
          : { ...page, value: { items: page.value.payments, first: page.value.first_index_offset } };
      },
      { from, createdAt: payment => payment.creation_time_ns },
    );
    if (made.kind === 'unknown') return made;
    const value = made.value
      .filter(({ status }) => status !== 'FAILED')
      .map(one => ({ paymentHash: one.payment_hash, amountSats: one.value_sat, at: one.creation_time_ns }));
    return { kind: 'answered', value };
  }

  async function onChain(from: Instant): Promise<Pick<NodeMovements, 'receipts' | 'sendings'>> {
    const info = await get('/v1/getinfo', headerReply);
    if (info.kind === 'unknown') return { receipts: info, sendings: info };
    const { block_height: height, best_header_timestamp: tipSeconds } = info.value;
    const blocks = Math.max(0, Math.ceil((tipSeconds * 1_000 - from) / blockMs));
    const startHeight = Math.max(0, height - blocks);
    const history = await get(`/v1/transactions?start_height=${startHeight}&end_height=-1`, walletHistory);
    if (history.kind === 'unknown') return { receipts: history, sendings: history };
    const listed = history.value.transactions
      .filter(({ label, time_stamp }) => !ownLabel.test(label) && time_stamp * 1_000 >= from)
      .map(one => ({ ...one, at: one.time_stamp * 1_000 }));
    const receipts = listed
      .filter(({ amount }) => amount > 0)
      .flatMap(({ tx_hash: txId, output_details, at }) =>
        output_details
          .filter(output => output.is_our_address)
          .map(({ address, output_index: vout, amount: amountSats }) => ({ address, txId, vout, amountSats, at })),
      );
    const sendings = listed
      .filter(({ amount, label }) => amount < 0 && label !== '')
      .flatMap(({ tx_hash: txId, output_details: outputs, label, at }) => {
        // The other outputs are change, unless it sent to itself.
        const output = outputs.find(one => !one.is_our_address) ?? outputs[0];
        return output ? [{ label, txId, address: output.address, amountSats: output.amount, at }] : [];
      });
    return { receipts: { kind: 'answered', value: receipts }, sendings: { kind: 'answered', value: sendings } };
  }

  return {
    async movements(from) {
      const [invoices, paid, chain] = await Promise.all([settledInvoices(from), payments(from), onChain(from)]);
      return { settledInvoices: invoices, payments: paid, ...chain };
    },
  };
}
