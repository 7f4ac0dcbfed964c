import { expect, test } from 'vitest';
import { aCheckoutShop } from '../../../test/support/checkout-shop.ts';
import { linesOf } from '../../../test/support/log-lines.ts';

test('the end of a stream that was open for long is no warning, and a node that cannot be reached after it is', async () => {
  const { aCheckout, open, read, wallet, becomes, until, clock, world } = await aCheckoutShop('sqlite', {
    env: { LOG_LEVEL: 'info' },
  });
  const [paid, awaited] = [await aCheckout(), await aCheckout()];
  await open(awaited.id, 'lightning');
  wallet.invoices.pay((await open(paid.id, 'lightning')).paymentHash, {});
  await becomes(paid.id, 'COMPLETE');
  const ends = () =>
    linesOf(world.logged())
      .filter(({ msg }) => /stream/.test(msg))
      .map(({ level, msg }) => [level, msg]);
  const idle = [30, 'the stream of a bitcoin node ended; it is opened again'];
  clock.advance({ minutes: 2 });
  await wallet.refuseConnections();
  await until(async () => (await read(awaited.id)).status !== 'PENDING' || ends().length > 1);
  expect(ends().slice(0, 2)).toEqual([idle, [40, 'a bitcoin node ended its stream']]);
});
