import { isFinalCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { expect, test } from 'vitest';
import { seededNumbers } from '../../../test/simulation/seeded.ts';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { statement } from '../../foundation/database/database.ts';
import { systemIds } from '../../foundation/platform/system.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import { bitcoinReceipts, type NodeReport } from './receipts.ts';
import { defaultBitcoinInvoices } from './settings.ts';

const askedSats = 20_000;
const seeds = 40;

/** The true history of one invoice, which the node reports early, late, twice and out of order. */
function aModel(seed: number) {
  const numbers = seededNumbers(seed);
  const hex = (name: string) => Buffer.from(`${seed} ${name}`.padEnd(32)).toString('hex');
  const transactions: { txId: string; amountSats: number; confirmations: number; isGone: boolean }[] = [];
  let lightningMsat: number | undefined;
  const there = () => transactions.filter(({ isGone }) => !isGone);
  const steps = {
    payOverLightning() {
      lightningMsat ??= askedSats * 1_000 + numbers.between(0, 2_000_000);
    },
    payOnChain() {
      const amountSats = numbers.pick([askedSats, askedSats / 2, askedSats * 2, 600]);
      transactions.push({ txId: hex(`tx${transactions.length}`), amountSats, confirmations: 0, isGone: false });
    },
    mine() {
      for (const one of there()) if (numbers.chance(0.6)) one.confirmations += numbers.between(1, 4);
    },
    replace() {
      for (const one of there()) if (one.confirmations === 0 && numbers.chance(0.5)) one.isGone = true;
    },
    reorganise() {
      for (const one of there()) one.confirmations = Math.max(1, one.confirmations - 1);
    },
  };
  return {
    numbers,
    step: () => steps[numbers.pick(Object.keys(steps) as (keyof typeof steps)[])](),
    /** Confirms or drops every pending payment. */
    settle() {
      for (const one of there()) if (one.confirmations === 0) one.isGone = true;
    },
    report(askedAt: number): NodeReport {
      return {
        askedAt,
        paymentHash: null,
        isComplete: numbers.chance(0.8),
        ...(lightningMsat === undefined
          ? {}
          : {
              settled: {
                kind: 'settled',
                paymentHash: hex('hash'),
                preimage: hex('preimage'),
                receivedMsat: lightningMsat,
                settledAt: askedAt,
              },
            }),
        onChain: there().map(({ txId, amountSats, confirmations }) => ({
          address: hex('address'),
          txId,
          vout: 0,
          amountSats,
          confirmations,
        })),
      };
    },
    received: () =>
      there().reduce((sats, { amountSats }) => sats + amountSats, Math.floor((lightningMsat ?? 0) / 1_000)),
    references: () => [...there().map(({ txId }) => txId), ...(lightningMsat === undefined ? [] : [hex('hash')])],
  };
}

const bitcoinPayments = statement<{ businessId: string }, PaymentRow>(({ db }, arg) =>
  db.selectFrom('payments').selectAll().where('businessId', '=', arg('businessId')),
);

eachDatabase('a payment of an invoice', database => {
  test('counts in full and only once, however the node reports it', { timeout: 120_000 }, async () => {
    const { world, clock, aCheckout, read, business } = await aCheckoutShop(database, {
      env: { RECOVERY_EVERY_MS: '1000000000' },
    });
    const { services, database: rows } = world.backend;
    const reverted: string[] = [];
    const receipts = bitcoinReceipts({
      clock,
      ids: systemIds,
      events: services.events,
      onReverted: async (_, __, { txId }) => void reverted.push(txId),
      purposes: { checkout: services.checkouts.onInvoiceChanged },
      settings: defaultBitcoinInvoices,
    });
    for (let seed = 1; seed <= seeds; seed += 1) {
      const model = aModel(seed);
      const { numbers } = model;
      const { id } = await aCheckout({ currency: 'BTC', amount: askedSats });
      const invoiceId = (await services.checkouts.find(id))?.invoiceId ?? '';
      const take = (report: NodeReport) => rows.write(tx => receipts.take(tx, invoiceId, report));
      const late: NodeReport[] = [];
      let status = 'PENDING';
      for (let step = 0; step < 14; step += 1) {
        model.step();
        clock.advance({ seconds: numbers.between(1, 120) });
        late.push(model.report(clock.now()));
        // Some reports are delayed, and several arrive at once.
        const arriving = late.filter(() => numbers.chance(0.5));
        await Promise.all(
          arriving.flatMap(report => (numbers.chance(0.3) ? [take(report), take(report)] : [take(report)])),
        );
        const now = await read(id);
        if (isFinalCheckout(status as typeof now.status)) expect([seed, now.status]).toEqual([seed, status]);
        ({ status } = now);
      }
      model.settle();
      clock.advance({ minutes: 20 });
      for (let turn = 0; turn < 2; turn += 1) await take({ ...model.report(clock.now()), isComplete: true });
      const { receivedSats, processingSats, claim, status: end } = await read(id);
      expect([seed, receivedSats, processingSats]).toEqual([seed, model.received(), 0]);
      expect([seed, isFinalCheckout(end)]).toEqual([seed, true]);
      const due = end === 'COMPLETE' ? receivedSats - askedSats : receivedSats;
      expect([seed, end, claim?.amountSats ?? 0]).toEqual([seed, end, due]);
      const payments = await rows.all(bitcoinPayments, { businessId: business.id });
      const recorded = payments.filter(({ gatewayReference }) => model.references().includes(gatewayReference ?? ''));
      expect([seed, recorded.map(one => one.gatewayReference ?? '').toSorted()]).toEqual([
        seed,
        model.references().toSorted(),
      ]);
      expect(recorded.reduce((sats, one) => sats + (one.amountSats ?? 0), 0)).toBe(receivedSats);
    }
    expect(reverted).toEqual([]);
  });
});
