import { Address, TEST_NETWORK } from '@scure/btc-signer';
import { sha256 } from './bolt11.ts';
import type { Stream } from './reply.ts';
import { pageOf, textOf, wholeNumber } from './rest-invoices.ts';
import type { RestOptions, RestRoute } from './route.ts';
import type { PaymentRecord } from './store.ts';
import { answer, base64, codes, failure, hexOf, paymentOnWire, transactionOnWire } from './wire.ts';

const regtest = { ...TEST_NETWORK, bech32: 'bcrt' };
const dustSats = 294;
const defaultFeeRate = 2;
/** Virtual bytes of a payment from one coin with change. */
const sizeVbytes = 141;

const amountOnWire = (msat: number) => ({ sat: String(Math.floor(msat / 1000)), msat: String(msat) });

/** All calls except invoices: node, wallet and outgoing payments. */
export function walletRoutes({ chain, payments, invoices, clock }: RestOptions): RestRoute[] {
  /** Streams the state of a payment, then each change until it is final. */
  const follow =
    (payment: PaymentRecord): Stream =>
    (write, end) => {
      write(paymentOnWire(payment));
      if (payment.status !== 'IN_FLIGHT') {
        end();
        return () => undefined;
      }
      return payments.listen(changed => {
        if (changed.paymentHash !== payment.paymentHash) return;
        write(paymentOnWire(changed));
        if (changed.status !== 'IN_FLIGHT') end();
      });
    };

  return [
    {
      call: 'GET_INFO',
      method: 'GET',
      path: /^\/v1\/getinfo$/,
      run: () =>
        answer({
          version: '0.19.3-beta commit=v0.19.3-beta',
          commit_hash: '',
          identity_pubkey: invoices.publicKey,
          alias: 'florin-sandbox',
          color: '#f7931a',
          num_pending_channels: 0,
          num_active_channels: 3,
          num_inactive_channels: 0,
          num_peers: 3,
          block_height: chain.height(),
          block_hash: chain.height().toString(16).padStart(64, '0'),
          best_header_timestamp: String(Math.floor(clock.now() / 1_000)),
          synced_to_chain: true,
          synced_to_graph: true,
          testnet: false,
          chains: [{ chain: 'bitcoin', network: 'regtest' }],
          uris: [],
          features: {},
        }),
    },
    {
      call: 'NEW_ADDRESS',
      method: 'GET',
      path: /^\/v1\/newaddress$/,
      run: () => answer({ address: chain.newAddress() }),
    },
    {
      call: 'TRANSACTIONS',
      method: 'GET',
      path: /^\/v1\/transactions$/,
      run({ query }) {
        const from = Number(query.get('start_height') ?? 0);
        const to = Number(query.get('end_height') ?? 0);
        const height = chain.height();
        // Only an end height of -1 includes unconfirmed transactions.
        const isListed = (blockHeight: number) =>
          blockHeight === 0 ? to === -1 : blockHeight >= from && (to <= 0 || blockHeight <= to);
        const listed = chain.transactions().filter(one => isListed(one.blockHeight));
        return answer({
          transactions: listed.map(one => transactionOnWire(one, height)).reverse(),
          last_index: String(listed.length),
          first_index: '0',
        });
      },
    },
    {
      call: 'BALANCE',
      method: 'GET',
      path: /^\/v1\/balance\/(blockchain|channels)$/,
      run({ name }) {
        if (name === 'channels') {
          const msat = payments.balanceMsat();
          const amount = amountOnWire(msat);
          return answer({
            balance: amount.sat,
            pending_open_balance: '0',
            local_balance: amount,
            remote_balance: amountOnWire(payments.receivableMsat()),
          });
        }
        const { confirmedSats, unconfirmedSats } = chain.balances();
        return answer({
          total_balance: String(confirmedSats + unconfirmedSats),
          confirmed_balance: String(confirmedSats),
          unconfirmed_balance: String(unconfirmedSats),
          locked_balance: '0',
          reserved_balance_anchor_chan: '0',
          account_balance: {},
        });
      },
    },
    {
      call: 'SEND_PAYMENT',
      method: 'POST',
      path: /^\/v2\/router\/send$/,
      run({ body }) {
        const amountSats = wholeNumber(body.amt);
        const feeLimitSats = wholeNumber(body.fee_limit_sat);
        if (amountSats === undefined || feeLimitSats === undefined)
          return failure(codes.invalidArgument, 'invalid value for int64 field');
        if (!wholeNumber(body.timeout_seconds))
          return streamFailure(codes.unknown, 'timeout_seconds must be specified');
        const made = payments.send({
          bolt11: textOf(body.payment_request),
          amountMsat: amountSats * 1000,
          feeLimitMsat: feeLimitSats * 1000,
        });
        if (made === 'already_paid') return streamFailure(codes.alreadyExists, 'invoice is already paid');
        if (made === 'in_transition') return streamFailure(codes.alreadyExists, 'payment is in transition');
        return made === 'invalid' ? streamFailure(codes.unknown, 'invalid payment request') : follow(made);
      },
    },
    {
      call: 'TRACK_PAYMENT',
      method: 'GET',
      path: /^\/v2\/router\/track\/([^/]+)$/,
      run({ name }) {
        const paymentHash = hexOf(decodeURIComponent(name), 32);
        const payment = paymentHash === undefined ? undefined : payments.get(paymentHash);
        return payment ? follow(payment) : streamFailure(codes.notFound, "payment isn't initiated");
      },
    },
    {
      call: 'LIST_PAYMENTS',
      method: 'GET',
      path: /^\/v1\/payments$/,
      run({ query }) {
        const isListed = ({ status }: PaymentRecord) =>
          query.get('include_incomplete') === 'true' || status === 'SUCCEEDED';
        const all = payments
          .all()
          .filter(isListed)
          .map(one => ({ index: one.index, item: paymentOnWire(one) }));
        const { items, ...offsets } = pageOf(all, query, query.get('max_payments'));
        return answer({ payments: items, ...offsets });
      },
    },
    {
      call: 'SEND_COINS',
      method: 'POST',
      path: /^\/v1\/transactions$/,
      run({ body }) {
        const amountSats = wholeNumber(body.amount);
        const rate = wholeNumber(body.sat_per_vbyte);
        const address = textOf(body.addr);
        if (amountSats === undefined || rate === undefined)
          return failure(codes.invalidArgument, 'invalid value for int64 field');
        if (!isAddress(address)) return failure(codes.unknown, 'decoded address is of unknown format');
        if (amountSats < dustSats) return failure(codes.unknown, 'transaction output is dust');
        const feeSats = (rate || defaultFeeRate) * sizeVbytes;
        if (chain.balances().confirmedSats < amountSats + feeSats)
          return failure(codes.unknown, 'insufficient funds available to construct transaction');
        const sent = chain.send({ address, amountSats, feeSats, label: textOf(body.label) });
        return answer({ txid: sent.txId });
      },
    },
    {
      call: 'BACKUP',
      method: 'GET',
      path: /^\/v1\/channels\/backup$/,
      run: () =>
        answer({
          single_chan_backups: { chan_backups: [] },
          multi_chan_backup: {
            chan_points: [0, 1, 2].map(output_index => ({
              funding_txid_bytes: base64(invoices.publicKey.slice(2)),
              output_index,
            })),
            // A real backup is encrypted under the seed.
            multi_chan_backup: base64([0, 1, 2, 3].map(part => sha256(Buffer.from(`backup ${part}`))).join('')),
          },
        }),
    },
  ];
}

/** The response to a stream that failed before its first message. */
function streamFailure(code: number, message: string) {
  const { status, content } = failure(code, message);
  return { status, content: { error: content } };
}

function isAddress(text: string): boolean {
  try {
    return Address(regtest).decode(text).type !== 'unknown';
  } catch {
    return false;
  }
}
