import type { Me } from '@florin/shared/contracts/portal/people.ts';
import type { Language } from '@florin/shared/languages.ts';
import type { Clock, Ids, Instant, Log } from '@florin/shared/ports.ts';
import { idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import { languageOf } from '../../foundation/language.ts';
import type { SendLetter } from '../../foundation/mail.ts';
import { newSecret, secretHash } from '../../foundation/secret.ts';
import type { ChangeLog } from '../businesses/change-log.ts';
import type { PasskeyAnswer, PortalFactors } from './factors.ts';
import { newDeviceLetter, passwordResetLetter, readerOf, securityLetter, type WorkPlace } from './letters.ts';
import { isGuessable, type PortalPasswords } from './password.ts';
import type { PortalSessionRow, PortalTokenRow, PortalUserRow } from './rows.ts';
import type { Device, PortalSessions } from './sessions.ts';
import {
  changePasswordOf,
  changeProfile,
  deleteExpiredTokens,
  deleteOldSessions,
  deleteOldThrottles,
  deleteTokensOf,
  insertToken,
  insertUser,
  keepLanguage,
  knownDevice,
  tokenByHash,
  userByEmail,
  userById,
  useToken,
} from './store.ts';
import type { AttemptThrottle, TooManyAttempts } from './throttle.ts';
import type { SecurityChange } from './words/account-words.ts';

const minuteMs = 60_000;
const secondFactorMs = 10 * minuteMs;
const resetMs = 60 * minuteMs;
/** How long ended sessions are kept, to recognise a user's browsers. */
const sessionHistoryMs = 90 * 24 * 60 * minuteMs;

export type SignInRefusal = { readonly kind: 'credentials_wrong' } | TooManyAttempts;
export type SecondFactorRefusal =
  | { readonly kind: 'sign_in_expired' }
  | { readonly kind: 'code_wrong' }
  | TooManyAttempts;
export type SignedIn = {
  readonly kind: 'done';
  readonly userId: string;
  readonly sessionId: string;
  readonly secret: string;
};
export type SecondFactorNeeded = {
  readonly kind: 'second_factor';
  readonly token: string;
  readonly methods: ('totp' | 'passkey' | 'recovery_code')[];
  readonly passkeyOptions: object | null;
};

export type PortalUserOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Parameters<typeof newSecret>[1];
  readonly log: Log;
  readonly changes: ChangeLog;
  readonly passwords: PortalPasswords;
  readonly sessions: PortalSessions;
  readonly throttle: AttemptThrottle;
  readonly factors: PortalFactors;
  readonly sendLetter: SendLetter;
  /** The businesses a user belongs to, with what they may do there. */
  readonly businessesOf: (portalUserId: string) => Promise<Me['businesses']>;
  readonly placesOf: (tx: Transaction, portalUserId: string) => Promise<readonly WorkPlace[]>;
  readonly publicUrl: string;
  /** The prefix of the secrets in links. */
  readonly prefix: string;
};

/** Users of the portal: signing in, their password and their profile. decisions: People, the portal. */
export function portalUserService(options: PortalUserOptions) {
  const { database, clock, ids, random, log, changes, passwords, sessions, throttle, factors, sendLetter } = options;
  const page = (path: string) => `${options.publicUrl}/portal/${path}`;

  /** Told to the user, and to each business they belong to. */
  async function recordSecurityChange(tx: Transaction, user: PortalUserRow, told: SecurityChange, passkeyName = '') {
    const places = await options.placesOf(tx, user.id);
    const letter = securityLetter({ change: told, passkeyName, url: page('me') }, readerOf(user, [], places));
    sendLetter(tx, { businessId: null, recipient: user.email, letter });
    const by = { kind: 'portal_user', portalUserId: user.id } as const;
    const change = told === 'password_reset' ? 'password' : told;
    for (const { businessId } of places)
      await changes.append(tx, { businessId, kind: 'portal_user_changed', by, detail: { change, name: user.name } });
  }

  /** Not awaited by what is answered alike for an unknown address: the time it takes would tell that this one is known. */
  function unawaited(work: Promise<unknown>, user: PortalUserRow, failure: string): void {
    work.catch((error: unknown) => log.error({ portalUserId: user.id, err: error }, failure));
  }

  async function recordRefusal(user: PortalUserRow, address: string, reason: string): Promise<void> {
    const by = { kind: 'portal_user', portalUserId: user.id } as const;
    await database.write(async tx => {
      for (const { businessId } of await options.placesOf(tx, user.id))
        await changes.append(tx, {
          businessId,
          kind: 'sign_in_refused',
          by,
          detail: { name: user.name, address, reason },
        });
    });
  }

  async function start(tx: Transaction, user: PortalUserRow, device: Device): Promise<SignedIn> {
    const { userAgent, address, languages } = device;
    const language = user.language ?? languageOf(languages) ?? null;
    if (language !== null && user.language === null) await tx.run(keepLanguage, { id: user.id, language });
    const isKnown = await tx.first(knownDevice, { portalUserId: user.id, userAgent, address });
    const session = await sessions.start(tx, user.id, device);
    await throttle.succeeded(tx, { emailKey: user.emailKey, address });
    if (!isKnown) {
      const reader = readerOf({ language }, [], await options.placesOf(tx, user.id));
      const letter = newDeviceLetter({ userAgent, address, at: clock.now(), url: page('me') }, reader);
      sendLetter(tx, { businessId: null, recipient: user.email, letter });
    }
    return { kind: 'done', userId: user.id, sessionId: session.id, secret: session.secret };
  }

  async function issueToken(
    tx: Transaction,
    token: Omit<PortalTokenRow, 'tokenHash' | 'expiresAt'> & { readonly lifetimeMs: number },
  ): Promise<string> {
    const { lifetimeMs, ...rest } = token;
    const secret = newSecret(options.prefix, random);
    await tx.run(insertToken, { ...rest, tokenHash: secretHash(secret), expiresAt: clock.now() + lifetimeMs });
    return secret;
  }

  const sendReset = (user: PortalUserRow, languages: readonly string[]) =>
    database.write(async tx => {
      await tx.run(deleteTokensOf, { portalUserId: user.id, purpose: 'password_reset' });
      const token = await issueToken(tx, {
        portalUserId: user.id,
        purpose: 'password_reset',
        isShared: 0,
        challenge: null,
        lifetimeMs: resetMs,
      });
      const reader = readerOf(user, languages, await options.placesOf(tx, user.id));
      const letter = passwordResetLetter(`${page('password-reset')}#${token}`, reader);
      sendLetter(tx, { businessId: null, recipient: user.email, letter });
    });

  async function askForFactor(user: PortalUserRow, device: Device): Promise<SecondFactorNeeded | undefined> {
    const options = factors.hasPasskeys ? await factors.authenticationOptions(user.id) : undefined;
    const hasTotp = user.totpConfirmedAt !== null;
    if (!hasTotp && !options) return undefined;
    const codes = await factors.recoveryCodesLeft(user.id);
    const token = await database.write(tx =>
      issueToken(tx, {
        portalUserId: user.id,
        purpose: 'second_factor',
        isShared: device.isShared ? 1 : 0,
        challenge: options?.challenge ?? null,
        lifetimeMs: secondFactorMs,
      }),
    );
    const methods: SecondFactorNeeded['methods'] = [];
    if (options) methods.push('passkey');
    if (hasTotp) methods.push('totp');
    if (codes > 0) methods.push('recovery_code');
    return { kind: 'second_factor', token, methods, passkeyOptions: options ?? null };
  }

  async function isPasswordOf(user: PortalUserRow | undefined, password: string): Promise<boolean> {
    return passwords.verify(user?.passwordJson, password);
  }

  const isGuessableFor = (password: string, { email, name }: { readonly email: string; readonly name: string }) =>
    isGuessable(password, [email, ...email.split(/[@.]/), ...name.split(' '), 'florin']);

  return {
    byId: (id: string) => database.first(userById, { id }),
    byEmail: (email: string) => database.first(userByEmail, { emailKey: email.toLowerCase() }),
    nameOf: async (id: string) => (await database.first(userById, { id }))?.name ?? '',

    /** Creates a user, in the transaction that gives them a membership; undefined if the address is taken. */
    async create(
      tx: Transaction,
      input: {
        readonly email: string;
        readonly name: string;
        readonly passwordJson: string;
        readonly language?: Language | undefined;
      },
    ): Promise<PortalUserRow | undefined> {
      const { email, name, passwordJson, language = null } = input;
      const row: PortalUserRow = {
        id: ids.next(idPrefixes.portalUser),
        email,
        name,
        passwordJson,
        emailKey: email.toLowerCase(),
        theme: 'system',
        language,
        totpSealed: null,
        totpConfirmedAt: null,
        totpLastStep: null,
        createdAt: clock.now(),
      };
      return (await tx.run(insertUser, row)) > 0 ? row : undefined;
    },
    hashPassword: passwords.hash,
    isGuessable: isGuessableFor,

    /** Judges a password under the throttle; for accepting an invitation as a known user. */
    async checkPassword(user: PortalUserRow, password: string, address: string): Promise<Result<true, SignInRefusal>> {
      const attempt = { emailKey: user.emailKey, address };
      const refusal = await throttle.begin(attempt);
      if (refusal) return err(refusal);
      if (!(await isPasswordOf(user, password))) return err({ kind: 'credentials_wrong' });
      await database.write(tx => throttle.succeeded(tx, attempt));
      return ok(true);
    },

    /** An unknown address and a wrong password are refused alike, after the same work. */
    async signIn(
      { email, password }: { readonly email: string; readonly password: string },
      device: Device,
    ): Promise<Result<SignedIn | SecondFactorNeeded, SignInRefusal>> {
      const emailKey = email.toLowerCase();
      const refusal = await throttle.begin({ emailKey, address: device.address });
      if (refusal) return err(refusal);
      const user = await database.first(userByEmail, { emailKey });
      const isRight = await isPasswordOf(user, password);
      if (!user || !isRight) {
        if (user)
          unawaited(recordRefusal(user, device.address, 'password'), user, 'a refused sign-in was not recorded');
        return err({ kind: 'credentials_wrong' });
      }
      return ok((await askForFactor(user, device)) ?? (await database.write(tx => start(tx, user, device))));
    },

    /** Completes a sign-in with a code of the app, a recovery code or a passkey. */
    async secondFactor(
      given: {
        readonly token: string;
        readonly code?: string | undefined;
        readonly passkey?: PasskeyAnswer | undefined;
      },
      device: Omit<Device, 'isShared'>,
    ): Promise<Result<SignedIn, SecondFactorRefusal>> {
      const key = { tokenHash: secretHash(given.token), purpose: 'second_factor' as const };
      const token = await database.first(tokenByHash, { ...key, now: clock.now() });
      const user = token && (await database.first(userById, { id: token.portalUserId }));
      if (!token || !user) return err({ kind: 'sign_in_expired' });
      const refusal = await throttle.begin({ emailKey: user.emailKey, address: device.address });
      if (refusal) return err(refusal);
      const { code = '', passkey } = given;
      const step = user.totpConfirmedAt === null ? undefined : await factors.totpStep(user, code.replace(/\s/g, ''));
      const signed =
        passkey && token.challenge !== null ? await factors.signedBy(user.id, passkey, token.challenge) : undefined;
      const done = await database.write(async (tx): Promise<SignedIn | SecondFactorRefusal> => {
        const isAccepted = signed
          ? (await factors.used(tx, signed)) > 0
          : step !== undefined
            ? await factors.useTotp(tx, user.id, step)
            : await factors.acceptRecoveryCode(tx, user.id, code);
        if (!isAccepted) return { kind: 'code_wrong' };
        if (!(await tx.first(useToken, { ...key, now: clock.now() }))) return { kind: 'sign_in_expired' };
        return start(tx, user, { ...device, isShared: token.isShared === 1 });
      });
      if (done.kind === 'code_wrong') await recordRefusal(user, device.address, 'second factor');
      return done.kind === 'done' ? ok(done) : err(done);
    },

    /** Confirms who they are, by password or passkey; the cookie is replaced. */
    async stepUp(
      session: PortalSessionRow,
      given: { readonly password?: string | undefined; readonly passkey?: PasskeyAnswer | undefined },
      address: string,
    ): Promise<Result<{ secret: string; until: Instant }, SignInRefusal>> {
      const user = await database.first(userById, { id: session.portalUserId });
      if (!user) return err({ kind: 'credentials_wrong' });
      const attempt = { emailKey: user.emailKey, address };
      const refusal = await throttle.begin(attempt);
      if (refusal) return err(refusal);
      const { password, passkey } = given;
      const signed =
        passkey && session.challenge !== null ? await factors.signedBy(user.id, passkey, session.challenge) : undefined;
      const isRight = signed !== undefined || (password !== undefined && (await isPasswordOf(user, password)));
      if (!isRight) {
        await recordRefusal(user, address, 'confirmation');
        return err({ kind: 'credentials_wrong' });
      }
      return ok(
        await database.write(async tx => {
          if (signed) await factors.used(tx, signed);
          await throttle.succeeded(tx, attempt);
          return sessions.stepUp(tx, session.id);
        }),
      );
    },

    async changeProfile(user: PortalUserRow, changed: Partial<Pick<PortalUserRow, 'name' | 'theme' | 'language'>>) {
      const { id, name, theme, language } = { ...user, ...changed };
      await database.write(tx => tx.run(changeProfile, { id, name, theme, language }));
    },

    /** Ends the user's other sessions. */
    async changePassword(user: PortalUserRow, password: string, sessionId: string): Promise<'guessable' | undefined> {
      if (await isGuessableFor(password, user)) return 'guessable';
      const passwordJson = await passwords.hash(password);
      await database.write(async tx => {
        await tx.run(changePasswordOf, { id: user.id, passwordJson });
        await sessions.endOthers(tx, user.id, sessionId);
        await recordSecurityChange(tx, user, 'password');
      });
      return undefined;
    },

    /** Sends a link, if the address is known; takes as long if it is not. */
    async requestReset(
      email: string,
      { address, languages }: Pick<Device, 'address' | 'languages'>,
    ): Promise<TooManyAttempts | undefined> {
      const emailKey = email.toLowerCase();
      const refusal = await throttle.begin({ emailKey: `reset ${emailKey}`, address });
      if (refusal) return refusal;
      const user = await database.first(userByEmail, { emailKey });
      if (user) unawaited(sendReset(user, languages), user, 'a link to a new password was not sent');
      return undefined;
    },

    /** Ends all sessions; second factors stay. */
    async reset(token: string, password: string): Promise<Result<PortalUserRow, 'link_not_valid' | 'guessable'>> {
      const key = { tokenHash: secretHash(token), purpose: 'password_reset' as const };
      const found = await database.first(tokenByHash, { ...key, now: clock.now() });
      const user = found && (await database.first(userById, { id: found.portalUserId }));
      if (!user) return err('link_not_valid');
      if (await isGuessableFor(password, user)) return err('guessable');
      const passwordJson = await passwords.hash(password);
      const isDone = await database.write(async tx => {
        if (!(await tx.first(useToken, { ...key, now: clock.now() }))) return false;
        await tx.run(changePasswordOf, { id: user.id, passwordJson });
        await sessions.endOthers(tx, user.id, '');
        await recordSecurityChange(tx, user, 'password_reset');
        return true;
      });
      return isDone ? ok(user) : err('link_not_valid');
    },

    recordSecurityChange,

    /** Deletes what is of no use any more. */
    prune(): Promise<number> {
      const now = clock.now();
      return database.write(async tx => {
        const tokens = await tx.run(deleteExpiredTokens, { now });
        const throttles = await tx.run(deleteOldThrottles, { now });
        return tokens + throttles + (await tx.run(deleteOldSessions, { before: now - sessionHistoryMs }));
      });
    },
  };
}
export type PortalUserService = ReturnType<typeof portalUserService>;
