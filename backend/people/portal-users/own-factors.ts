import type { Clock } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { PasskeyAnswer, PortalFactors } from './factors.ts';
import type { PortalSessionRow, PortalUserRow } from './rows.ts';
import type { PortalUserService } from './service.ts';
import { changeTotp, deletePasskey, setChallenge } from './store.ts';

/** What a user does with their own second factors. */
export function ownFactors(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly factors: PortalFactors;
  readonly users: Pick<PortalUserService, 'recordSecurityChange'>;
}) {
  const { database, clock, factors, users } = options;

  /** The first factor comes with recovery codes. */
  async function firstCodes(tx: Transaction, portalUserId: string, left: number): Promise<string[] | null> {
    return left === 0 ? factors.newRecoveryCodes(tx, portalUserId) : null;
  }

  return {
    async beginTotp(user: PortalUserRow): Promise<Result<{ secret: string; uri: string }, 'totp_exists'>> {
      if (user.totpConfirmedAt !== null) return err('totp_exists');
      const { secret, uri, sealed } = await factors.newTotp(user);
      await database.write(tx =>
        tx.run(changeTotp, { id: user.id, totpSealed: sealed, totpConfirmedAt: null, totpLastStep: null }),
      );
      return ok({ secret, uri });
    },

    async confirmTotp(
      user: PortalUserRow,
      code: string,
    ): Promise<Result<string[] | null, 'totp_exists' | 'totp_not_begun' | 'code_wrong'>> {
      if (user.totpConfirmedAt !== null) return err('totp_exists');
      if (user.totpSealed === null) return err('totp_not_begun');
      const step = await factors.totpStep(user, code.replace(/\s/g, ''));
      if (step === undefined) return err('code_wrong');
      const left = await factors.recoveryCodesLeft(user.id);
      return database.write(async tx => {
        if (!(await factors.useTotp(tx, user.id, step))) return err('code_wrong');
        const codes = await firstCodes(tx, user.id, left);
        await users.recordSecurityChange(tx, user, 'totp_added');
        return ok(codes);
      });
    },

    async removeTotp(user: PortalUserRow): Promise<void> {
      if (user.totpSealed === null) return;
      await database.write(async tx => {
        await tx.run(changeTotp, { id: user.id, totpSealed: null, totpConfirmedAt: null, totpLastStep: null });
        if (user.totpConfirmedAt === null) return;
        await users.recordSecurityChange(tx, user, 'totp_removed');
      });
    },

    /** Options for a new passkey; what it must sign is kept with the session. */
    async beginPasskey(user: PortalUserRow, session: PortalSessionRow) {
      const asked = await factors.registrationOptions(user);
      await database.write(tx => tx.run(setChallenge, { id: session.id, challenge: asked.challenge }));
      return asked;
    },

    /** Options for confirming with one of the user's passkeys; undefined without any. */
    async askForPasskey(session: PortalSessionRow) {
      const asked = await factors.authenticationOptions(session.portalUserId);
      if (asked) await database.write(tx => tx.run(setChallenge, { id: session.id, challenge: asked.challenge }));
      return asked;
    },

    async addPasskey(
      user: PortalUserRow,
      session: PortalSessionRow,
      given: { readonly name: string; readonly passkey: PasskeyAnswer },
    ): Promise<Result<{ id: string; recoveryCodes: string[] | null }, 'passkey_not_valid' | 'passkey_exists'>> {
      const credential =
        session.challenge === null ? undefined : await factors.registered(given.passkey, session.challenge);
      if (!credential) return err('passkey_not_valid');
      const left = await factors.recoveryCodesLeft(user.id);
      return database.write(async tx => {
        const added = await factors.add(tx, {
          id: credential.id,
          portalUserId: user.id,
          name: given.name,
          publicKey: Buffer.from(credential.publicKey).toString('base64url'),
          counter: credential.counter,
          transportsJson: JSON.stringify(credential.transports ?? []),
          createdAt: clock.now(),
          lastUsedAt: null,
        });
        if (added === 0) return err('passkey_exists');
        await tx.run(setChallenge, { id: session.id, challenge: null });
        const recoveryCodes = await firstCodes(tx, user.id, left);
        await users.recordSecurityChange(tx, user, 'passkey_added', given.name);
        return ok({ id: credential.id, recoveryCodes });
      });
    },

    /** False if the user has no such passkey. */
    removePasskey: (user: PortalUserRow, id: string): Promise<boolean> =>
      database.write(async tx => {
        if ((await tx.run(deletePasskey, { portalUserId: user.id, id })) === 0) return false;
        await users.recordSecurityChange(tx, user, 'passkey_removed');
        return true;
      }),

    renewRecoveryCodes: (user: PortalUserRow): Promise<string[]> =>
      database.write(async tx => {
        const codes = await factors.newRecoveryCodes(tx, user.id);
        await users.recordSecurityChange(tx, user, 'recovery_codes');
        return codes;
      }),
  };
}
export type OwnFactors = ReturnType<typeof ownFactors>;
