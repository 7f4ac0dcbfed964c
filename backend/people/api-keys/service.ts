import type { Actor } from '@florin/shared/actor.ts';
import { type Permission, type Preset, permissionCode, permissionsOfKey } from '@florin/shared/permissions.ts';
import type { Clock, Ids, Instant, Log, Random } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database } from '../../foundation/database/database.ts';
import { type DurableWrite, unkeyedWrite } from '../../foundation/idempotency/call.ts';
import { type CredentialUse, isWellFormed, newSecret, secretHash } from '../../foundation/secret.ts';
import type { ChangeLog } from '../businesses/change-log.ts';
import type { ApiKeyRow } from './rows.ts';
import {
  type ApiKeyStatus,
  apiKeyByHash,
  apiKeyById,
  apiKeysOfBusiness,
  insertApiKey,
  recordApiKeyUse,
  revokeApiKey,
  type UsedApiKey,
} from './store.ts';

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly preset: Preset;
  readonly permissions: readonly Permission[];
  readonly status: ApiKeyStatus;
  readonly lastFour: string;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly createdAt: Instant;
};

export type NewApiKey = {
  readonly name: string;
  readonly preset: Preset;
  /** In addition to those of the preset. */
  readonly permissions: readonly Permission[];
  readonly expiresAt: Instant | null;
};

export type ApiKeyRefusal = { readonly kind: 'expiry_in_the_past' };
export type RevocationRefusal = { readonly kind: 'api_key_not_found' | 'beyond_own_permissions' };

/** Who revokes a key, and what they may do themselves; an operator may do everything. */
export type Revoker = { readonly businessId: string; readonly by: Actor; readonly held: ReadonlySet<Permission> };

export type ApiKeyOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly changes: ChangeLog;
  readonly log: Log;
  /** The prefix of keys: `florin` gives `florin_api_live_…`. */
  readonly brand: string;
};

/** Precision of the last use; writing it on every request would cost more than the request. */
const lastUseResolutionMs = 60_000;

/** API keys: created, shown once, looked up on every request, revoked permanently. Specification: API key, Main API. */
export function apiKeyService(options: ApiKeyOptions) {
  const { database, clock, ids, random, changes, log } = options;
  const prefix = apiKeyPrefix(options.brand);
  const permissionSets = new Map<string, ReadonlySet<Permission>>();

  function permissionsOf(permissionsJson: string): ReadonlySet<Permission> {
    const known = permissionSets.get(permissionsJson);
    if (known) return known;
    const made = new Set(permissionCode.array().parse(JSON.parse(permissionsJson)));
    permissionSets.set(permissionsJson, made);
    return made;
  }

  /** When this process last recorded the use of each key, so that concurrent requests write once. */
  const notedAt = new Map<string, Instant>();

  function recordUse(row: UsedApiKey, now: Instant): void {
    const unusedSince = now - lastUseResolutionMs;
    if (Math.max(row.lastUsedAt ?? 0, notedAt.get(row.id) ?? 0) > unusedSince) return;
    notedAt.set(row.id, now);
    // A failure to record the use does not refuse the request.
    database
      .write(tx => tx.run(recordApiKeyUse, { id: row.id, now, unusedSince }))
      .catch((error: unknown) => log.warn({ apiKeyId: row.id, err: error }, 'the use of an API key was not saved'));
  }

  return {
    /** The key's business and permissions; undefined if it is unknown, revoked or expired. */
    async authenticate(secret: string, use: CredentialUse = 'request') {
      if (!isWellFormed(secret, prefix)) return undefined;
      const row = await database.first(apiKeyByHash, { keyHash: secretHash(secret) });
      const now = clock.now();
      if (!row || apiKeyStatusOf(row, now) !== 'active') return undefined;
      if (use === 'request') recordUse(row, now);
      const { businessId, id: apiKeyId } = row;
      return { kind: 'apiKey' as const, businessId, apiKeyId, permissions: permissionsOf(row.permissionsJson) };
    },

    /** Whose key it is, of one that was revoked or has expired. */
    async ended(secret: string) {
      if (!isWellFormed(secret, prefix)) return undefined;
      const row = await database.first(apiKeyByHash, { keyHash: secretHash(secret) });
      if (!row || apiKeyStatusOf(row, clock.now()) === 'active') return undefined;
      return { ended: { businessId: row.businessId, apiKeyId: row.id } };
    },

    /**
     * Creates a key; the caller has checked that its creator holds all granted permissions. The secret is not stored.
     */
    async create(
      businessId: string,
      input: NewApiKey,
      by: Actor,
      write: DurableWrite<ApiKey> = unkeyedWrite(database),
    ): Promise<Result<{ apiKey: ApiKey; secret: string }, ApiKeyRefusal>> {
      const now = clock.now();
      if (input.expiresAt !== null && input.expiresAt <= now) return err({ kind: 'expiry_in_the_past' });
      const permissions = permissionsOfKey(input);
      const secret = newSecret(prefix, random);
      const row: ApiKeyRow = {
        id: ids.next('key'),
        businessId,
        name: input.name,
        preset: input.preset,
        permissionsJson: JSON.stringify(permissions),
        keyHash: secretHash(secret),
        lastFour: secret.slice(-4),
        expiresAt: input.expiresAt,
        revokedAt: null,
        lastUsedAt: null,
        createdAt: now,
      };
      const apiKey = await write.run(async tx => {
        await tx.run(insertApiKey, row);
        await changes.append(tx, changeOf('created', row, permissions, by));
        return apiKeyOf(row);
      });
      return ok({ apiKey, secret });
    },

    /** The key's display name. */
    async nameOf(businessId: string, id: string): Promise<string> {
      return (await database.first(apiKeyById, { businessId, id }))?.name ?? '';
    },

    /** Revokes a key from the next request on. Idempotent. Nobody takes away permissions that they do not hold. */
    async revoke({ businessId, by, held }: Revoker, id: string): Promise<Result<ApiKey, RevocationRefusal>> {
      const row = await database.first(apiKeyById, { businessId, id });
      if (!row) return err({ kind: 'api_key_not_found' });
      const isBeyond = !permissionsOf(row.permissionsJson).isSubsetOf(held);
      if (isBeyond) return err({ kind: 'beyond_own_permissions' });
      const now = clock.now();
      await database.write(async tx => {
        if ((await tx.run(revokeApiKey, { businessId, id, now })) === 0) return;
        const permissions = [...permissionsOf(row.permissionsJson)];
        await changes.append(tx, changeOf('revoked', row, permissions, by));
      });
      return ok(apiKeyOf({ ...row, revokedAt: row.revokedAt ?? now }));
    },

    async byId(businessId: string, id: string): Promise<ApiKey | undefined> {
      const row = await database.first(apiKeyById, { businessId, id });
      return row && apiKeyOf(row);
    },

    /** Newest first, before the id `before`. */
    async list(options: {
      readonly businessId: string;
      readonly status: ApiKeyStatus | null;
      readonly preset: Preset | null;
      readonly before: string;
      readonly limit: number;
    }): Promise<ApiKey[]> {
      const { status, ...page } = options;
      const rows = await database.all(apiKeysOfBusiness[status ?? 'all'], { ...page, now: clock.now() });
      return rows.map(apiKeyOf);
    },
  };

  function apiKeyOf(row: ApiKeyRow): ApiKey {
    const { id, name, lastFour, expiresAt, revokedAt, lastUsedAt, createdAt } = row;
    const permissions = [...permissionsOf(row.permissionsJson)];
    return {
      id,
      name,
      preset: row.preset as Preset,
      permissions,
      status: apiKeyStatusOf(row, clock.now()),
      lastFour,
      expiresAt,
      revokedAt,
      lastUsedAt,
      createdAt,
    };
  }
}

function apiKeyStatusOf({ revokedAt, expiresAt }: UsedApiKey, now: Instant): ApiKeyStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

export type ApiKeyService = ReturnType<typeof apiKeyService>;

/** How every API key of the brand begins, so that another credential is refused without a query. */
export function apiKeyPrefix(brand: string): string {
  return `${brand}_api_live_`;
}

/** A key as the API shows it. */
export function apiKeyRecord(apiKey: ApiKey) {
  const iso = (instant: Instant | null) => (instant === null ? null : new Date(instant).toISOString());
  return {
    ...apiKey,
    permissions: [...apiKey.permissions],
    expiresAt: iso(apiKey.expiresAt),
    revokedAt: iso(apiKey.revokedAt),
    lastUsedAt: iso(apiKey.lastUsedAt),
    createdAt: new Date(apiKey.createdAt).toISOString(),
  };
}

function changeOf(change: 'created' | 'revoked', row: ApiKeyRow, permissions: readonly Permission[], by: Actor) {
  return {
    businessId: row.businessId,
    kind: 'api_key_changed' as const,
    by,
    detail: { change, apiKeyId: row.id, name: row.name, permissions },
  };
}
