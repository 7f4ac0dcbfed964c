import { join } from 'node:path';
import type { Services } from '@florin/backend/compose.ts';
import { serving } from '@florin/backend/foundation/context.ts';
import { openSqlite } from '@florin/backend/foundation/database/sqlite.ts';
import { type Bench, fewRounds, inRounds, type Reading, type Scale, throughput } from './bar.ts';
import { type Measured, measureConcurrently, scattered } from './measure.ts';
import { inFolder } from './place.ts';
import { assertSameRows, refundsByHand } from './same-rows.ts';
import { benchBusinessId, composeForBench, createShop, fillShop, paymentIdOf } from './shop.ts';

/** Bar 5: the refund code without HTTP against hand-written SQL that writes the same rows. */
export const refundCode: Bench = {
  name: 'refund-code',
  about: 'bar 5: the refund code without HTTP against raw SQL writing the same rows',
  run: scale =>
    inFolder(async folder => {
      const payments = 10_000;
      const refunds = scale.times(4_000);
      const [shop, byHand] = await Promise.all([
        openShop(join(folder, 'code.db'), payments),
        openShop(join(folder, 'hand.db'), payments),
      ]);
      await byHand.close();
      const pairs = await inRounds(scale, async round => {
        const ceiling = refundsByHand({ file: byHand.file, payments, refunds });
        const product = await shop.refund({ refunds, concurrency: 1, round });
        return { product, ceiling };
      });
      await shop.close();
      assertSameRows(shop.file, byHand.file);
      return [
        throughput(
          { bar: '5 refund code ÷ raw SQL, same rows', goal: { sign: '≥', value: 0.85 }, unit: 'refunds/s' },
          pairs,
        ),
      ];
    }),
};

/** Bar 6: the cost of a large number of payments. */
export const growth: Bench = {
  name: 'growth',
  about: 'bar 6: refunds per second with a million payments against ten thousand',
  run: scale =>
    inFolder(async folder => {
      const small = await openShop(join(folder, 'small.db'), 10_000);
      scale.print('filling a shop with a million payments');
      const million = await openShop(join(folder, 'million.db'), 1_000_000);
      const readings = await compare(fewRounds(scale), '6 refund code, 1M ÷ 10k payments', 0.75, million, small);
      if (scale.large) {
        scale.print('filling a shop with ten million payments');
        const tenMillion = await openShop(join(folder, 'ten-million.db'), 10_000_000);
        readings.push(...(await compare(scale, '6 refund code, 10M ÷ 1M payments', 0.9, tenMillion, million)));
        await tenMillion.close();
      }
      await Promise.all([small.close(), million.close()]);
      return readings;
    }),
};

type Shop = {
  readonly file: string;
  readonly payments: number;
  close(): Promise<void>;
  refund(options: { refunds: number; concurrency: number; round: number }): Promise<Measured>;
};

async function openShop(file: string, payments: number): Promise<Shop> {
  const database = await openSqlite({ file });
  await createShop(database);
  await fillShop(database, { payments });
  const { services, stop } = composeForBench(database);
  return {
    file,
    payments,
    async close() {
      await stop();
      await database.close();
    },
    refund: ({ refunds, concurrency, round }) =>
      measureConcurrently({ times: refunds, concurrency }, index =>
        refundOne(services, scattered(round * refunds * 2 + index, payments)),
      ),
  };
}

async function compare(scale: Scale, bar: string, goal: number, larger: Shop, smaller: Shop): Promise<Reading[]> {
  const refunds = scale.times(4_000);
  const rounds = await inRounds(scale, async round => {
    const product = {
      ceiling: await smaller.refund({ refunds, concurrency: 1, round }),
      product: await larger.refund({ refunds, concurrency: 1, round }),
    };
    const byHand = {
      ceiling: refundsByHand({ file: smaller.file, payments: smaller.payments, refunds }),
      product: refundsByHand({ file: larger.file, payments: larger.payments, refunds }),
    };
    return { product, byHand };
  });
  const unit = 'refunds/s';
  return [
    throughput(
      { bar, goal: { sign: '≥', value: goal }, unit },
      rounds.map(({ product }) => product),
    ),
    throughput(
      { bar: `  the same by hand`, goal: undefined, unit },
      rounds.map(({ byHand }) => byHand),
    ),
  ];
}

/** Requests one refund of one penny as the API does; throws unless it is approved. */
export async function refundOne(services: Pick<Services, 'refunds'>, payment: number): Promise<void> {
  const requestRefund = () =>
    services.refunds.requestCard({
      businessId: benchBusinessId,
      paymentId: paymentIdOf(payment),
      kind: 'REFUND_SALE',
      amountMinor: 1,
      by: { kind: 'api_key', apiKeyId: 'key_bench' },
      reason: null,
      clientRequestId: null,
    });
  const outcome = await serving({ requestId: `req_${payment}`, traceparent: undefined }, requestRefund);
  if (outcome.kind !== 'done' || outcome.view.refund.status !== 'approved')
    throw new Error(`a refund of the bench was not approved: ${JSON.stringify(outcome)}`);
}
