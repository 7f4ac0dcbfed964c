import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { rowLimit, statement } from '../../foundation/database/database.ts';
import { insertInto, insertUnlessTaken } from '../../foundation/database/statements.ts';
import type { InvitationRow, MembershipRow, RoleRow } from './rows.ts';

export type MemberRow = MembershipRow & {
  email: string;
  name: string;
  roleName: string | null;
  permissionsJson: string | null;
  totpConfirmedAt: Instant | null;
  passkeys: number;
  lastSeenAt: Instant | null;
};

/** Every member of a business with name, role and last use. */
export const memberPage = statement<
  { businessId: string; id: string | null; before: string; limit: number },
  MemberRow
>(({ db, isPostgres }, arg) => {
  const id = isPostgres ? sql<string | null>`cast(${arg('id')} as text)` : arg('id');
  return db
    .selectFrom('memberships')
    .innerJoin('portalUsers', 'portalUsers.id', 'memberships.portalUserId')
    .leftJoin('roles', join =>
      join.onRef('roles.id', '=', 'memberships.roleId').onRef('roles.businessId', '=', 'memberships.businessId'),
    )
    .selectAll('memberships')
    .select(['portalUsers.email', 'portalUsers.name', 'portalUsers.totpConfirmedAt'])
    .select(['roles.name as roleName', 'roles.permissionsJson'])
    .select(eb => [
      eb
        .selectFrom('portalPasskeys')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('portalPasskeys.portalUserId', '=', 'memberships.portalUserId')
        .$asScalar()
        .$notNull()
        .as('passkeys'),
      eb
        .selectFrom('portalSessions')
        .select(({ fn }) => fn.max('lastSeenAt').as('lastSeenAt'))
        .whereRef('portalSessions.portalUserId', '=', 'memberships.portalUserId')
        .$asScalar()
        .as('lastSeenAt'),
    ])
    .where('memberships.businessId', '=', arg('businessId'))
    .where(sql<boolean>`(${id} is null or ${sql.ref('memberships.portalUserId')} = ${id})`)
    .where('memberships.portalUserId', '<', arg('before'))
    .orderBy('memberships.portalUserId', 'desc')
    .limit(rowLimit(arg('limit')));
});

export const membershipsOf = statement<
  { portalUserId: string },
  MembershipRow & {
    businessName: string;
    addressLinesJson: string;
    currency: string;
    locale: string;
    timeZone: string;
    roleName: string | null;
    permissionsJson: string | null;
  }
>(({ db }, arg) =>
  db
    .selectFrom('memberships')
    .innerJoin('businesses', 'businesses.id', 'memberships.businessId')
    .leftJoin('roles', join =>
      join.onRef('roles.id', '=', 'memberships.roleId').onRef('roles.businessId', '=', 'memberships.businessId'),
    )
    .selectAll('memberships')
    .select(['businesses.name as businessName', 'businesses.addressLinesJson', 'businesses.currency'])
    .select(['businesses.locale', 'businesses.timeZone'])
    .select(['roles.name as roleName', 'roles.permissionsJson'])
    .where('memberships.portalUserId', '=', arg('portalUserId'))
    .orderBy('businesses.name')
    .limit(sql.lit(1_000)),
);

/** Locked, so that of two changes of owners the second sees the first. */
export const ownersForUpdate = statement<{ businessId: string }, MembershipRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('memberships')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('roleId', '=', sql.lit('owner'))
    .orderBy('portalUserId')
    .$if(isPostgres, query => query.forUpdate()),
);

export const insertMembership = insertUnlessTaken('memberships', 'businessId', 'portalUserId');

/** Changes nothing if the role is no longer the one that was judged. */
export const changeMembership = statement<
  { businessId: string; portalUserId: string; from: string; roleId: string },
  unknown
>(({ db }, arg) =>
  db
    .updateTable('memberships')
    .set({ roleId: arg('roleId') })
    .where('businessId', '=', arg('businessId'))
    .where('portalUserId', '=', arg('portalUserId'))
    .where('roleId', '=', arg('from')),
);

export const deleteMembership = statement<{ businessId: string; portalUserId: string; from: string }, unknown>(
  ({ db }, arg) =>
    db
      .deleteFrom('memberships')
      .where('businessId', '=', arg('businessId'))
      .where('portalUserId', '=', arg('portalUserId'))
      .where('roleId', '=', arg('from')),
);

export const rolesOfBusiness = statement<{ businessId: string }, RoleRow>(({ db }, arg) =>
  db.selectFrom('roles').selectAll().where('businessId', '=', arg('businessId')).orderBy('name').limit(sql.lit(1_000)),
);

/** Locked on PostgreSQL, so that a role is not deleted while somebody gets it. */
export const roleForUpdate = statement<{ businessId: string; id: string }, RoleRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('roles')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id'))
    .$if(isPostgres, query => query.forUpdate()),
);

export const insertRole = insertUnlessTaken('roles', 'businessId', 'name');

export const changeRoleRow = statement<Omit<RoleRow, 'createdAt'>, unknown>(({ db }, arg) =>
  db
    .updateTable('roles')
    .set({ name: arg('name'), permissionsJson: arg('permissionsJson') })
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id')),
);

export const deleteRoleRow = statement<{ businessId: string; id: string }, unknown>(({ db }, arg) =>
  db.deleteFrom('roles').where('businessId', '=', arg('businessId')).where('id', '=', arg('id')),
);

export const roleNamed = statement<{ businessId: string; name: string }, { id: string }>(({ db }, arg) =>
  db.selectFrom('roles').select('id').where('businessId', '=', arg('businessId')).where('name', '=', arg('name')),
);

/** How many members have each role; open invitations keep a role too. */
export const roleUses = statement<{ businessId: string }, { roleId: string; members: number }>(({ db }, arg) =>
  db
    .selectFrom('memberships')
    .select(['roleId', sql<number>`count(*)`.as('members')])
    .where('businessId', '=', arg('businessId'))
    .groupBy('roleId'),
);

export const insertInvitation = insertInto('invitations');

export const invitationPage = statement<{ businessId: string; before: string; limit: number }, InvitationRow>(
  ({ db }, arg) =>
    db
      .selectFrom('invitations')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('id', '<', arg('before'))
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit'))),
);

export const invitationByToken = statement<{ tokenHash: string; now: Instant }, InvitationRow>(({ db }, arg) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('tokenHash', '=', arg('tokenHash'))
    .where('expiresAt', '>', arg('now')),
);

/** Whoever deletes it has accepted or withdrawn it. */
export const deleteInvitation = statement<{ businessId: string; id: string }, InvitationRow>(({ db }, arg) =>
  db.deleteFrom('invitations').where('businessId', '=', arg('businessId')).where('id', '=', arg('id')).returningAll(),
);

export const deleteExpiredInvitations = statement<{ before: Instant; limit: number }, unknown>(({ db }, arg) =>
  db.deleteFrom('invitations').where('id', 'in', query =>
    query
      .selectFrom('invitations')
      .select('id')
      .where('expiresAt', '<=', arg('before'))
      .limit(rowLimit(arg('limit'))),
  ),
);

export const deleteInvitationOf = statement<{ businessId: string; emailKey: string }, unknown>(({ db }, arg) =>
  db.deleteFrom('invitations').where('businessId', '=', arg('businessId')).where('emailKey', '=', arg('emailKey')),
);
