import { statement } from '@florin/backend/foundation/database/database.ts';
import { createLinkPayment } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { listPayments, type PaymentRecord } from '@florin/shared/contracts/api-v1/payments.ts';
import { completeSale, reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect } from 'vitest';
import { wireClient } from '../conformance/gateway/wire-client.ts';
import { seededNumbers } from '../simulation/seeded.ts';
import type { DatabaseKind } from './backend.ts';
import { aShop } from './shop.ts';
import { aTill } from './till.ts';

const undecidedPayments = statement<{ businessId: string }, { id: string }>(({ db }, arg) =>
  db
    .selectFrom('payments')
    .select('id')
    .where('businessId', '=', arg('businessId'))
    .where(eb =>
      eb.or([
        eb('status', 'in', ['pending', 'unsettled']),
        eb('reservedMinor', '>', 0),
        eb('reversalDueAt', 'is not', null),
      ]),
    ),
);

/** A shop whose staff, customers and gateway act as drawn from a seed, over HTTP, with everything that can happen to a payment. */
export async function aRandomShop(database: DatabaseKind, seed: number) {
  const shop = await aShop(database);
  const { world, client, sandbox, business, key } = shop;
  const till = await aTill(world, await business.key('devices:write', 'team:write'));
  const wire = wireClient({ sandbox } as Parameters<typeof wireClient>[0]);
  const { between, pick, chance } = seededNumbers(seed);
  const links: string[] = [];

  async function payments(): Promise<PaymentRecord[]> {
    const found: PaymentRecord[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
      const page = await client.call(listPayments, { query }, { key });
      if (page.status !== 200) throw new Error(JSON.stringify(page.body));
      found.push(...page.body.items);
      cursor = page.body.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  }

  /** Settles at the bank and advances the clock until no payment is undecided. */
  async function rest(): Promise<void> {
    sandbox.control.settle();
    world.clock.advance({ minutes: 10 });
    await world.backend.services.payments.settlement.poll();
    const undecided = async () => {
      world.clock.advance({ minutes: 2 });
      return (await world.backend.database.all(undecidedPayments, { businessId: business.id })).length;
    };
    await expect.poll(undecided, { timeout: 60_000, interval: 20 }).toBe(0);
  }

  const actions = {
    async pay() {
      const link = await shop.aLink(between(100, 4_000));
      links.push(link.id);
      await shop.tryToPay(link.id);
    },
    async payInPart() {
      const link = await shop.aLink(between(1_000, 4_000));
      links.push(link.id);
      sandbox.control.addFault({ kind: 'approvePartly', action: 'SALE', amountMinor: between(1, 900) });
      await shop.tryToPay(link.id);
    },
    async sell() {
      const { saleId } = await till.sell(between(100, 4_000));
      if (chance(0.6)) await client.call(completeSale, { params: { saleId } }, { key: till.token });
      else
        await client.call(reverseSale, { params: { saleId }, body: { reason: 'card_refused' } }, { key: till.token });
    },
    async settle() {
      sandbox.control.settle(pick(['tender', 'complete', 'all'] as const));
      world.clock.advance({ minutes: between(1, 1_500) });
      await world.backend.services.payments.settlement.poll();
    },
    async refund() {
      if (links.length === 0) return;
      const kind = pick(['CANCEL', 'REFUND_SALE', 'REFUND_SALE', 'REFUND'] as const);
      const body = kind === 'CANCEL' ? { kind } : { kind, amountInCents: between(1, 1_500) };
      await shop.refund(pick(links), body);
    },
    async refundWithoutReply() {
      sandbox.control.addFault({ kind: pick(['loseReply', 'dropRequest'] as const), action: 'REFUND_SALE' });
      await actions.refund();
      sandbox.control.clearFaults();
    },
    async cancelElsewhere() {
      const [payment] = (await payments()).filter(
        ({ status, terminal }) => status === 'unsettled' && terminal === null,
      );
      if (!payment?.gatewayReference) return;
      await wire.send({ merchantID: '100001', action: 'CANCEL', xref: payment.gatewayReference });
    },
    async declined() {
      const link = await shop.aLink(between(100, 900));
      await client.call(
        createLinkPayment,
        { params: { id: link.id }, body: { paymentToken: 'unknown-token' } },
        { key },
      );
    },
  };

  return {
    ...shop,
    till,
    payments,
    rest,
    async trade(steps: number): Promise<void> {
      const names = Object.keys(actions) as (keyof typeof actions)[];
      for (let step = 0; step < steps; step += 1) await actions[pick([...names, 'pay', 'refund', 'refund'] as const)]();
    },
  };
}
