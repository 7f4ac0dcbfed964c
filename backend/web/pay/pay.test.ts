import { deletePaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';

eachDatabase('the page of a payment link', database => {
  test('shows amount, merchant and deadline, and cannot be framed or cached', async () => {
    const { aLink, world } = await aShop(database);
    const link = await aLink(12_345, { description: 'Table 4\n<b>Dinner</b> & "drinks"' });
    const opened = await fetch(link.url);
    const page = await opened.text();
    expect(opened.status).toBe(200);
    expect(opened.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(opened.headers.get('cache-control')).toBe('no-store');
    expect(opened.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page).toContain('£123.45');
    expect(page).toMatch(/Can be paid until \d+ \w+ \d{4} at [\d:]+ (GMT|BST)/);
    expect(page).toContain('Corner Shop');
    expect(page).toContain('&#60;b&#62;Dinner&#60;/b&#62; &#38; &#34;drinks&#34;');
    expect(page).not.toMatch(/<script>|<style|\son\w+=/);
    const [style = ''] = /\/assets\/style-\w+\.css/.exec(page) ?? [];
    const loaded = await fetch(world.url + style);
    expect([loaded.status, loaded.headers.get('cache-control'), loaded.headers.get('content-type')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      'text/css; charset=utf-8',
    ]);
  });

  test('shows that it is paid, and that it has expired, which takes precedence', async () => {
    const { aLink, pay, world } = await aShop(database);
    const link = await aLink(1_000);
    await pay(link.id);
    expect(await (await fetch(link.url)).text()).toContain('Nothing is left to pay');
    world.clock.advance({ hours: 8 * 24 });
    expect(await (await fetch(link.url)).text()).toContain('This payment link has expired');
  });

  test('is the same for a deleted and an unknown link', async () => {
    const { aLink, client, key, world } = await aShop(database);
    const link = await aLink(1_000);
    await client.call(deletePaymentLink, { params: { id: link.id } }, { key });
    const [deleted, unknown] = await Promise.all([
      fetch(link.url),
      fetch(`${world.url}/pay/pl_00000000000000000000000000000000`),
    ]);
    expect([deleted.status, unknown.status]).toEqual([404, 404]);
    const page = await deleted.text();
    expect(page).toContain('This payment link is not available');
    expect(page).not.toContain('Invoice 7');
    expect(page).toBe(await unknown.text());
  });

  test('returns a page to browsers and JSON to programs if a request is refused before it is parsed', async () => {
    const { aLink } = await aShop(database);
    const link = await aLink(1_000);
    const send = (accept: string) =>
      fetch(`${link.url}/return/${'0'.repeat(32)}?threeDSAcsResponse=challenge`, {
        method: 'POST',
        headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
        body: `cres=${'x'.repeat(60_000)}`,
        redirect: 'manual',
      });
    const shown = await send('text/html,application/xhtml+xml,*/*;q=0.8');
    const page = await shown.text();
    expect([shown.status, shown.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
    expect(page).toContain('This page cannot be shown now');
    expect(page).toMatch(/\/assets\/style-\w+\.css/);
    const response = await send('*/*');
    expect([response.status, (await response.json()).error.code]).toEqual([413, 413]);
  });

  test('returns a page to browsers and JSON to programs for unknown addresses', async () => {
    const { world, aLink } = await aShop(database);
    const { id } = await aLink(1_000);
    const open = (path: string, accept: string) => fetch(world.url + path, { headers: { accept } });
    for (const path of ['/', '/pay', '/pay/', '/checkout', '/tip/', '/pay/x/y', '/favicon.ico', `/pay/${id}/bitcoin`]) {
      const shown = await open(path, 'text/html,application/xhtml+xml,*/*;q=0.8');
      expect([path, [404, 405].includes(shown.status), shown.headers.get('content-type')]).toEqual([
        path,
        true,
        'text/html; charset=utf-8',
      ]);
      expect(await shown.text()).toContain('There is no page at this address');
      const response = await open(path, '*/*');
      expect((await response.json()).error.code).toBe(response.status);
    }
    for (const path of ['/checkout/%ff', '/pay/%E0%A4%A', '/tip/%', `/pay/${id}/%ff`, '/%ff']) {
      const shown = await open(path, 'text/html,application/xhtml+xml,*/*;q=0.8');
      expect([path, shown.headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8']);
      expect(await shown.text()).toContain('There is no page at this address');
      const response = await open(path, '*/*');
      expect((await response.json()).error.code).toBe(response.status);
    }
    for (const path of ['/api/v1/nothing', '/kiosk/v1/', '/device/v1/x'])
      expect((await open(path, 'text/html')).headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('allows more returns from a bank than the request limit of an address', async () => {
    const { aLink } = await aShop(database);
    const link = await aLink(1_000);
    const returns = await Promise.all(
      Array.from({ length: 40 }, () =>
        fetch(`${link.url}/return/${'0'.repeat(32)}?threeDSAcsResponse=challenge`, {
          method: 'POST',
          body: '',
          redirect: 'manual',
        }),
      ),
    );
    expect(new Set(returns.map(({ status }) => status))).toEqual(new Set([303]));
  });
});
