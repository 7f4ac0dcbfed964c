import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { startServer } from '@florin/backend/server.ts';
import { operator } from '@florin/shared/actor.ts';
import { createLinkPayment, createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { authoriseSale, completeSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import type { KeyPair } from '@florin/shared/signing/ed25519.ts';
import { type Client, clientOf } from '../support/client.ts';
import { paymentTokenFrom } from '../support/shop.ts';
import { aTill, sealedCard } from '../support/till.ts';
import { readSettings } from './settings.ts';
import { until } from './until.ts';

export type Terminal = Awaited<ReturnType<typeof aTill>>;
export type StaffMember = { readonly id: string; readonly staffNumber: string; readonly keys: KeyPair };

export type Shop = {
  readonly apiKey: string;
  readonly terminals: readonly [Terminal, Terminal];
  readonly staff: readonly StaffMember[];
};

/** Opens a shop with two terminals in an empty or migrated database, before any process serves it. */
export async function openShop(
  env: Readonly<Record<string, string>>,
  dailyLimitsMinor: readonly (number | null)[],
): Promise<Shop> {
  const server = await startServer({ settings: readSettings(env), log: createLog({ level: 'silent' }) });
  try {
    const { businesses, apiKeys } = server.backend.services;
    const business = await businesses.create({
      name: 'Corner Shop',
      countryCode: 'GB',
      currency: 'GBP',
      locale: 'en-GB',
      timeZone: 'Europe/London',
    });
    const key = await apiKeys.create(
      business.id,
      { name: 'till', preset: 'CUSTOM', permissions: [...permissionCodes], expiresAt: null },
      operator,
    );
    if (!key.ok) throw new Error(`no API key: ${key.refusal.kind}`);
    const apiKey = key.value.secret;
    const world = { client: clientOf(server.url), clock: Date };
    const till = await aTill(world, apiKey);
    const terminals = [till, await aTill(world, apiKey, { keySeed: 4, serial: 'SN-2' })] as const;
    const staff: StaffMember[] = [];
    for (const [index, dailyLimitMinor] of dailyLimitsMinor.entries()) {
      const staffNumber = String(101 + index);
      const limit = dailyLimitMinor === null ? {} : { dailyLimitInCents: dailyLimitMinor };
      const { staff: member, temporaryPassword } = await till.addStaff({ staffNumber, ...limit });
      const temporary = await till.keysOf(staffNumber, temporaryPassword ?? '');
      const keys = await till.changePassword(staffNumber, temporary, `the password of ${staffNumber}`);
      staff.push({ id: member.id, staffNumber, keys });
    }
    return { apiKey, terminals, staff };
  } finally {
    await server.stop();
  }
}

export type LinkPayment = { readonly linkId: string; readonly paymentId: string; readonly amountMinor: number };
export type TillPayment = { readonly paymentId: string; readonly amountMinor: number };

/** On a busy machine a payment may stay pending: it is left to recovery and another one is made. */
async function firstTaken<Payment>(attempt: () => Promise<Payment | undefined>): Promise<Payment> {
  const taken = Promise.withResolvers<Payment>();
  await until('the gateway takes a payment', async () => {
    const payment = await attempt();
    if (payment) taken.resolve(payment);
    return payment !== undefined;
  });
  return taken.promise;
}

/** A card payment on a link of its own. The gateway approves test amounts from 100 to 2499. */
export function takeLinkPayment(
  at: { client: Client; shop: Shop; tokenUrl: string },
  amountMinor: number,
): Promise<LinkPayment> {
  const { client, shop, tokenUrl } = at;
  const key = shop.apiKey;
  const orderBody = { description: 'Order', amountInCents: amountMinor, currency: 'GBP' };
  return firstTaken(async () => {
    const link = await client.call(createPaymentLink, { body: orderBody }, { key });
    if (link.status !== 201) throw new Error(`no payment link: ${JSON.stringify(link.body)}`);
    const paymentToken = await paymentTokenFrom(tokenUrl);
    const params = { id: link.body.id };
    const idempotencyKey = `pay-${link.body.id}`;
    const paid = await client.call(createLinkPayment, { params, body: { paymentToken } }, { key, idempotencyKey });
    if (paid.status !== 201 && paid.status !== 202) throw new Error(`not paid: ${JSON.stringify(paid.body)}`);
    if (paid.body.status !== 'unsettled') return undefined;
    return { linkId: link.body.id, paymentId: paid.body.id, amountMinor };
  });
}

/** A terminal's request for a card-present sale, identical at every repetition. */
export function saleBody(amountMinor: number) {
  return {
    amountInCents: amountMinor,
    currency: 'GBP',
    startedAt: new Date().toISOString(),
    card: sealedCard(),
  };
}

/** A completed sale on a terminal, for refunds with a staff password. */
export function takeSale(
  at: { client: Client; terminal: Terminal },
  sale: { newId: () => string; amountMinor: number },
): Promise<TillPayment> {
  const { client, terminal } = at;
  const key = terminal.token;
  return firstTaken(async () => {
    const params = { saleId: sale.newId() };
    const taken = await client.call(authoriseSale, { params, body: saleBody(sale.amountMinor) }, { key });
    if (taken.status !== 200) throw new Error(`no sale: ${JSON.stringify(taken.body)}`);
    if (taken.body.status !== 'unsettled' || taken.body.paymentId === null) return undefined;
    await client.call(completeSale, { params }, { key });
    return { paymentId: taken.body.paymentId, amountMinor: sale.amountMinor };
  });
}
