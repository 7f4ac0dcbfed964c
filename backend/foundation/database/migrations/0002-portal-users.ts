import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Columns } from './0001-tables/columns.ts';
import { addColumns, createTable } from './schema.ts';

/** Users of the portal, their sessions and factors, and their roles in businesses. */
export const portalUserTables = {
  portalUsers: {
    id: 'text',
    email: 'text',
    emailKey: 'text',
    name: 'text',
    passwordJson: 'text',
    theme: 'text',
    language: 'text?',
    totpSealed: 'text?',
    totpConfirmedAt: 'bigint?',
    totpLastStep: 'bigint?',
    createdAt: 'bigint',
  },
  portalSessions: {
    id: 'text',
    portalUserId: 'text',
    tokenHash: 'text',
    isShared: 'integer',
    userAgent: 'text',
    address: 'text',
    steppedUpAt: 'bigint?',
    challenge: 'text?',
    createdAt: 'bigint',
    lastSeenAt: 'bigint',
    expiresAt: 'bigint',
    endedAt: 'bigint?',
  },
  portalTokens: {
    tokenHash: 'text',
    portalUserId: 'text',
    purpose: 'text',
    isShared: 'integer',
    challenge: 'text?',
    expiresAt: 'bigint',
  },
  portalPasskeys: {
    id: 'text',
    portalUserId: 'text',
    name: 'text',
    publicKey: 'text',
    counter: 'bigint',
    transportsJson: 'text',
    createdAt: 'bigint',
    lastUsedAt: 'bigint?',
  },
  portalRecoveryCodes: { portalUserId: 'text', codeHash: 'text' },
  portalThrottles: { key: 'text', failures: 'integer', windowEndsAt: 'bigint' },
  memberships: { businessId: 'text', portalUserId: 'text', roleId: 'text', createdAt: 'bigint' },
  roles: { id: 'text', businessId: 'text', name: 'text', permissionsJson: 'text', createdAt: 'bigint' },
  invitations: {
    id: 'text',
    businessId: 'text',
    email: 'text',
    emailKey: 'text',
    roleId: 'text',
    tokenHash: 'text',
    actorKind: 'text',
    actorId: 'text?',
    expiresAt: 'bigint',
    createdAt: 'bigint',
  },
} satisfies Record<string, Columns>;

/** Columns that existing tables get. */
export const portalUserColumns = { emails: { html: 'text?' } } satisfies Record<string, Columns>;

const primaryKeys: Record<string, readonly string[]> = {
  portalTokens: ['tokenHash'],
  portalRecoveryCodes: ['portalUserId', 'codeHash'],
  portalThrottles: ['key'],
  memberships: ['businessId', 'portalUserId'],
};

const indexes = [
  { name: 'portalUsers_email', table: 'portalUsers', columns: ['emailKey'], unique: true },
  { name: 'portalSessions_token', table: 'portalSessions', columns: ['tokenHash'], unique: true },
  { name: 'portalSessions_user', table: 'portalSessions', columns: ['portalUserId', 'id'], unique: false },
  { name: 'portalTokens_user', table: 'portalTokens', columns: ['portalUserId'], unique: false },
  { name: 'portalPasskeys_user', table: 'portalPasskeys', columns: ['portalUserId'], unique: false },
  { name: 'memberships_user', table: 'memberships', columns: ['portalUserId'], unique: false },
  { name: 'roles_name', table: 'roles', columns: ['businessId', 'name'], unique: true },
  { name: 'invitations_email', table: 'invitations', columns: ['businessId', 'emailKey'], unique: true },
  { name: 'invitations_token', table: 'invitations', columns: ['tokenHash'], unique: true },
];

/**
 * Adds the tables of the portal's users, and the HTML form of an e-mail. The version before neither reads nor writes them.
 */
export const portalUsers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const [table, columns] of Object.entries<Columns>(portalUserTables))
      await createTable(db, table, { columns, key: primaryKeys[table] });
    for (const { name, table, columns, unique } of indexes) {
      const builder = db.schema.createIndex(name).on(table).columns(columns);
      await (unique ? builder.unique() : builder).execute();
    }
    await addColumns(db, 'emails', portalUserColumns.emails);
  },
};
