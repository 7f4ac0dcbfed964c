import { operator } from '@florin/shared/actor.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../test/support/backend.ts';
import { aShop } from '../../test/support/shop.ts';

/** 64 × 32 pixels. */
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc2000b080020004001011100ffd9', 'hex');

const text = async (url: string, headers: Readonly<Record<string, string>> = {}) =>
  (await fetch(url, { headers })).text();
const meta = (html: string, property: string) =>
  new RegExp(`<meta property="og:${property}" content="([^"]*)">`).exec(html)?.[1];

eachDatabase('customers’ pages', database => {
  test('have the logo and the colour of their shop, under addresses that change with them', async () => {
    const { world, aLink, business } = await aShop(database);
    const { settings } = world.backend.services.businesses;
    const { url } = await aLink(1_000);
    expect(await text(url)).not.toMatch(/\/logos\/|\/accents\//);
    const look = { accentColour: '#c2410c', logo: jpeg.toString('base64') };
    expect((await settings.change(business.id, look, operator)).ok).toBe(true);
    const html = await text(url);
    const [, logo, size] = /<img class="logo" src="([^"]+)" (width="\d+" height="\d+") alt="">/.exec(html) ?? [];
    expect([logo, size]).toEqual([
      expect.stringMatching(new RegExp(`^/logos/${business.id}/[0-9a-f]{64}\\.jpg$`)),
      'width="64" height="32"',
    ]);
    const loaded = await fetch(world.url + logo);
    expect([loaded.status, loaded.headers.get('content-type'), loaded.headers.get('cache-control')]).toEqual([
      200,
      'image/jpeg',
      'public, max-age=31536000, immutable',
    ]);
    expect(loaded.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await loaded.arrayBuffer())).toEqual(jpeg);
    expect(await text(`${world.url}/accents/c2410c.css`)).toContain('--primary:#c2410c');
    expect(html).toContain('<link rel="stylesheet" href="/accents/c2410c.css">');
    await settings.change(business.id, { logo: null }, operator);
    expect((await fetch(world.url + logo)).status).toBe(404);
    expect((await fetch(world.url + logo?.replace('.jpg', '.png'))).status).toBe(404);
  });

  test('show a messenger the shop and the amount, in the shop’s language, and send no address on', async () => {
    const { world, aLink, business } = await aShop(database);
    await world.backend.services.businesses.settings.change(business.id, { locale: 'de-DE' }, operator);
    const { url } = await aLink(24_50, { description: 'Rechnung 7', externalReference: 'order-secret' });
    const opened = await fetch(url);
    const html = await opened.text();
    expect(opened.headers.get('referrer-policy')).toBe('no-referrer');
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('<title>Rechnung 7 – Corner Shop</title>');
    expect(meta(html, 'title')?.replace('\u00a0', ' ')).toBe('Corner Shop – 24,50 £');
    expect(meta(html, 'description')).toBe('Rechnung 7');
    expect(html).not.toContain('order-secret');
  });

  test('are in the language that was chosen, which their links, forms and redirects keep', async () => {
    const { aLink } = await aShop(database);
    const { url } = await aLink(1_000);
    const german = await text(url, { 'accept-language': 'de-AT,en;q=0.5' });
    expect(german).toContain('<html lang="de">');
    for (const [code, name] of [
      ['en', 'English'],
      ['fr', 'Français'],
      ['es', 'Español'],
    ])
      expect(german).toContain(`<a href="?lang=${code}" lang="${code}" hreflang="${code}" rel="nofollow">${name}</a>`);
    const french = await text(`${url}?lang=fr`, { 'accept-language': 'de-AT' });
    expect(french).toContain('<html lang="fr">');
    expect(await text(`${url}?lang=tlh`, { 'accept-language': 'es' })).toContain('<html lang="es">');
    const redirected = async (path: string) =>
      (await fetch(`${url}${path}`, { method: 'POST', body: '', redirect: 'manual' })).headers.get('location');
    const attempt = '0'.repeat(32);
    expect(await redirected('/bitcoin?lang=fr')).toMatch(/[?&]lang=fr$/);
    expect(await redirected(`/return/${attempt}?lang=fr`)).toContain(`?attempt=${attempt}&lang=fr`);
    expect(await redirected(`/return/${attempt}`)).not.toContain('lang');
  });

  test('that are not there or are refused say so in the reader’s language', async () => {
    const { world } = await aShop(database);
    const spanish = { accept: 'text/html', 'accept-language': 'es' };
    for (const [path, said] of [
      ['/nowhere', 'No hay ninguna página en esta dirección'],
      ['/pay/nothing', 'Este enlace de pago no está disponible'],
      ['/checkout/nothing', 'Esta página de pago no está disponible'],
      ['/tip/nothing', 'Este enlace de propinas no está disponible'],
      ['/r/nothing', 'No hay ningún recibo en esta dirección'],
    ] as const)
      expect(await text(world.url + path, spanish)).toContain(said);
    const body = 'x'.repeat(60_000);
    const sent = await fetch(`${world.url}/pay/x/return/y`, { method: 'POST', headers: spanish, body });
    expect([sent.status, await sent.text()]).toEqual([413, expect.stringContaining('no se puede mostrar')]);
  });
});
