import { lnurlOf } from '@florin/backend/channels/tip-links/lnurl.ts';
import { getTipLink } from '@florin/shared/contracts/api-v1/tip-links.ts';
import { expect, test } from '@playwright/test';
import { codeOn, desktop, expectGoodPage, opened, type Payers, phone, startPayers } from './payer.ts';

let shop: Payers;
test.beforeAll(async () => {
  shop = await startPayers();
});
test.afterAll(() => shop.end());

/** Follows the address in the code as a wallet does. */
async function giveTip(address: string, amountSats: number) {
  const asked = await (await fetch(address)).json();
  expect(asked).toMatchObject({ tag: 'payRequest', minSendable: 100_000, maxSendable: 100_000_000 });
  const made = await (await fetch(`${asked.callback}?amount=${amountSats * 1_000}`)).json();
  const invoice = shop.wallet.invoices.all().find(each => each.bolt11 === made.pr);
  expect(shop.wallet.invoices.pay(invoice?.paymentHash ?? '', {})).toMatchObject({ state: 'SETTLED' });
  return () => fetch(made.verify).then(response => response.json());
}

for (const [device, options] of [
  ['phone', phone],
  ['desktop', desktop],
  ['phone without JavaScript', { ...phone, javaScriptEnabled: false }],
] as const) {
  test(`on a ${device} any Lightning wallet can tip with the code on the screen`, async ({ browser }) => {
    const link = await shop.aTipLink({ name: 'Anna and the kitchen' });
    const { page, context, requests, errors } = await opened(browser, options, link.url);
    await expect(page.getByRole('heading', { name: 'Tip for Anna and the kitchen' })).toBeVisible();
    await expect(page.getByText('from 100 sats to 100,000 sats')).toBeVisible();
    await expect(page.getByLabel('Lightning address', { exact: true })).toHaveValue(link.lightningAddress);
    const copy = page.getByRole('button', { name: 'Copy Lightning address' });
    await expect(copy).toHaveCount(options.javaScriptEnabled === false ? 0 : 1);
    const code = await codeOn(page);
    expect(await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')).toBe(`lightning:${code}`);
    if (options.javaScriptEnabled !== false) await expectGoodPage(page, `tip-${device}-1`);
    expect(code).toBe(lnurlOf(`${shop.url}/lnurl/tip/${link.id}`));
    const verified = await giveTip(`${shop.url}/lnurl/tip/${link.id}`, 2_100);
    await expect.poll(verified).toMatchObject({ status: 'OK', settled: true });
    const found = () => shop.client.call(getTipLink, { params: { id: link.id } }, { key: shop.key });
    await expect.poll(found).toMatchObject({ body: { receivedSats: 2_100, tipCount: 1 } });
    expect(new Set(requests.map(({ url }) => new URL(url).origin).filter(origin => origin !== 'null'))).toEqual(
      new Set([shop.url]),
    );
    expect(errors).toEqual([]);
    await context.close();
  });
}

test('an unknown tip link and an unknown address have pages that say so', async ({ browser }) => {
  const { page, context } = await opened(browser, phone, `${shop.url}/tip/nothing`);
  await expect(page.getByRole('heading', { name: 'This tip link is not available' })).toBeVisible();
  await expectGoodPage(page, 'tip-2-unknown');
  for (const path of ['/', '/pay/', '/checkout', '/tip/a/b']) {
    expect((await page.goto(shop.url + path))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'There is no page at this address' })).toBeVisible();
  }
  await expectGoodPage(page, 'tip-3-nowhere');
  await context.close();
});
