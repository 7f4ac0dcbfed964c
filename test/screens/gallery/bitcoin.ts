import { type BitcoinContext, endOf, newBitcoinSale } from '@florin/device/core/bitcoin/machine.ts';
import { bitcoinScreen } from '@florin/device/core/bitcoin/screen.ts';
import { receiptCopy } from '@florin/device/core/sales/receipt-copy.ts';
import type { BitcoinStage, Screen } from '@florin/device/ipc/view.ts';
import type { BitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import { languageOf } from './kiosks.ts';
import { aSale, displaySettings, inLanguage, minuteMs, type Picture, viewOf, wholeCounter } from './picture.ts';

const saleId = 'sale_019a8f3e6b7c';
/** A payment URI as long as those of real nodes. */
const paymentUri = `bitcoin:BC1QXY2KGDYGJRSQTZQ2N0YRF2493P83KKFJHX0WLH?amount=0.00049&lightning=LNBC490U1P${'QYZ20PVXQSP5'.repeat(26)}`;

function saleAs(nowMs: number, change: Partial<BitcoinSale> = {}): BitcoinSale {
  return {
    saleId,
    sequence: 1,
    state: 'waiting',
    amountInCents: 24_50,
    currency: 'GBP',
    amountSats: 49_000,
    rate: '50000',
    receivedSats: 0,
    processingSats: 0,
    paymentUri,
    expiresAt: new Date(nowMs + 4.6 * minuteMs).toISOString(),
    sale: null,
    ...change,
  };
}

type Shown = { readonly state: string; readonly change?: Partial<BitcoinContext>; readonly isOffline?: boolean };

function screenOf(nowMs: number, { state, change, isOffline = false }: Shown): Screen {
  const amount = { amountMinor: 24_50, currency: 'GBP', startedAt: nowMs };
  const { context } = newBitcoinSale({ ...amount, saleId, isRequested: false, mayUseCard: true });
  const shown = { ...context, sale: saleAs(nowMs), ...change };
  return bitcoinScreen({ state, context: shown, since: nowMs, isOffline, displaySettings });
}

const stages = (nowMs: number): Record<BitcoinStage, Shown> => ({
  requesting: { state: 'requesting', change: { sale: null } },
  waiting: { state: 'showing' },
  seen: { state: 'showing', change: { sale: saleAs(nowMs, { state: 'seen', processingSats: 49_000 }) } },
  seen_part: { state: 'showing', change: { sale: saleAs(nowMs, { state: 'seen', processingSats: 19_000 }) } },
  checking: { state: 'showing', change: { sale: saleAs(nowMs, { state: 'checking' }) } },
  cancelling: { state: 'cancelling' },
  leaving: { state: 'leavingForCard' },
});

/** States that faults of the node or its connection lead to. */
const faults = (nowMs: number): Record<string, Shown> => ({
  'node-unreachable': { state: 'requesting', change: { sale: null, problem: 'node_unreachable' } },
  'rate-unavailable': { state: 'requesting', change: { sale: null, problem: 'rate_unavailable' } },
  offline: { state: 'showing', isOffline: true },
  'no-code-yet': { state: 'requesting', change: { sale: null }, isOffline: true },
  'leaving-offline': { state: 'leavingForCard', change: { sale: null }, isOffline: true },
  'cancelling-offline': { state: 'cancelling', isOffline: true },
  part: { state: 'showing', change: { sale: saleAs(nowMs, { receivedSats: 30_000 }) } },
  'not-withdrawn': { state: 'showing', change: { notWithdrawn: 'node_unreachable' } },
});

const results = (nowMs: number): Record<string, Partial<BitcoinSale>> => ({
  paid: { state: 'paid', receivedSats: 49_000, sale: inBitcoin(nowMs) },
  'paid-too-much': { state: 'paid', receivedSats: 60_000, sale: inBitcoin(nowMs) },
  underpaid: { state: 'underpaid', receivedSats: 30_000 },
  expired: { state: 'expired' },
});

function inBitcoin(nowMs: number) {
  const bitcoin = { amountSats: 49_000, txId: '4f'.repeat(32) };
  const none = { cardScheme: null, cardLastFour: null, entryMode: null, authorisationCode: null } as const;
  return aSale(nowMs, { ...none, status: 'settled', method: 'lightning', bitcoin, action: 'none' });
}

/** Bitcoin sales: each stage and result, for staff and, in each language, for customers. */
export function bitcoins(nowMs: number): Picture[] {
  const shown = [
    ...Object.entries({ ...stages(nowMs), ...faults(nowMs) }),
    ...Object.entries(results(nowMs)).map(([name, change]): [string, Shown] => {
      const sale = saleAs(nowMs, change);
      const outcome = endOf(sale);
      return [`result-${name}`, { state: 'done', change: { sale, outcome: outcome === 'withdrawn' ? null : outcome } }];
    }),
  ];
  const requester = { name: 'Kiosk by the door', reference: 'Order 1042', language: null };
  return [
    { name: 'keypad-bitcoin', view: viewOf({ name: 'keypad', notice: null }, { takesBitcoin: true }) },
    {
      name: 'keypad-counter',
      view: viewOf({ name: 'keypad', notice: null }, { takesBitcoin: true, counter: wholeCounter }),
    },
    ...shown.map(([name, one]) => ({
      name: `bitcoin-${name}`,
      view: viewOf(screenOf(nowMs, one), { service: one.isOffline ? 'offline' : 'online' }),
    })),
    ...shown.map(([name, one], index) => ({
      name: `kiosk-bitcoin-${name}`,
      view: inLanguage(languageOf(index), () =>
        viewOf(forCustomer(screenOf(nowMs, one), requester), {
          mode: 'kiosk',
          service: one.isOffline ? 'offline' : 'online',
        }),
      ),
    })),
    {
      name: 'sale-detail-bitcoin',
      view: viewOf({
        name: 'sale_detail',
        sale: inBitcoin(nowMs),
        opensReceipts: false,
        notice: null,
        receipt: receiptCopy(inBitcoin(nowMs), displaySettings),
      }),
    },
  ];
}

function forCustomer(screen: Screen, requestedBy: { name: string; reference: string; language: null }): Screen {
  if (screen.name === 'bitcoin_sale') return { ...screen, requestedBy };
  return screen.name === 'sale_result' ? { ...screen, requestedBy, receipt: [] } : screen;
}
