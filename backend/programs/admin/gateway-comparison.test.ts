import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinkPayment, createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { createCardRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, onTestFinished, test } from 'vitest';
import { aShop, merchant } from '../../../test/support/shop.ts';
import { runAdmin } from './run.ts';

/** Two businesses that use the merchant account of the settings. */
async function twoShops() {
  const shop = await aShop('sqlite');
  const { world, client, sandbox, paymentToken } = shop;
  const bakery = await world.aBusiness({ name: 'Bakery' });
  const bakeryKey = await bakery.key(...merchant);
  const callsOf = (key: string) => ({
    async sells(amountInCents: number) {
      const body = { description: 'Bread', amountInCents, currency: 'GBP' };
      const link = await client.call(createPaymentLink, { body }, { key });
      if (link.status !== 201) throw new Error(JSON.stringify(link.body));
      const params = { id: link.body.id };
      const paid = await client.call(
        createLinkPayment,
        { params, body: { paymentToken: await paymentToken() } },
        { key },
      );
      if (paid.status !== 201) throw new Error(JSON.stringify(paid.body));
      return { linkId: params.id, ...paid.body };
    },
    async refunds(linkId: string, amountInCents: number) {
      const body = { kind: 'REFUND_SALE' as const, amountInCents };
      const made = await client.call(createCardRefund, { params: { id: linkId }, body }, { key });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return made.body;
    },
  });
  async function admin(data: string, ...args: string[]) {
    let output = '';
    const print = (text: string) => {
      output += `${text}\n`;
    };
    const key = readFileSync(join(world.settings.data, 'secrets.key'), 'utf8').trim();
    const env = { GATEWAY_URL: sandbox.url, SECRETS_KEY: key };
    return { code: await runAdmin({ args: [...args, '--data', data], env, print, printError: print }), output };
  }
  const since = () => new Date(world.clock.now()).toISOString();
  const accountOf = async (id: string) => world.backend.services.gatewayAccounts.accountForNewPayments(id);
  return { ...shop, bakery, cornerShop: callsOf(shop.key), baker: callsOf(bakeryKey), admin, since, accountOf };
}

test('businesses with one merchant account: what either has recorded is not missing, and what neither has is named once', async () => {
  const { world, business, bakery, cornerShop, baker, sandbox, admin, since, accountOf } = await twoShops();
  const { data } = world.settings;
  const beginning = since();
  const small = await cornerShop.sells(2_00);
  const large = await baker.sells(5_00);
  // Each business counts its own.
  expect(small.invoiceNumber).toBe(large.invoiceNumber);
  sandbox.control.settle();
  const [shopAccount, bakeryAccount] = [await accountOf(business.id), await accountOf(bakery.id)];
  expect(await admin(data, 'gateway-account', 'compare', '--since', beginning)).toEqual({
    code: 0,
    output: [
      `${shopAccount} of Corner Shop: 2 operations at the gateway, 1 of Bakery, 0 not in the records`,
      `${bakeryAccount} of Bakery: 2 operations at the gateway, 1 of Corner Shop, 0 not in the records`,
      '',
    ].join('\n'),
  });

  const folder = mkdtempSync(join(tmpdir(), 'florin-comparison-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'florin.backup');
  expect(await admin(data, 'backup', 'create', '--file', file)).toMatchObject({ code: 0 });
  // The gateway's list reaches back by two hours, since clocks differ.
  world.clock.advance({ hours: 3 });
  const backedUpAt = since();
  const lost = await baker.sells(7_00);
  const larger = await baker.refunds(large.linkId, 3_00);
  const smaller = await cornerShop.refunds(small.linkId, 1_00);
  await world.stop();

  const restored = join(folder, 'restored');
  expect(await admin(restored, 'backup', 'restore', '--file', file)).toMatchObject({ code: 0 });
  const compared = await admin(restored, 'gateway-account', 'compare', '--since', backedUpAt);
  const of = (amount: string, { gatewayReference }: { gatewayReference: string | null }, { invoiceNumber } = small) =>
    `of ${amount}, invoice ${invoiceNumber}, card 0821, ${gatewayReference}`;
  const [smallOne, largeOne] = [`${small.id} of Corner Shop`, `${large.id} of Bakery`];
  expect(compared).toEqual({
    code: 1,
    output: [
      `${shopAccount} of Corner Shop: 3 operations at the gateway, 3 not in the records`,
      `  Sale ${of('£7.00', lost, lost)}: the customer was charged, and the records have no such payment`,
      `  Refund ${of('£3.00', larger)}: held on ${largeOne} as a discrepancy`,
      `  Refund ${of('£1.00', smaller)}: of one of these payments, held on each as a discrepancy: ${smallOne} and ${largeOne}`,
      `${bakeryAccount} of Bakery: 3 operations at the gateway, 0 not in the records, besides 3 named above`,
      '',
    ].join('\n'),
  });
  await sandbox.close();
  const { output } = await admin(restored, 'gateway-account', 'compare', '--since', backedUpAt);
  expect(output).toMatch(
    new RegExp(
      `^${shopAccount} of Corner Shop: not compared: nothing listens at its address\\n {2}To do: Check its address`,
    ),
  );
});
