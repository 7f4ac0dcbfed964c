import { sign } from '@florin/backend/programs/sandbox/card-gateway/wire.ts';
import type { GatewayWorld } from './world.ts';

/** The fields of a sale on the Direct interface. */
export const wireSale = {
  merchantID: '100001',
  action: 'SALE',
  type: '1',
  amount: '1250',
  currencyCode: 'GBP',
  cardNumber: '4929 4212 3460 0821',
  cardExpiryDate: '1231',
  cardCVV: '356',
  transactionUnique: 'one',
  orderRef: 'INV-1',
};

export const wireSecret = 'Circle4Take40Idea';

export function signed(fields: Readonly<Record<string, string>>, secret = wireSecret): string {
  const entries = new Map(Object.entries(fields));
  return new URLSearchParams([...entries, ['signature', sign(entries, secret)]]).toString();
}

/** A client of the Direct interface without the adapter. */
export function wireClient(world: Pick<GatewayWorld, 'sandbox'>) {
  async function post(body: string, contentType = 'application/x-www-form-urlencoded') {
    const reply = await fetch(world.sandbox.directUrl, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
    });
    const fields = Object.fromEntries(new URLSearchParams(await reply.text()));
    return { status: reply.status, type: reply.headers.get('content-type'), fields };
  }
  return {
    post,
    send: async (fields: Readonly<Record<string, string>>, secret?: string) =>
      (await post(signed(fields, secret))).fields,
  };
}
