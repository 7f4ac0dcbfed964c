import { listAuditEntries } from '@florin/shared/contracts/api-v1/audit.ts';
import { createExport, getExport, getExportFile } from '@florin/shared/contracts/api-v1/exports.ts';
import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { writeManyPayments } from '../../../test/support/many-payments.ts';
import { aShop } from '../../../test/support/shop.ts';
import { exportColumns } from './columns.ts';
import { csvHeader, csvLines } from './csv.ts';
import { chunkOf, exportById } from './store.ts';

async function aShopThatExports(database: DatabaseKind) {
  const shop = await aShop(database);
  const { client, key, world } = shop;
  const { exports } = world.backend.services;
  const request = async (body: z.input<(typeof createExport)['body']>, as = key) => {
    const made = await client.call(createExport, { body }, { key: as });
    if (made.status !== 202) throw new Error(JSON.stringify(made.body));
    return made.body;
  };
  const progress = async (id: string, as = key) => client.call(getExport, { params: { id } }, { key: as });
  const file = async (id: string, as = key) => {
    const got = await fetch(`${world.url}${getExportFile.path.replace('{id}', id)}`, {
      headers: { authorization: `Bearer ${as}` },
    });
    return { status: got.status, text: await got.text(), name: got.headers.get('content-disposition') };
  };
  const finish = async (id: string, as = key) => {
    await expect
      .poll(async () => {
        await exports.run();
        return (await progress(id, as)).body;
      })
      .toMatchObject({ status: 'done' });
  };
  return { ...shop, exports, request, progress, file, finish };
}

test('each column of a file has a name of its own, and each amount the currency beside it', () => {
  for (const [list, columns] of Object.entries(exportColumns)) {
    const names = csvHeader(columns).trim().split(',');
    expect([list, names]).toEqual([list, [...new Set(names)]]);
    if (columns.some(({ kind }) => kind === 'amount')) expect(names).toContain('currency');
    for (const name of names) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
  }
});

test('text that a spreadsheet would run begins with an apostrophe, and cells are quoted where they must be', () => {
  const { payments } = exportColumns;
  const written = (item: Readonly<Record<string, unknown>>, ...names: string[]) =>
    csvLines(
      payments.filter(({ name }) => names.includes(name)),
      'UTC',
    )(item);
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\uff1d1+1', '\uff0b1', '\uff0d1', '\uff20SUM(A1)'])
    expect(written({ link: { description: text } }, 'description')).toContain(`'${text}`);
  const item = { invoiceNumber: 'x "y", z', amountInCents: -1_250, currency: 'GBP', settledAt: null };
  expect(written(item, 'invoice', 'amount', 'settled_at')).toBe('"x ""y"", z",-12.50,\r\n');
  expect(written({ invoiceNumber: 'two\nlines', amountInCents: 5, currency: 'JPY' }, 'invoice', 'amount')).toBe(
    '"two\nlines",5\r\n',
  );
});

test('a file has the words of the page, and times in the zone of the business, with its offset', () => {
  const refund = {
    createdAt: '2026-07-01T08:30:00.123Z',
    kind: 'REFUND_SALE',
    status: 'approved',
    amountInCents: 750,
    amount: null,
    currency: 'GBP',
    paymentStatus: 'partly_refunded',
    source: 'portal',
    settledAt: '2026-12-01T23:59:59.000Z',
  };
  const cells = (timeZone: string) => csvLines(exportColumns.refunds, timeZone)(refund).trim().split(',');
  const names = csvHeader(exportColumns.refunds).split(',');
  expect(names.slice(0, 8)).toEqual([
    'time',
    'kind',
    'state',
    'amount',
    'currency',
    'amount_sats',
    'payment_state',
    'requested_from',
  ]);
  const london = cells('Europe/London');
  expect(london.slice(0, 8)).toEqual([
    '2026-07-01T09:30:00+01:00',
    'Refund',
    'Approved',
    '7.50',
    'GBP',
    '',
    'Partly refunded',
    'Portal',
  ]);
  const outcome = names.indexOf('outcome_at');
  expect([london[outcome], cells('Asia/Kolkata')[outcome], cells('America/St_Johns')[outcome]]).toEqual([
    '2026-12-01T23:59:59+00:00',
    '2026-12-02T05:29:59+05:30',
    '2026-12-01T20:29:59-03:30',
  ]);
});

test('a payment has its tip, and the reference of its link or of its sale', () => {
  const sold = { amountInCents: 1_375, tipInCents: 125, currency: 'GBP', reference: 'Table 12', link: null };
  const linked = { ...sold, tipInCents: 0, reference: null, link: { externalReference: 'Order 7' } };
  const named = new Set(['amount', 'tip', 'reference']);
  const columns = exportColumns.payments.filter(({ name }) => named.has(name));
  expect([sold, linked].map(csvLines(columns, 'UTC'))).toEqual(['13.75,1.25,Table 12\r\n', '13.75,0.00,Order 7\r\n']);
});

test('the columns of a settlement add up, as on its page', () => {
  const settlement = {
    status: 'current',
    day: '2026-11-24',
    gatewayAccount: { name: 'Card gateway account' },
    grossInCents: 5_000,
    voidedInCents: 1_000,
    rejectedInCents: 0,
    refundedInCents: 500,
    netInCents: 3_500,
    currency: 'GBP',
  };
  expect(csvLines(exportColumns.settlements, 'UTC')(settlement)).toMatch(
    /^2026-11-24,Today,Card gateway account,50\.00,-10\.00,0\.00,-5\.00,35\.00,GBP,/,
  );
});

eachDatabase('an export', database => {
  test('has every record that its list has, with its filters, however many', async () => {
    const { business, world, request, finish, file, progress, client, key } = await aShopThatExports(database);
    const startAt = 1_760_000_000_000;
    const many = {
      businessId: business.id,
      terminalIds: ['dev_many001', 'dev_many002'],
      staffId: 'staff_many1',
    } as const;
    await writeManyPayments(world.backend.database, { ...many, count: 2_500, startAt });
    const csv = await request({ list: 'payments', format: 'csv' });
    expect(csv).toMatchObject({ status: 'running', rowCount: 0, finishedAt: null });
    expect(await file(csv.id)).toMatchObject({ status: 409 });
    await finish(csv.id);
    const lines = (await file(csv.id)).text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(2_501);
    expect(lines[0]).toMatch(/^time,invoice,paid_with,card_scheme,card_last_four,where,state,amount,returned,/);
    expect(new Set(lines).size).toBe(2_501);
    expect((await progress(csv.id)).body).toMatchObject({ rowCount: 2_500, expiresAt: expect.any(String) as string });
    const json = await request({ list: 'payments', format: 'json', filters: { status: 'declined' } });
    await finish(json.id);
    const { text, name } = await file(json.id);
    expect(name).toContain('.json');
    const listed = await client.call(listPayments, { query: { status: 'declined', limit: '100' } }, { key });
    expect(JSON.parse(text)).toEqual((listed.body as { items: unknown[] }).items);
  });

  test('of the audit log has each entry with its hash, newest first', async () => {
    const { business, request, finish, file, client } = await aShopThatExports(database);
    const auditor = await business.key('team:read');
    const { id } = await request({ list: 'audit', format: 'csv' }, auditor);
    await finish(id, auditor);
    const { body } = await client.call(listAuditEntries, { query: { limit: '100' } }, { key: auditor });
    const { items } = body as { items: { hash: string; sentence: string }[] };
    const [, ...lines] = (await file(id, auditor)).text.trimEnd().split('\r\n');
    expect(lines.map(line => line.slice(-64))).toEqual(items.map(({ hash }) => hash));
    expect(items[0]?.sentence).toContain('export');
  });

  test('that was interrupted goes on after its last part, and two processes write each part once', async () => {
    const { business, world, request, exports, file, finish } = await aShopThatExports(database);
    const many = {
      businessId: business.id,
      terminalIds: ['dev_many001', 'dev_many002'],
      staffId: 'staff_many1',
    } as const;
    await writeManyPayments(world.backend.database, { ...many, count: 7_000, startAt: 1_760_000_000_000 });
    const { id } = await request({ list: 'payments', format: 'csv' });
    await Promise.all([exports.run(), exports.run()]);
    await Promise.all([exports.run(), exports.run()]);
    await finish(id);
    const lines = (await file(id)).text.trimEnd().split('\r\n');
    expect([lines.length, new Set(lines).size]).toEqual([7_001, 7_001]);
  });

  test('is only for the key that asked for it, while it may read the list, and for a day', async () => {
    const { request, finish, file, progress, business, world, client, key } = await aShopThatExports(database);
    const { id } = await request({ list: 'refunds', format: 'json' });
    await finish(id);
    expect(await file(id)).toMatchObject({ status: 200, text: '[\n]\n' });
    const colleague = await business.key('sales:read', 'take-payments:read', 'take-payments:write');
    const other = await (await world.aBusiness({ name: 'Elsewhere' })).key('sales:read', 'take-payments:write');
    for (const as of [colleague, other]) {
      expect((await file(id, as)).status).toBe(404);
      expect((await progress(id, as)).status).toBe(404);
    }
    const weak = await business.key('devices:read');
    const body = { list: 'refunds', format: 'csv' } as const;
    expect(await client.call(createExport, { body }, { key: weak })).toMatchObject({ status: 403 });
    expect(
      await client.call(createExport, { body: { ...body, filters: { colour: 'red', limit: '5' } } }, { key }),
    ).toMatchObject({
      status: 400,
      body: {
        error: {
          metadata: {
            issues: expect.arrayContaining([expect.objectContaining({ path: 'filters.colour' })]) as unknown[],
          },
        },
      },
    });
    world.clock.advance({ hours: 25 });
    expect((await file(id)).status).toBe(404);
    expect((await progress(id)).status).toBe(404);
    const left = async () => {
      world.clock.advance({ minutes: 10 });
      const { database: store } = world.backend;
      return [
        await store.first(exportById, { businessId: business.id, id }),
        await store.first(chunkOf, { exportId: id, number: 0 }),
      ];
    };
    await expect.poll(left).toEqual([undefined, undefined]);
  });
});
