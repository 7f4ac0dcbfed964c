import { createLinkPayment, createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { createCardRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { takeGatewayCallback } from '@florin/shared/contracts/callbacks.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import { signed, wireSecret } from '../conformance/gateway/wire-client.ts';
import { aBackend, type BackendOptions, type DatabaseKind } from './backend.ts';

export const merchant: readonly Permission[] = [
  'take-payments:read',
  'take-payments:write',
  'refunds:write',
  'sales:read',
];

/** A shop on the composed server, whose card payments go over HTTP to the sandbox gateway. */
export async function aShop(
  database: DatabaseKind,
  permissions: readonly Permission[] = merchant,
  options: Pick<BackendOptions, 'clock' | 'consumers' | 'env' | 'gatewayRegistry' | 'until'> = {},
) {
  const env = { RATE_LIMIT_STAFF_CHALLENGES: '1000', ...options.env };
  const world = await aBackend({ database, sandbox: true, ...options, env });
  const { client, sandbox } = world;
  if (!sandbox) throw new Error('no gateway');
  const business = await world.aBusiness();
  const key = await business.key(...permissions);

  const paymentToken = () => paymentTokenFrom(sandbox.tokenUrl);

  async function aLink(
    amountInCents: number,
    options: {
      allowPartPayment?: boolean;
      description?: string;
      externalReference?: string;
      successUrl?: string;
      expiresAt?: string;
    } = {},
  ) {
    const body = { description: 'Invoice 7', amountInCents, currency: 'GBP', ...options };
    const made = await client.call(createPaymentLink, { body }, { key });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.body;
  }

  async function tryToPay(linkId: string, amountInCents?: number) {
    const body = { paymentToken: await paymentToken(), ...(amountInCents === undefined ? {} : { amountInCents }) };
    return client.call(createLinkPayment, { params: { id: linkId }, body }, { key });
  }

  async function pay(linkId: string, amountInCents?: number) {
    const paid = await tryToPay(linkId, amountInCents);
    if (paid.status !== 201) throw new Error(JSON.stringify(paid.body));
    return paid.body;
  }

  /** The callback that the gateway posts about an operation of this business. */
  async function postCallback(fields: Readonly<Record<string, string>>, secret = wireSecret) {
    const accountId = (await world.backend.services.gatewayAccounts.accountForNewPayments(business.id)) ?? '';
    const posted = await fetch(`${world.url}${takeGatewayCallback.path.replace('{accountId}', accountId)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: signed(fields, secret),
    });
    return { status: posted.status, body: await posted.json() };
  }

  type RefundBody = Parameters<typeof client.call<typeof createCardRefund>>[1]['body'];
  const refund = (linkId: string, body: RefundBody, options: { key?: string; idempotencyKey?: string } = {}) =>
    client.call(createCardRefund, { params: { id: linkId }, body }, { key, ...options });

  /** A refund of a settled payment of 1,000 that never reaches the gateway, so that its outcome is unknown. */
  const aLostRefund = async (amountInCents: number) => {
    const link = await aLink(1_000);
    const payment = await pay(link.id);
    sandbox.control.settle();
    sandbox.control.addFault({ kind: 'dropRequest', action: 'REFUND_SALE' });
    const lost = await refund(link.id, { kind: 'REFUND_SALE', amountInCents });
    if (lost.status !== 202) throw new Error(JSON.stringify(lost.body));
    return { link, payment, id: lost.body.id };
  };

  const calls = { paymentToken, aLink, pay, tryToPay, refund, aLostRefund, postCallback };
  return { world, client, sandbox, business, key, ...calls };
}

/** The token of a card that the sandbox's fields send to it. */
export async function paymentTokenFrom(tokenUrl: string): Promise<string> {
  const card = { cardNumber: '4929421234600821', cardExpiryMonth: '12', cardExpiryYear: '30', cardCVV: '356' };
  const headers = { 'content-type': 'application/json' };
  const made = await fetch(tokenUrl, { method: 'POST', headers, body: JSON.stringify(card) });
  return ((await made.json()) as { paymentToken: string }).paymentToken;
}

/** The callback that the gateway posts about an approved refund. */
export function refundApproval(transactionUnique: string, amountMinor: number) {
  return {
    merchantID: '100001',
    action: 'REFUND_SALE',
    responseCode: '0',
    state: 'captured',
    transactionUnique,
    xref: '26112100AA00AA00AA00AAB',
    amount: String(amountMinor),
    currencyCode: '826',
  };
}
