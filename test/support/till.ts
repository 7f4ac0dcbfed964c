import { createCipheriv, hkdfSync } from 'node:crypto';
import { argon2Derivation, defaultArgon2 } from '@florin/backend/people/staff/password.ts';
import { createDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { createStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { type Argon2Parameters, enrolTerminal } from '@florin/shared/contracts/device-v1/enrolment.ts';
import {
  changeStaffPassword,
  createStaffChallenge,
  createTerminalRefund,
  type StaffAuthorisation,
} from '@florin/shared/contracts/device-v1/refunds.ts';
import { authoriseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { canonicalAuthorisation, canonicalEnrolment } from '@florin/shared/signing/canonical.ts';
import { type KeyPair, keyPairOf, signText } from '@florin/shared/signing/ed25519.ts';
import type { Client } from './client.ts';

type World = { readonly client: Client; readonly clock: { now(): number } };

/** Makes the calls of a terminal of the shop. With the same `keySeed` the same machine is enrolled again. */
export async function aTill(world: World, manager: string, { keySeed = 3, serial = 'SN-1' } = {}) {
  const deviceKeys = keyPairOf(Buffer.alloc(32, keySeed));
  const { client } = world;
  const made = await client.call(createDevice, { body: { name: 'Till 1', mode: 'staff' } }, { key: manager });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const enrolled = await client.call(enrolTerminal, {
    body: signedEnrolment({
      code: made.body.enrolment?.code ?? '',
      serial,
      keys: deviceKeys,
    }),
  });
  if (enrolled.status !== 201) throw new Error(JSON.stringify(enrolled.body));
  const { deviceToken: token, configuration } = enrolled.body;
  const terminalId = configuration.terminal.id;
  const businessId = configuration.business.id;
  const derive = argon2Derivation();
  let requests = 0;

  const challenge = (staffNumber: string) => challengeOf(client, token, staffNumber);

  return {
    token,
    terminalId,
    businessId,
    deviceKeys,

    async addStaff(given: {
      staffNumber: string;
      name?: string;
      mayRefundAndVoid?: boolean;
      dailyLimitInCents?: number;
      perTransactionLimitInCents?: number;
    }) {
      const body = { name: 'Ada', mayRefundAndVoid: true, ...given };
      const created = await client.call(createStaff, { body }, { key: manager });
      if (created.status !== 201) throw new Error(JSON.stringify(created.body));
      return created.body;
    },

    async sell(amountInCents: number, saleId = `sale_${String(++requests).padStart(8, '0')}`, tipInCents = 0) {
      const body = {
        amountInCents,
        tipInCents,
        currency: 'GBP',
        startedAt: new Date(world.clock.now()).toISOString(),
        card: sealedCard(),
      };
      const sold = await client.call(authoriseSale, { params: { saleId }, body }, { key: token });
      if (sold.status !== 200) throw new Error(JSON.stringify(sold.body));
      return sold.body;
    },

    async keysOf(staffNumber: string, password: string): Promise<KeyPair> {
      const { salt, argon2 } = await challenge(staffNumber);
      return keyPairOf(await derive(password, Buffer.from(salt, 'base64'), argon2));
    },

    /** Requests that a new key replaces the old one; `sent` replaces fields after they were signed. */
    async proposeKey(
      staffNumber: string,
      old: KeyPair,
      next: { readonly keys: KeyPair; readonly salt: Uint8Array },
      sent: { readonly salt?: string; readonly argon2?: Argon2Parameters } = {},
    ) {
      const { staffId, nonce, argon2 } = await challenge(staffNumber);
      const salt = Buffer.from(next.salt).toString('base64');
      const issuedAt = new Date(world.clock.now()).toISOString();
      const text = canonicalAuthorisation({
        purpose: 'password',
        businessId,
        deviceId: terminalId,
        staffId,
        newPublicKey: next.keys.publicKey,
        newSalt: salt,
        newArgon2: argon2,
        nonce,
        issuedAt,
      });
      const authorisation = { staffId, nonce, issuedAt, signature: signText(old.privateKey, text) };
      const body = { publicKey: next.keys.publicKey, salt, argon2, authorisation, ...sent };
      return client.call(changeStaffPassword, { params: { staffId }, body }, { key: token });
    },

    async changePassword(staffNumber: string, old: KeyPair, password: string): Promise<KeyPair> {
      const salt = Buffer.alloc(16, 5);
      const keys = keyPairOf(await derive(password, salt, defaultArgon2));
      const changed = await this.proposeKey(staffNumber, old, { keys, salt });
      if (changed.status !== 200) throw new Error(JSON.stringify(changed.body));
      return keys;
    },

    /** Signs a void or refund, with the challenge of this staff number. */
    authorisation(wanted: Wanted, staffNumber: string, keys: KeyPair, given: { issuedAt?: string } = {}) {
      return signAtTill({ client, token, terminalId, businessId }, wanted, { staffNumber, keys }, given.issuedAt);
    },

    /** Signs the approval of a request that another staff member signed. */
    approval(wanted: Wanted, requested: StaffAuthorisation, staffNumber: string, keys: KeyPair) {
      return signAtTill({ client, token, terminalId, businessId }, wanted, { staffNumber, keys }, undefined, requested);
    },

    send(wanted: Wanted, authorisation: StaffAuthorisation, approval?: StaffAuthorisation) {
      requests += 1;
      const signed = { authorisation, ...(approval ? { approval } : {}) };
      const body = { requestId: `request-${1000 + requests}`, ...wanted, ...signed };
      return client.call(createTerminalRefund, { body }, { key: token });
    },

    async request(wanted: Wanted, staffNumber: string, keys: KeyPair, given: { issuedAt?: string } = {}) {
      return this.send(wanted, await this.authorisation(wanted, staffNumber, keys, given));
    },
  };
}

async function challengeOf(client: Client, token: string, staffNumber: string) {
  const made = await client.call(createStaffChallenge, { body: { staffNumber } }, { key: token });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return made.body;
}

/** Signs a void or refund as a terminal does once a password was typed. */
export async function signAtTill(
  till: { readonly client: Client; readonly token: string; readonly terminalId: string; readonly businessId: string },
  wanted: Wanted,
  staff: { readonly staffNumber: string; readonly keys: KeyPair },
  issued?: string,
  /** What another staff member signed, to approve it. */
  requested?: StaffAuthorisation,
): Promise<StaffAuthorisation> {
  const { staffId, nonce, serverTime } = await challengeOf(till.client, till.token, staff.staffNumber);
  const issuedAt = issued ?? serverTime;
  const parties = { businessId: till.businessId, deviceId: till.terminalId, staffId, nonce, issuedAt };
  const { paymentId, kind, amountInCents: amount = null } = wanted;
  const operation = { ...parties, paymentId, kind, amount, currency: 'GBP' };
  const text = canonicalAuthorisation(
    requested
      ? { purpose: 'approval', ...operation, requestedBy: requested.staffId, requestNonce: requested.nonce }
      : { purpose: kind === 'CANCEL' ? 'void' : 'refund', ...operation },
  );
  return { staffId, nonce, issuedAt, signature: signText(staff.keys.privateKey, text) };
}

type Wanted = { paymentId: string; kind: 'CANCEL' | 'REFUND_SALE'; amountInCents?: number; requestId?: string };

/** Returns the body of an enrolment, signed as a terminal signs it. */
export function signedEnrolment({ code, serial, keys }: { code: string; serial: string; keys: KeyPair }) {
  const signed = { code, serial, publicKey: keys.publicKey };
  return { ...signed, signature: signText(keys.privateKey, canonicalEnrolment(signed)) };
}

/** Returns a card block encrypted as the sandbox's readers do; the sandbox's README.md describes the format. */
export function sealedCard() {
  const keySerialNumber = 'F10A000001EC00000001';
  const key = Buffer.from(hkdfSync('sha256', 'florin-sandbox-reader-key-v1', keySerialNumber, 'card-block', 32));
  const iv = Buffer.alloc(12, 1);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const card = { pan: '4929421234600821', expiry: '3012', track: 'chip', pinVerified: true, counter: 1 };
  const sealed = Buffer.concat([iv, cipher.update(JSON.stringify(card), 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return {
    encryptedBlock: sealed.toString('base64'),
    keySerialNumber,
    entryMode: 'chip' as const,
    applicationId: 'A0000000031010',
  };
}
