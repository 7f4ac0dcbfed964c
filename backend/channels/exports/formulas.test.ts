import {
  createExport,
  type ExportedList,
  exportedLists,
  getExportFile,
} from '@florin/shared/contracts/api-v1/exports.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { statement } from '../../foundation/database/database.ts';
import { exportColumns } from './columns.ts';

/** The columns of each file whose text people, terminals or the gateway write. Without a line, a new export does not compile. */
const freeText: Readonly<Record<ExportedList, readonly string[]>> = {
  payments: ['invoice', 'where', 'description', 'reference', 'bank_reference', 'bank_message'],
  refunds: ['staff', 'staff_number', 'reason', 'bank_reference', 'bank_message'],
  transactions: ['invoice', 'terminal', 'staff', 'staff_number', 'by', 'bank_reference'],
  settlements: ['account'],
  'refund-log': ['staff', 'staff_number', 'terminal', 'invoice'],
  'void-log': ['staff', 'staff_number', 'terminal', 'invoice'],
  audit: ['what', 'who'],
};

/** Where these texts are stored. */
const stored = {
  payments: ['invoiceNumber', 'gatewayReference', 'declineMessage'],
  paymentLinks: ['description', 'externalReference'],
  refunds: ['reason', 'gatewayReference', 'gatewayMessage'],
  staff: ['name', 'staffNumber'],
  terminals: ['name'],
  apiKeys: ['name'],
  gatewayAccounts: ['name'],
} as const;

/** Begins every such text with these characters, also those that no caller can send. The id keeps each of them unique. */
const plantIn = (table: keyof typeof stored) =>
  statement<{ text: string }, unknown>(({ db }, arg) =>
    db
      .updateTable(table as 'payments')
      .set(Object.fromEntries(stored[table].map(column => [column, sql`cast(${arg('text')} as text) || "id"`]))),
  );

/** The log has the names of its time inside its details. */
const plantInLog = statement<{ name: string; text: string }, unknown>(({ db }, arg) =>
  db.updateTable('auditEntries').set({
    detailJson: sql`replace("detailJson", cast(${arg('name')} as text), cast(${arg('text')} as text))`,
  }),
);

const dangerous = /^[=+\-@\t\r]/;

/** The cells of a file by the names of its columns (RFC 4180). */
function rowsOf(csv: string): Record<string, string>[] {
  const cells = Array.from(csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g), ([, quoted, plain, end]) => ({
    text: quoted?.replaceAll('""', '"') ?? plain ?? '',
    isLast: end !== ',',
  }));
  const lines: string[][] = [[]];
  for (const { text, isLast } of cells) {
    lines.at(-1)?.push(text);
    if (isLast) lines.push([]);
  }
  const [names = [], ...rows] = lines.filter(line => line.length > 0);
  return rows.map(row => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
}

/** A shop with a record in every list, by a link and at a terminal. */
async function aBusyShop() {
  const shop = await aShop('sqlite', permissionCodes);
  const { world, client, key, aLink, pay, refund, sandbox } = shop;
  const till = await aTill(world, key);
  const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104' });
  const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'my own password');
  const wrong = keyPairOf(Buffer.alloc(32, 9));
  const [voided, refunded] = [await till.sell(1_000), await till.sell(1_000)];
  await till.request({ paymentId: voided.paymentId ?? '', kind: 'CANCEL' }, '104', wrong);
  const cancelled = await till.request({ paymentId: voided.paymentId ?? '', kind: 'CANCEL' }, '104', keys);
  const link = await aLink(700, { externalReference: 'Order 7' });
  await pay(link.id);
  sandbox.control.settle();
  const body = { kind: 'REFUND_SALE', amountInCents: 300, reason: 'Broken' } as const;
  const returned = await till.request({ ...body, paymentId: refunded.paymentId ?? '' }, '104', keys);
  const ofLink = await refund(link.id, body);
  expect([cancelled.status, returned.status, ofLink.status]).toEqual([201, 201, 201]);
  const file = async (list: ExportedList) => {
    const made = await client.call(createExport, { body: { list, format: 'csv' } }, { key });
    if (made.status !== 202) throw new Error(JSON.stringify(made.body));
    await world.backend.services.exports.run();
    const address = world.url + getExportFile.path.replace('{id}', made.body.id);
    return rowsOf(await (await fetch(address, { headers: { authorization: `Bearer ${key}` } })).text());
  };
  return { world, staff, file };
}

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('no cell of any export begins with %j', async text => {
  const { world, staff, file } = await aBusyShop();
  await world.backend.database.write(async tx => {
    for (const table of Object.keys(stored)) await tx.run(plantIn(table as keyof typeof stored), { text });
    const escaped = JSON.stringify(text).slice(1, -1);
    for (const name of [staff.name, staff.staffNumber, 'Till 1', 'INV-'])
      await tx.run(plantInLog, { name: `":"${name}`, text: `":"${escaped}${name}` });
  });
  for (const list of Object.keys(exportedLists) as ExportedList[]) {
    const rows = await file(list);
    const texts = exportColumns[list].filter(({ kind }) => kind === 'text').map(({ name }) => name);
    const cells = rows.flatMap(row => texts.map(name => [list, name, row[name] ?? ''] as const));
    expect(cells.filter(([, , cell]) => dangerous.test(cell))).toEqual([]);
    const planted = new Set(cells.filter(([, , cell]) => cell.startsWith(`'${text}`)).map(([, name]) => name));
    expect([list, freeText[list].filter(name => !planted.has(name))]).toEqual([list, []]);
  }
});
