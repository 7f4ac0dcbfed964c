import { randomBytes } from 'node:crypto';
import { type Backend, openBackend } from '@florin/backend/backend.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { argon2Derivation } from '@florin/backend/people/staff/password.ts';
import { sealCard } from '@florin/hardware-sim/cards/card-block.ts';
import { wallet } from '@florin/hardware-sim/cards/wallet.ts';
import { operator } from '@florin/shared/actor.ts';
import { createLinkPayment, createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import type { StaffAuthorisation } from '@florin/shared/contracts/device-v1/refunds.ts';
import { createStaffChallenge } from '@florin/shared/contracts/device-v1/refunds.ts';
import { authoriseSale, completeSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { canonicalAuthorisation } from '@florin/shared/signing/canonical.ts';
import { type KeyPair, keyPairOf, signText } from '@florin/shared/signing/ed25519.ts';
import { request } from 'undici';
import type { Client } from '../support/client.ts';
import { signedEnrolment } from '../support/till.ts';
import { readSettings } from './settings.ts';

export type Terminal = { readonly id: string; readonly token: string };
export type StaffMember = { readonly id: string; readonly number: string; readonly keys: KeyPair };

export type Shop = {
  readonly businessId: string;
  readonly apiKey: string;
  readonly terminals: readonly Terminal[];
  readonly staff: readonly StaffMember[];
};

/** Opens a shop in an empty or migrated database, before any process serves it. */
export async function openShop(
  env: Readonly<Record<string, string>>,
  wanted: { terminals: number; staff: readonly { dailyLimitMinor: number | null }[] },
): Promise<Shop> {
  const log = createLog({ level: 'silent' });
  const backend = await openBackend({ settings: readSettings(env), log, publicUrl: 'http://127.0.0.1' });
  try {
    const { businesses, apiKeys, terminals } = backend.services;
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
    const enrolled: Terminal[] = [];
    for (let index = 0; index < wanted.terminals; index += 1) {
      const name = `Till ${index + 1}`;
      const { terminal, enrolment } = await terminals.create({
        businessId: business.id,
        name,
        mode: 'staff',
        by: operator,
      });
      const keys = keyPairOf(randomBytes(32));
      const token = await terminals.enrol(signedEnrolment({ code: enrolment.code, serial: name, keys }));
      if (!token.ok) throw new Error(`not enrolled: ${token.refusal.kind}`);
      enrolled.push({ id: terminal.id, token: token.value.deviceToken });
    }
    const staff: StaffMember[] = [];
    for (const [index, { dailyLimitMinor }] of wanted.staff.entries()) {
      const number = String(101 + index);
      const made = await backend.services.staff.create({
        businessId: business.id,
        staffNumber: number,
        name: `Person ${number}`,
        mayRefundAndVoid: true,
        mayManageTerminals: false,
        perTransactionLimitMinor: null,
        dailyLimitMinor,
        by: operator,
      });
      if (!made.ok) throw new Error(`no staff member: ${made.refusal.kind}`);
      const terminalId = enrolled[0]?.id ?? '';
      staff.push(await chooseOwnPassword(backend.services.staff, { ...made.value, terminalId }));
    }
    return { businessId: business.id, apiKey: key.value.secret, terminals: enrolled, staff };
  } finally {
    await backend.close();
  }
}

type Staff = Backend['services']['staff'];
type NewMember = Extract<Awaited<ReturnType<Staff['create']>>, { ok: true }>['value'];

async function chooseOwnPassword(
  service: Staff,
  { staff, temporaryPassword, terminalId }: NewMember & { terminalId: string },
): Promise<StaffMember> {
  const { businessId, id, staffNumber } = staff;
  const parameters = JSON.parse(staff.argon2Json);
  const temporary = keyPairOf(
    await argon2Derivation()(temporaryPassword, Buffer.from(staff.salt, 'base64'), parameters),
  );
  const keys = keyPairOf(randomBytes(32));
  const challenge = await service.challenge({ businessId, terminalId, staffNumber });
  if (!challenge.ok) throw new Error(`no challenge: ${challenge.refusal.kind}`);
  const { nonce } = challenge.value;
  const issuedAt = new Date().toISOString();
  const salt = randomBytes(16).toString('base64');
  const text = canonicalAuthorisation({
    purpose: 'password',
    businessId,
    deviceId: terminalId,
    staffId: id,
    newPublicKey: keys.publicKey,
    newSalt: salt,
    newArgon2: parameters,
    nonce,
    issuedAt,
  });
  const changed = await service.changePassword({
    businessId,
    terminalId,
    staffId: id,
    publicKey: keys.publicKey,
    salt,
    argon2: parameters,
    authorisation: { staffId: id, nonce, issuedAt, signature: signText(temporary.privateKey, text) },
  });
  if (!changed.ok) throw new Error(`no password: ${changed.refusal.kind}`);
  return { id, number: staffNumber, keys };
}

export type LinkPayment = { readonly linkId: string; readonly paymentId: string; readonly amountMinor: number };
export type TillPayment = { readonly paymentId: string; readonly amountMinor: number };

/** On a busy machine a payment may stay pending: it is left to recovery and another one is made. */
async function firstTaken<Payment>(attempt: () => Promise<Payment | undefined>): Promise<Payment> {
  for (let tries = 0; tries < 10; tries += 1) {
    const payment = await attempt();
    if (payment) return payment;
  }
  throw new Error('the gateway takes no payments');
}

/** A card payment on a link of its own. The gateway approves test amounts from 100 to 2499. */
export function takeLinkPayment(
  at: { client: Client; shop: Shop; tokenUrl: string },
  amountMinor: number,
): Promise<LinkPayment> {
  const { client, shop, tokenUrl } = at;
  const key = shop.apiKey;
  const orderBody = { description: 'Order', amountInCents: amountMinor, currency: 'GBP' };
  const card = { cardNumber: '4929421234600821', cardExpiryMonth: '12', cardExpiryYear: '30', cardCVV: '356' };
  return firstTaken(async () => {
    const link = await client.call(createPaymentLink, { body: orderBody }, { key });
    if (link.status !== 201) throw new Error(`no payment link: ${JSON.stringify(link.body)}`);
    const made = await request(tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(card),
    });
    const { paymentToken } = (await made.body.json()) as { paymentToken: string };
    const params = { id: link.body.id };
    const idempotencyKey = `pay-${link.body.id}`;
    const paid = await client.call(createLinkPayment, { params, body: { paymentToken } }, { key, idempotencyKey });
    if (paid.status !== 201 && paid.status !== 202) throw new Error(`not paid: ${JSON.stringify(paid.body)}`);
    if (paid.body.status !== 'unsettled') return undefined;
    return { linkId: link.body.id, paymentId: paid.body.id, amountMinor };
  });
}

let readings = 0;

/** A terminal's request for a card-present sale, identical at every repetition. */
export function saleBody(amountMinor: number) {
  readings += 1;
  const [card] = wallet;
  if (!card) throw new Error('the wallet is empty');
  const { block, keySerialNumber } = sealCard({
    card,
    track: 'chip',
    pinVerified: true,
    counter: readings,
    readerNumber: '000001',
    random: { bytes: length => randomBytes(length) },
  });
  return {
    amountInCents: amountMinor,
    currency: 'GBP',
    startedAt: new Date().toISOString(),
    card: { encryptedBlock: block, keySerialNumber, entryMode: 'chip' as const },
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

/** What a terminal does between a typed password and a request: challenge, then a signature over the exact request. */
export async function signAtTill(
  at: { client: Client; shop: Shop; terminal: Terminal; staff: StaffMember },
  wanted: { paymentId: string; kind: 'CANCEL' | 'REFUND_SALE'; amountMinor: number | null; rightPassword: boolean },
): Promise<StaffAuthorisation> {
  const { client, shop, terminal, staff } = at;
  const body = { staffNumber: staff.number };
  const challenge = await client.call(createStaffChallenge, { body }, { key: terminal.token });
  if (challenge.status !== 201) throw new Error(`no challenge: ${JSON.stringify(challenge.body)}`);
  const { nonce } = challenge.body;
  const issuedAt = new Date().toISOString();
  const text = canonicalAuthorisation({
    purpose: wanted.kind === 'CANCEL' ? 'void' : 'refund',
    businessId: shop.businessId,
    deviceId: terminal.id,
    staffId: staff.id,
    paymentId: wanted.paymentId,
    kind: wanted.kind,
    amount: wanted.kind === 'CANCEL' ? null : wanted.amountMinor,
    currency: 'GBP',
    nonce,
    issuedAt,
  });
  const { privateKey } = wanted.rightPassword ? staff.keys : keyPairOf(randomBytes(32));
  return { staffId: staff.id, nonce, issuedAt, signature: signText(privateKey, text) };
}
