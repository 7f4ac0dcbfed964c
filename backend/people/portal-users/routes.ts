import * as contracts from '@florin/shared/contracts/portal/me.ts';
import type { Me } from '@florin/shared/contracts/portal/people.ts';
import {
  giveSecondFactor,
  requestPasswordReset,
  resetPassword,
  signIn,
} from '@florin/shared/contracts/portal/sign-in.ts';
import { type Permission, permissionCode } from '@florin/shared/permissions.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { builtInRoles, isBuiltInRole } from '@florin/shared/roles.ts';
import { addressGroup } from '../../foundation/http/address.ts';
import { type Authenticators, cookieAuthenticator } from '../../foundation/http/authenticate.ts';
import type { PortalCaller, PortalUserCaller } from '../../foundation/http/callers.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, respondWithCookie, route } from '../../foundation/http/route.ts';
import { languageOf } from '../../foundation/language.ts';
import type { SessionCookie } from './cookie.ts';
import type { PortalFactors } from './factors.ts';
import { browserName } from './letters.ts';
import type { OwnFactors } from './own-factors.ts';
import type { PortalSessionRow, PortalUserRow } from './rows.ts';
import type { PortalUserService, SecondFactorRefusal, SignedIn, SignInRefusal } from './service.ts';
import type { PortalSessions } from './sessions.ts';

export type PortalUserRoutesOptions = {
  readonly users: PortalUserService;
  readonly sessions: PortalSessions;
  readonly factors: PortalFactors;
  readonly own: OwnFactors;
  readonly cookie: SessionCookie;
  readonly businessesOf: (portalUserId: string) => Promise<Me['businesses']>;
  readonly sessionById: (id: string) => Promise<PortalSessionRow | undefined>;
};

/** What each refusal of a sign-in is answered with. */
export const signInProblems = {
  credentials_wrong: { status: 401, message: 'The e-mail address or the password is wrong' },
  too_many_attempts: { status: 429, message: 'Too many attempts: try again later' },
  sign_in_expired: { status: 401, message: 'This sign-in took too long: start again' },
  code_wrong: { status: 401, message: 'This code is wrong or was used before' },
} as const satisfies ProblemTable<SignInRefusal['kind'] | SecondFactorRefusal['kind']>;

/** 400 for a password that is long enough and still easy to guess. */
export const guessable = () =>
  fail(
    400,
    'password_guessable',
    'This password is too easy to guess: use several unrelated words, or a password manager',
  );
/** 404 for the link of an e-mail. */
export const linkNotValid = () =>
  fail(404, 'link_not_valid', 'This link is not valid any more: it works once, and for a limited time');

const iso = (instant: Instant) => new Date(instant).toISOString();

/** Signing in and out, and what a user does with their own account. */
export function portalUserRoutes(options: PortalUserRoutesOptions): Route[] {
  return [...signInRoutes(options), ...profileRoutes(options), ...factorRoutes(options)];
}

/** The browser of a request. */
const deviceOf = (request: { remoteAddress(): string; userAgent(): string; languages(): readonly string[] }) => ({
  userAgent: request.userAgent().slice(0, 300),
  address: addressGroup(request.remoteAddress()),
  languages: request.languages(),
});

/** Reads the signed-in user with their session. @throws if either was deleted since the request was admitted */
function reading({ users, sessionById }: PortalUserRoutesOptions) {
  return async ({ portalUserId, sessionId }: PortalUserCaller) => {
    const [user, session] = await Promise.all([users.byId(portalUserId), sessionById(sessionId)]);
    if (!user || !session) throw new Error('the user of a session is missing');
    return { user, session };
  };
}

function showing({ factors, sessions, businessesOf }: PortalUserRoutesOptions) {
  return async (user: PortalUserRow, session: PortalSessionRow): Promise<Me> => {
    const [businesses, passkeys, recoveryCodesLeft] = await Promise.all([
      businessesOf(user.id),
      factors.passkeys(user.id),
      factors.recoveryCodesLeft(user.id),
    ]);
    const until = sessions.steppedUpUntil(session);
    return {
      id: user.id,
      email: user.email,
      name: user.name,
      theme: user.theme as Me['theme'],
      language: user.language,
      businesses,
      factors: {
        totp: user.totpConfirmedAt !== null,
        passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
          id,
          name,
          createdAt: iso(createdAt),
          lastUsedAt: lastUsedAt === null ? null : iso(lastUsedAt),
        })),
        recoveryCodesLeft,
      },
      steppedUpUntil: until === null ? null : iso(until),
      session: { id: session.id, isShared: session.isShared === 1 },
    };
  };
}

function signInRoutes(options: PortalUserRoutesOptions): Route[] {
  const { users, cookie } = options;
  const read = reading(options);
  const show = showing(options);
  async function signedIn({ userId: portalUserId, sessionId, secret }: SignedIn) {
    const { user, session } = await read({ kind: 'portalUser', portalUserId, sessionId, isSteppedUp: true });
    return respondWithCookie(200, { next: 'done' as const, me: await show(user, session) }, cookie.set(secret));
  }

  return [
    route(signIn, async request => {
      const { isShared, ...credentials } = request.body;
      const result = await users.signIn(credentials, { ...deviceOf(request), isShared });
      if (!result.ok) return errorBy(signInProblems, result.refusal);
      if (result.value.kind === 'done') return signedIn(result.value);
      const { token, methods, passkeyOptions } = result.value;
      return respond(200, {
        next: 'second_factor' as const,
        token,
        methods,
        passkeyOptions: passkeyOptions as Record<string, unknown> | null,
      });
    }),

    route(giveSecondFactor, async request => {
      const result = await users.secondFactor(request.body, deviceOf(request));
      return result.ok ? signedIn(result.value) : errorBy(signInProblems, result.refusal);
    }),

    route(requestPasswordReset, async request => {
      const refusal = await users.requestReset(request.body.email, deviceOf(request));
      return refusal ? errorBy(signInProblems, refusal) : respond(200, { sent: true as const });
    }),

    route(resetPassword, async ({ body }) => {
      const result = await users.reset(body.token, body.password);
      if (result.ok) return respond(200, { email: result.value.email });
      return result.refusal === 'guessable' ? guessable() : linkNotValid();
    }),

    route(contracts.signOut, async ({ caller }) => {
      await options.sessions.end(caller.portalUserId, caller.sessionId);
      return respondWithCookie(200, {}, cookie.clear());
    }),

    route(contracts.stepUp, async request => {
      const { session } = await read(request.caller);
      const result = await users.stepUp(session, request.body, deviceOf(request).address);
      if (!result.ok) return errorBy(signInProblems, result.refusal);
      const { secret, until } = result.value;
      return respondWithCookie(200, { steppedUpUntil: iso(until) }, cookie.set(secret));
    }),
  ];
}

function profileRoutes(options: PortalUserRoutesOptions): Route[] {
  const { users, sessions } = options;
  const read = reading(options);
  const show = showing(options);
  return [
    route(contracts.getMe, async ({ caller }) => {
      const { user, session } = await read(caller);
      return respond(200, await show(user, session));
    }),

    route(contracts.changeMe, async ({ caller, body: { name, theme, language } }) => {
      const { user, session } = await read(caller);
      const changed = {
        ...(name === undefined ? {} : { name }),
        ...(theme === undefined ? {} : { theme }),
        ...(language === undefined ? {} : { language }),
      };
      await users.changeProfile(user, changed);
      return respond(200, await show({ ...user, ...changed }, session));
    }),

    route(contracts.changePassword, async ({ caller, body }) => {
      const { user, session } = await read(caller);
      const refusal = await users.changePassword(user, body.password, session.id);
      return refusal ? guessable() : respond(200, {});
    }),

    route(contracts.listSessions, async ({ caller, languages }) => {
      const language = languageOf(languages()) ?? 'en';
      const rows = await sessions.list(caller.portalUserId);
      const items = rows.map(({ id, isShared, userAgent, address, createdAt, lastSeenAt }) => ({
        id,
        isCurrent: id === caller.sessionId,
        isShared: isShared === 1,
        browser: browserName(userAgent, language),
        address,
        createdAt: iso(createdAt),
        lastSeenAt: iso(lastSeenAt),
      }));
      return respond(200, { items });
    }),

    route(contracts.endSession, async ({ caller, params }) =>
      (await sessions.end(caller.portalUserId, params.id))
        ? respond(200, {})
        : fail(404, 'session_not_found', 'There is no such session, or it has ended'),
    ),
  ];
}

const factorProblems = {
  totp_exists: { status: 409, message: 'There is an authenticator app already: remove it first' },
  totp_not_begun: { status: 409, message: 'Ask for a secret first' },
  code_wrong: { status: 400, message: 'This code is wrong: type the one that the app shows now' },
  passkey_not_valid: { status: 400, message: 'This passkey does not answer the request: try again' },
  passkey_exists: { status: 409, message: 'This passkey was added before' },
} as const satisfies ProblemTable;

function factorRoutes(options: PortalUserRoutesOptions): Route[] {
  const { own } = options;
  const read = reading(options);
  type Options = Record<string, unknown>;
  return [
    route(contracts.passkeyOptions, async ({ caller }) => {
      const { session } = await read(caller);
      return respond(200, ((await own.askForPasskey(session)) ?? {}) as Options);
    }),

    route(contracts.beginTotp, async ({ caller }) => {
      const begun = await own.beginTotp((await read(caller)).user);
      return begun.ok ? respond(200, begun.value) : errorBy(factorProblems, { kind: begun.refusal });
    }),

    route(contracts.confirmTotp, async ({ caller, body }) => {
      const confirmed = await own.confirmTotp((await read(caller)).user, body.code);
      if (confirmed.ok) return respond(200, { recoveryCodes: confirmed.value });
      return errorBy(factorProblems, { kind: confirmed.refusal });
    }),

    route(contracts.removeTotp, async ({ caller }) => {
      await own.removeTotp((await read(caller)).user);
      return respond(200, {});
    }),

    route(contracts.beginPasskey, async ({ caller }) => {
      const { user, session } = await read(caller);
      return respond(200, (await own.beginPasskey(user, session)) as unknown as Options);
    }),

    route(contracts.addPasskey, async ({ caller, body }) => {
      const { user, session } = await read(caller);
      const added = await own.addPasskey(user, session, body);
      return added.ok ? respond(201, added.value) : errorBy(factorProblems, { kind: added.refusal });
    }),

    route(contracts.removePasskey, async ({ caller, params }) =>
      (await own.removePasskey((await read(caller)).user, params.passkeyId))
        ? respond(200, {})
        : fail(404, 'passkey_not_found', 'There is no such passkey'),
    ),

    route(contracts.renewRecoveryCodes, async ({ caller }) =>
      respond(200, { recoveryCodes: await own.renewRecoveryCodes((await read(caller)).user) }),
    ),
  ];
}

const businessInPath = /^\/portal\/api\/(biz_[0-9A-Za-z]+)\//;

const notAMember = {
  status: 404,
  message: 'There is no such business, or you do not belong to it',
  metadata: { reason: 'business_not_found' },
} as const;

/** A session by its cookie; its membership and role are read with each call, so that a removal takes effect at once. */
export function portalAuthenticators(sessions: PortalSessions, cookie: SessionCookie): Authenticators {
  return {
    portalUser: cookieAuthenticator<PortalUserCaller>(cookie.name, async (secret, use) => {
      const session = await sessions.find(secret, use);
      if (!session) return undefined;
      const { id: sessionId, portalUserId } = session;
      return { kind: 'portalUser', sessionId, portalUserId, isSteppedUp: sessions.steppedUpUntil(session) !== null };
    }),
    portalSession: cookieAuthenticator<PortalCaller>(cookie.name, async (secret, use, { url = '' }) => {
      const businessId = businessInPath.exec(url)?.[1] ?? '';
      const session = await sessions.findIn(secret, businessId, use);
      if (!session) return undefined;
      const { id: sessionId, portalUserId, roleId, permissionsJson } = session;
      if (roleId === null) return { refused: notAMember };
      return {
        kind: 'portalSession',
        businessId,
        sessionId,
        portalUserId,
        permissions: permissionsOf(roleId, permissionsJson),
        isAdmin: roleId === 'owner' || roleId === 'admin',
        isSteppedUp: sessions.steppedUpUntil(session) !== null,
      };
    }),
  };
}

const none: ReadonlySet<Permission> = new Set();

function permissionsOf(roleId: string, permissionsJson: string | null): ReadonlySet<Permission> {
  if (isBuiltInRole(roleId)) return new Set(builtInRoles[roleId].permissions);
  return permissionsJson === null ? none : new Set(permissionCode.array().parse(JSON.parse(permissionsJson)));
}
