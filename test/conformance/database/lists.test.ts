import { openDatabase, systemPlatform } from '@florin/backend/backend.ts';
import { compose, type Services } from '@florin/backend/compose.ts';
import type { Database } from '@florin/backend/foundation/database/database.ts';
import { readsPrimary } from '@florin/backend/foundation/database/replica.ts';
import { noNotifications } from '@florin/backend/foundation/events/notifications.ts';
import { noOutbound } from '@florin/backend/foundation/outbound/outbound.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { listPaymentLinks } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { listRefunds } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type BackendWorld, eachDatabase } from '../../support/backend.ts';
import { aShop } from '../../support/shop.ts';
import { aTill } from '../../support/till.ts';

/** The product's modules over the same database, counting its queries. */
async function countingModules(world: BackendWorld) {
  const opened = await openDatabase(world.settings);
  onTestFinished(() => opened.close());
  let reads = 0;
  const counting: Database = {
    dialect: opened.dialect,
    write: body => opened.write(body),
    all: (statement, args) => {
      reads += 1;
      return opened.all(statement, args);
    },
    first: (statement, args) => {
      reads += 1;
      return opened.first(statement, args);
    },
    close: () => opened.close(),
  };
  const unused = () => Promise.reject(new Error('not used by lists'));
  const ports = {
    ...systemPlatform,
    clock: world.clock,
    timers: world.clock,
    steadyClock: { ...world.clock, lagMs: () => 0 },
    database: counting,
    replicaReads: readsPrimary,
    notifications: noNotifications,
    outbound: noOutbound,
    gatewayRegistry: new Map(),
    nodeRegistry: new Map(),
    log: createLog({ level: 'silent' }),
    derivePassword: unused,
    secretsKeys: () => ({ current: new Uint8Array(32) }),
    permanentKey: () => new Uint8Array(32),
  };
  const gatewayAccount = { adapter: 'none', name: 'Test', merchantId: '100001', config: {}, secrets: {} };
  const { services } = compose(ports, { ...world.settings, gatewayAccount, publicUrl: world.url });
  return async (list: (services: Services) => Promise<unknown>) => {
    reads = 0;
    const rows = await list(services);
    return { rows, reads };
  };
}

eachDatabase('lists', kind => {
  test('take as many queries for many rows as for one, and return the same as reading each record', async () => {
    const { world, client, business, key, aLink, pay, refund, sandbox } = await aShop(kind);
    const businessId = business.id;
    const till = await aTill(world, await business.key('devices:write', 'devices:read', 'team:write', 'team:read'));
    const { staff, temporaryPassword } = await till.addStaff({ staffNumber: '104' });
    const keys = await till.changePassword('104', await till.keysOf('104', temporaryPassword ?? ''), 'good password');
    const count = await countingModules(world);
    const page = { before: 'zzzz', limit: 100 };
    const lists: Record<string, (services: Services) => Promise<unknown>> = {
      refunds: ({ refunds }) => refunds.list({ businessId, paymentId: null, status: null, ...page }),
      links: ({ paymentLinks }) => paymentLinks.list({ businessId, status: null, ...page }),
      sales: ({ payments }) => payments.sales({ businessId, ...page }),
      staff: service => service.staff.list({ businessId, ...page }),
      configuration: ({ terminals }) => terminals.configuration(businessId, till.terminalId),
    };
    async function more(): Promise<void> {
      const link = await aLink(1_000);
      await pay(link.id);
      const sold = await till.sell(1_000);
      sandbox.control.settle();
      await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 100 });
      const wanted = { paymentId: sold.paymentId ?? '', kind: 'REFUND_SALE', amountInCents: 100 } as const;
      expect(await till.request(wanted, '104', keys)).toMatchObject({ status: 201 });
    }
    await more();
    const one = await readsInTurn(lists, count);
    for (let rows = 0; rows < 4; rows += 1) await more();
    expect(await readsInTurn(lists, count)).toEqual(one);

    const refunds = await client.call(listRefunds, { query: { limit: 100 } }, { key });
    if (refunds.status !== 200) throw new Error(JSON.stringify(refunds.body));
    expect(refunds.body.items).toHaveLength(10);
    expect(refunds.body.items.filter(item => item.staff?.id === staff.id)).toHaveLength(5);
    expect(refunds.body.items.every(item => item.remainingInCents === 900)).toBe(true);
    const links = await client.call(listPaymentLinks, { query: {} }, { key });
    if (links.status !== 200) throw new Error(JSON.stringify(links.body));
    expect(links.body.items.map(({ payments }) => payments.length)).toEqual([1, 1, 1, 1, 1]);
  });
});

async function readsInTurn(
  lists: Readonly<Record<string, (services: Services) => Promise<unknown>>>,
  count: Awaited<ReturnType<typeof countingModules>>,
): Promise<Record<string, number>> {
  const reads: Record<string, number> = {};
  for (const [name, list] of Object.entries(lists)) reads[name] = (await count(list)).reads;
  return reads;
}
