import type { z } from 'zod';
import type { AddressPayment, Answer, BitcoinNode, NotFound, OnChainFailure, OnChainOutcome } from '../node.ts';
import { asUnknown, type Lnd } from './connection.ts';
import {
  address,
  backup,
  blockchainBalance,
  channelBalance,
  errorOf,
  infoReply,
  readReply,
  sentCoins,
  transactions,
  unknownFrom,
} from './wire.ts';

/** Refusals before the node signs anything. Any other error may occur after signing. */
const failuresByMessage: readonly (readonly [RegExp, OnChainFailure])[] = [
  [/^insufficient funds available/, 'insufficient_balance'],
  [/dust/, 'below_dust'],
  [
    /decoded address is of unknown format|checksum (mismatch|failed)|address.*not valid for this network/i,
    'invalid_address',
  ],
];

/** In blocks: a margin below the recorded height for chain reorganisations. */
const deepestReorganisation = 144;

type Wallet = Pick<
  BitcoinNode,
  'newAddress' | 'addressPayments' | 'receivableSats' | 'balances' | 'sendOnChain' | 'lookupOnChain' | 'channelBackup'
>;

/** The node's own on-chain wallet. */
export function lndWallet(lnd: Lnd): Wallet {
  async function get<Value>(path: string, schema: z.ZodType<Value>, maxMs?: number): Promise<Answer<Value>> {
    const reply = await lnd.ask({ method: 'GET', path }, maxMs);
    return reply.kind === 'reply' ? readReply(schema, reply) : asUnknown(reply);
  }
  // Without an end height LND omits unconfirmed transactions.
  const listed = (fromHeight: number | null | undefined) => {
    const start = Math.max(0, (fromHeight ?? 0) - deepestReorganisation);
    return get(`/v1/transactions?start_height=${start}&end_height=-1`, transactions);
  };

  return {
    async newAddress() {
      const info = await get('/v1/getinfo', infoReply);
      if (info.kind === 'unknown') return info;
      const made = await get('/v1/newaddress?type=WITNESS_PUBKEY_HASH', address);
      if (made.kind === 'unknown') return made;
      return { kind: 'answered', value: { ...made.value, chainHeight: info.value.block_height } };
    },

    async addressPayments(addresses, fromHeight) {
      const wanted = new Set(addresses);
      const found = await listed(fromHeight);
      if (found.kind === 'unknown') return found;
      const payments = found.value.transactions.flatMap(({ tx_hash, num_confirmations, output_details }) =>
        output_details
          .filter(output => wanted.has(output.address))
          .map(
            (output): AddressPayment => ({
              address: output.address,
              txId: tx_hash,
              vout: output.output_index,
              amountSats: output.amount,
              confirmations: num_confirmations,
            }),
          ),
      );
      return { kind: 'answered', value: payments };
    },

    async receivableSats(waitMs) {
      const channels = await get('/v1/balance/channels', channelBalance, waitMs);
      return channels.kind === 'unknown' ? channels : { ...channels, value: channels.value.remote_balance.sat };
    },

    async balances(waitMs) {
      const [onChain, channels, info] = await Promise.all([
        get('/v1/balance/blockchain', blockchainBalance, waitMs),
        get('/v1/balance/channels', channelBalance, waitMs),
        get('/v1/getinfo', infoReply, waitMs),
      ]);
      if (onChain.kind === 'unknown') return onChain;
      if (channels.kind === 'unknown') return channels;
      if (info.kind === 'unknown') return info;
      return {
        kind: 'answered',
        value: {
          lightningSats: channels.value.local_balance.sat,
          onChainSats: onChain.value.confirmed_balance,
          onChainUnconfirmedSats: onChain.value.unconfirmed_balance,
          chainHeight: info.value.block_height,
        },
      };
    },

    async sendOnChain({ address: addr, amountSats, label, satsPerVbyte, waitMs }) {
      const fee = satsPerVbyte === undefined ? { target_conf: 6 } : { sat_per_vbyte: String(satsPerVbyte) };
      const body = { addr, amount: String(amountSats), label, spend_unconfirmed: false, ...fee };
      const reply = await lnd.send({ method: 'POST', path: '/v1/transactions', body }, waitMs);
      if (reply.kind !== 'reply') return reply;
      const sent = readReply(sentCoins, reply);
      if (sent.kind === 'answered') return { kind: 'sent', txId: sent.value.txid, confirmations: 0, feeSats: null };
      const message = errorOf(reply)?.message ?? '';
      const refusal = failuresByMessage.find(([words]) => words.test(message));
      return refusal ? { kind: 'failed', reason: refusal[1] } : unknownFrom(reply);
    },

    async lookupOnChain(label, fromHeight): Promise<OnChainOutcome | NotFound> {
      const found = await listed(fromHeight);
      if (found.kind === 'unknown') return found;
      const sent = found.value.transactions.find(one => one.label === label);
      if (!sent) return { kind: 'notFound' };
      const { tx_hash: txId, num_confirmations: confirmations, total_fees: feeSats } = sent;
      return { kind: 'sent', txId, confirmations, feeSats };
    },

    async channelBackup() {
      const found = await get('/v1/channels/backup', backup);
      if (found.kind === 'unknown') return found;
      const { chan_points, multi_chan_backup: data } = found.value.multi_chan_backup;
      return { kind: 'answered', value: { data, channels: chan_points.length, format: 'lnd_multi_channel_backup' } };
    },
  };
}
