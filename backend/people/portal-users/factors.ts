import type { passkeyAnswer } from '@florin/shared/contracts/portal/sign-in.ts';
import type { Clock, Random } from '@florin/shared/ports.ts';
import type { z } from 'zod';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import { secretHash } from '../../foundation/secret.ts';
import type { SecretBox } from '../../foundation/secrets/secret-box.ts';
import type { PortalPasskeyRow, PortalUserRow } from './rows.ts';
import {
  deleteRecoveryCodes,
  insertPasskey,
  insertRecoveryCode,
  passkeysOf,
  recoveryCodesOf,
  usePasskey,
  useRecoveryCode,
  useTotpStep,
} from './store.ts';

export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

const codeCount = 10;
/** Without characters that look alike. */
const codeAlphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const stepSeconds = 30;
/** A phone's clock may be a step off. */
const clockSteps = 1;

/** The second factors of users: an authenticator app, passkeys, recovery codes. */
export function portalFactors(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: SecretBox;
  /** Shown by authenticator apps. */
  readonly issuer: string;
  /** The address of the portal: passkeys belong to its host. */
  readonly publicUrl: string;
}) {
  const { database, clock, random, secrets, issuer } = options;
  const { origin, hostname: rpID } = new URL(options.publicUrl);

  async function totpOf(email: string, secret: string) {
    const { Secret, TOTP } = await import('otpauth');
    return new TOTP({ issuer, label: email, secret: Secret.fromBase32(secret), period: stepSeconds });
  }

  /** The time step whose code this is; undefined for a wrong code. To be used up with `useTotp`. */
  async function totpStep(user: PortalUserRow, code: string): Promise<number | undefined> {
    if (user.totpSealed === null || !/^\d{6}$/.test(code)) return undefined;
    const totp = await totpOf(user.email, secrets.open(user.totpSealed, user.id));
    const now = clock.now();
    const offset = totp.validate({ token: code, timestamp: now, window: clockSteps });
    return offset === null ? undefined : Math.floor(now / 1_000 / stepSeconds) + offset;
  }

  const passkeyIds = async (portalUserId: string) =>
    (await database.all(passkeysOf, { portalUserId })).map(row => ({
      id: row.id,
      transports: JSON.parse(row.transportsJson) as string[],
    }));

  return {
    /** Passkeys need a host name: browsers refuse them for an address. */
    hasPasskeys: !/^[\d.]+$|^\[/.test(rpID),

    newTotp: async (user: PortalUserRow) => {
      const { Secret } = await import('otpauth');
      const secret = new Secret({ buffer: Uint8Array.from(random.bytes(20)).buffer }).base32;
      return { secret, sealed: secrets.seal(secret, user.id), uri: (await totpOf(user.email, secret)).toString() };
    },
    totpStep,
    /** False if this step's code, or a later one, was accepted before. */
    useTotp: async (tx: Transaction, id: string, step: number) =>
      (await tx.run(useTotpStep, { id, step, confirmedAt: clock.now() })) > 0,

    /** Replaces all codes; they are shown once and stored as hashes. */
    async newRecoveryCodes(tx: Transaction, portalUserId: string): Promise<string[]> {
      await tx.run(deleteRecoveryCodes, { portalUserId });
      const codes = Array.from({ length: codeCount }, () => recoveryCode(random));
      for (const code of codes) tx.send(insertRecoveryCode, { portalUserId, codeHash: codeHash(portalUserId, code) });
      return codes;
    },
    recoveryCodesLeft: async (portalUserId: string) => (await database.all(recoveryCodesOf, { portalUserId })).length,
    /** Uses a recovery code; false if it is none, or was used before. */
    acceptRecoveryCode: async (tx: Transaction, portalUserId: string, code: string): Promise<boolean> =>
      (await tx.run(useRecoveryCode, { portalUserId, codeHash: codeHash(portalUserId, code) })) > 0,

    passkeys: (portalUserId: string) => database.all(passkeysOf, { portalUserId }),

    async registrationOptions(user: PortalUserRow) {
      const { generateRegistrationOptions } = await import('@simplewebauthn/server');
      return generateRegistrationOptions({
        rpName: issuer,
        rpID,
        userName: user.email,
        userDisplayName: user.name,
        userID: Uint8Array.from(Buffer.from(user.id)),
        challenge: Uint8Array.from(random.bytes(32)),
        attestationType: 'none',
        excludeCredentials: await passkeyIds(user.id),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      });
    },
    /** The passkey that the browser made; undefined if it does not answer the challenge. */
    async registered(answer: PasskeyAnswer, challenge: string) {
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
      const verified = await verifyRegistrationResponse({
        response: answer as never,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: false,
      }).catch(() => undefined);
      return verified?.registrationInfo?.credential;
    },
    add: (tx: Transaction, row: PortalPasskeyRow) => tx.run(insertPasskey, row),

    async authenticationOptions(portalUserId: string) {
      const allowCredentials = await passkeyIds(portalUserId);
      if (allowCredentials.length === 0) return undefined;
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
      const { extensions: _none, ...options } = await generateAuthenticationOptions({
        rpID,
        allowCredentials,
        challenge: Uint8Array.from(random.bytes(32)),
        userVerification: 'preferred',
      });
      return options;
    },
    /** Whether a passkey of the user signed the challenge; to be recorded with `used`. */
    async signedBy(portalUserId: string, answer: PasskeyAnswer, challenge: string) {
      const passkey = (await database.all(passkeysOf, { portalUserId })).find(({ id }) => id === answer.id);
      if (!passkey) return undefined;
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
      const verified = await verifyAuthenticationResponse({
        response: answer as never,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        credential: {
          id: passkey.id,
          publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
        requireUserVerification: false,
      }).catch(() => undefined);
      return verified?.verified ? { id: passkey.id, counter: verified.authenticationInfo.newCounter } : undefined;
    },
    used: (tx: Transaction, { id, counter }: { id: string; counter: number }) =>
      tx.run(usePasskey, { id, counter, now: clock.now() }),
  };
}
export type PortalFactors = ReturnType<typeof portalFactors>;

/** Ten characters, 49 bits. */
function recoveryCode(random: Random): string {
  let code = '';
  while (code.length < 10) {
    for (const byte of random.bytes(16))
      if (byte < codeAlphabet.length * 8 && code.length < 10) code += codeAlphabet[byte % codeAlphabet.length];
  }
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

/** As people type it: case, spaces and hyphens do not matter. */
function codeHash(portalUserId: string, code: string): string {
  return secretHash(`${portalUserId} ${code.toUpperCase().replace(/[^A-Z0-9]/g, '')}`);
}
