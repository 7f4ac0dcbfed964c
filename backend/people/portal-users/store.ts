import type { Language } from '@florin/shared/languages.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { statement } from '../../foundation/database/database.ts';
import { insertInto, insertUnlessTaken, rowFor } from '../../foundation/database/statements.ts';
import type {
  PortalPasskeyRow,
  PortalRecoveryCodeRow,
  PortalSessionRow,
  PortalThrottleRow,
  PortalTokenRow,
  PortalUserRow,
} from './rows.ts';

export const userByEmail = statement<{ emailKey: string }, PortalUserRow>(({ db }, arg) =>
  db.selectFrom('portalUsers').selectAll().where('emailKey', '=', arg('emailKey')),
);

export const userById = statement<{ id: string }, PortalUserRow>(({ db }, arg) =>
  db.selectFrom('portalUsers').selectAll().where('id', '=', arg('id')),
);

export const insertUser = insertUnlessTaken('portalUsers', 'emailKey');

export const changeProfile = statement<Pick<PortalUserRow, 'id' | 'name' | 'theme' | 'language'>, unknown>(
  ({ db }, arg) =>
    db
      .updateTable('portalUsers')
      .set({ name: arg('name'), theme: arg('theme'), language: arg('language') })
      .where('id', '=', arg('id')),
);

/** Changes nothing for a user who has a language. */
export const keepLanguage = statement<{ id: string; language: Language }, unknown>(({ db }, arg) =>
  db
    .updateTable('portalUsers')
    .set({ language: arg('language') })
    .where('id', '=', arg('id'))
    .where('language', 'is', null),
);

export const changePasswordOf = statement<Pick<PortalUserRow, 'id' | 'passwordJson'>, unknown>(({ db }, arg) =>
  db
    .updateTable('portalUsers')
    .set({ passwordJson: arg('passwordJson') })
    .where('id', '=', arg('id')),
);

export const changeTotp = statement<
  Pick<PortalUserRow, 'id' | 'totpSealed' | 'totpConfirmedAt' | 'totpLastStep'>,
  unknown
>(({ db }, arg) =>
  db
    .updateTable('portalUsers')
    .set({
      totpSealed: arg('totpSealed'),
      totpConfirmedAt: arg('totpConfirmedAt'),
      totpLastStep: arg('totpLastStep'),
    })
    .where('id', '=', arg('id')),
);

/** Changes nothing if this step, or a later one, was accepted before. */
export const useTotpStep = statement<{ id: string; step: number; confirmedAt: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('portalUsers')
    .set({
      totpLastStep: arg('step'),
      totpConfirmedAt: sql<Instant>`coalesce("totpConfirmedAt", ${arg('confirmedAt')})`,
    })
    .where('id', '=', arg('id'))
    .where(eb => eb.or([eb('totpLastStep', 'is', null), eb('totpLastStep', '<', arg('step'))])),
);

export const insertSession = insertInto('portalSessions');

export const sessionByToken = statement<{ tokenHash: string }, PortalSessionRow>(({ db }, arg) =>
  db.selectFrom('portalSessions').selectAll().where('tokenHash', '=', arg('tokenHash')).where('endedAt', 'is', null),
);

/** A session with the user's role in one business; the role is null where they do not belong to it. */
export const sessionInBusiness = statement<
  { tokenHash: string; businessId: string },
  PortalSessionRow & { roleId: string | null; permissionsJson: string | null }
>(({ db }, arg) =>
  db
    .selectFrom('portalSessions')
    .leftJoin('memberships', join =>
      join
        .onRef('memberships.portalUserId', '=', 'portalSessions.portalUserId')
        .on('memberships.businessId', '=', arg('businessId')),
    )
    .leftJoin('roles', join =>
      join.onRef('roles.id', '=', 'memberships.roleId').onRef('roles.businessId', '=', 'memberships.businessId'),
    )
    .selectAll('portalSessions')
    .select(['memberships.roleId', 'roles.permissionsJson'])
    .where('tokenHash', '=', arg('tokenHash'))
    .where('endedAt', 'is', null),
);

export const sessionsOfUser = statement<{ portalUserId: string; now: Instant }, PortalSessionRow>(({ db }, arg) =>
  db
    .selectFrom('portalSessions')
    .selectAll()
    .where('portalUserId', '=', arg('portalUserId'))
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', arg('now'))
    .orderBy('id', 'desc')
    .limit(sql.lit(100)),
);

/** Whether the user has signed in with this browser from this address before. */
export const knownDevice = statement<Pick<PortalSessionRow, 'portalUserId' | 'userAgent' | 'address'>, { id: string }>(
  ({ db }, arg) =>
    db
      .selectFrom('portalSessions')
      .select('id')
      .where('portalUserId', '=', arg('portalUserId'))
      .where('userAgent', '=', arg('userAgent'))
      .where('address', '=', arg('address'))
      .limit(sql.lit(1)),
);

export const recordSessionUse = statement<Pick<PortalSessionRow, 'id' | 'lastSeenAt'>, unknown>(({ db }, arg) =>
  db
    .updateTable('portalSessions')
    .set({ lastSeenAt: arg('lastSeenAt') })
    .where('id', '=', arg('id')),
);

export const stepUpSession = statement<Pick<PortalSessionRow, 'id' | 'tokenHash' | 'steppedUpAt'>, unknown>(
  ({ db }, arg) =>
    db
      .updateTable('portalSessions')
      .set({ tokenHash: arg('tokenHash'), steppedUpAt: arg('steppedUpAt'), challenge: null })
      .where('id', '=', arg('id'))
      .where('endedAt', 'is', null),
);

export const setChallenge = statement<Pick<PortalSessionRow, 'id' | 'challenge'>, unknown>(({ db }, arg) =>
  db
    .updateTable('portalSessions')
    .set({ challenge: arg('challenge') })
    .where('id', '=', arg('id')),
);

export const endSessionOf = statement<{ portalUserId: string; id: string; now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('portalSessions')
    .set({ endedAt: arg('now') })
    .where('portalUserId', '=', arg('portalUserId'))
    .where('id', '=', arg('id'))
    .where('endedAt', 'is', null),
);

export const endOtherSessions = statement<{ portalUserId: string; except: string; now: Instant }, unknown>(
  ({ db }, arg) =>
    db
      .updateTable('portalSessions')
      .set({ endedAt: arg('now') })
      .where('portalUserId', '=', arg('portalUserId'))
      .where('id', '!=', arg('except'))
      .where('endedAt', 'is', null),
);

export const deleteOldSessions = statement<{ before: Instant }, unknown>(({ db }, arg) =>
  db.deleteFrom('portalSessions').where('expiresAt', '<', arg('before')),
);

export const insertToken = insertInto('portalTokens');

type TokenKey = Pick<PortalTokenRow, 'tokenHash' | 'purpose'> & { now: Instant };
export const tokenByHash = statement<TokenKey, PortalTokenRow>(({ db }, arg) =>
  db
    .selectFrom('portalTokens')
    .selectAll()
    .where('tokenHash', '=', arg('tokenHash'))
    .where('purpose', '=', arg('purpose'))
    .where('expiresAt', '>', arg('now')),
);

/** Deletes it if it is still valid: whoever deletes it has used it. */
export const useToken = statement<TokenKey, PortalTokenRow>(({ db }, arg) =>
  db
    .deleteFrom('portalTokens')
    .where('tokenHash', '=', arg('tokenHash'))
    .where('purpose', '=', arg('purpose'))
    .where('expiresAt', '>', arg('now'))
    .returningAll(),
);

export const deleteTokensOf = statement<Pick<PortalTokenRow, 'portalUserId' | 'purpose'>, unknown>(({ db }, arg) =>
  db.deleteFrom('portalTokens').where('portalUserId', '=', arg('portalUserId')).where('purpose', '=', arg('purpose')),
);

export const deleteExpiredTokens = statement<{ now: Instant }, unknown>(({ db }, arg) =>
  db.deleteFrom('portalTokens').where('expiresAt', '<', arg('now')),
);

export const passkeysOf = statement<{ portalUserId: string }, PortalPasskeyRow>(({ db }, arg) =>
  db
    .selectFrom('portalPasskeys')
    .selectAll()
    .where('portalUserId', '=', arg('portalUserId'))
    .orderBy('createdAt')
    .limit(sql.lit(50)),
);

export const insertPasskey = insertUnlessTaken('portalPasskeys', 'id');

export const usePasskey = statement<{ id: string; counter: number; now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('portalPasskeys')
    .set({ counter: arg('counter'), lastUsedAt: arg('now') })
    .where('id', '=', arg('id')),
);

export const deletePasskey = statement<{ portalUserId: string; id: string }, unknown>(({ db }, arg) =>
  db.deleteFrom('portalPasskeys').where('portalUserId', '=', arg('portalUserId')).where('id', '=', arg('id')),
);

export const recoveryCodesOf = statement<{ portalUserId: string }, PortalRecoveryCodeRow>(({ db }, arg) =>
  db.selectFrom('portalRecoveryCodes').selectAll().where('portalUserId', '=', arg('portalUserId')).limit(sql.lit(100)),
);

export const insertRecoveryCode = insertInto('portalRecoveryCodes');

/** A code is used by deleting it. */
export const useRecoveryCode = statement<PortalRecoveryCodeRow, unknown>(({ db }, arg) =>
  db
    .deleteFrom('portalRecoveryCodes')
    .where('portalUserId', '=', arg('portalUserId'))
    .where('codeHash', '=', arg('codeHash')),
);

export const deleteRecoveryCodes = statement<{ portalUserId: string }, unknown>(({ db }, arg) =>
  db.deleteFrom('portalRecoveryCodes').where('portalUserId', '=', arg('portalUserId')),
);

export const throttleByKey = statement<{ key: string; now: Instant }, PortalThrottleRow>(({ db }, arg) =>
  db.selectFrom('portalThrottles').selectAll().where('key', '=', arg('key')).where('windowEndsAt', '>', arg('now')),
);

/** Counts a failure; a window that is over begins anew. */
export const countFailure = statement<PortalThrottleRow & { now: Instant }, unknown>(({ db }, arg) =>
  db
    .insertInto('portalThrottles')
    .values(rowFor(arg, 'portalThrottles'))
    .onConflict(conflict =>
      conflict.column('key').doUpdateSet({
        failures: sql<number>`case when "portalThrottles"."windowEndsAt" > ${arg('now')} then "portalThrottles"."failures" + 1 else 1 end`,
        windowEndsAt: sql<Instant>`case when "portalThrottles"."windowEndsAt" > ${arg('now')} then "portalThrottles"."windowEndsAt" else excluded."windowEndsAt" end`,
      }),
    ),
);

export const clearThrottle = statement<{ key: string }, unknown>(({ db }, arg) =>
  db.deleteFrom('portalThrottles').where('key', '=', arg('key')),
);

export const deleteOldThrottles = statement<{ now: Instant }, unknown>(({ db }, arg) =>
  db.deleteFrom('portalThrottles').where('windowEndsAt', '<', arg('now')),
);

export const uncountFailure = statement<{ key: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('portalThrottles')
    .set({ failures: sql<number>`"failures" - 1` })
    .where('key', '=', arg('key'))
    .where('failures', '>', 0),
);

export const sessionById = statement<{ id: string }, PortalSessionRow>(({ db }, arg) =>
  db.selectFrom('portalSessions').selectAll().where('id', '=', arg('id')).where('endedAt', 'is', null),
);
