import type { Actor } from '@florin/shared/actor.ts';
import { type Clock, type Ids, idPrefixes, type Log, type Random } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database } from '../../foundation/database/database.ts';
import { type DurableWrite, unkeyedWrite } from '../../foundation/idempotency/call.ts';
import { type CredentialUse, isWellFormed, newSecret, secretHash } from '../../foundation/secret.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { KioskKeyRow } from './rows.ts';
import {
  insertKioskKey,
  kioskKeyByHash,
  kioskKeyById,
  kioskKeysOfBusiness,
  recordKioskKeyUse,
  revokeKioskKey,
} from './store.ts';

export type NewKioskKey = {
  readonly businessId: string;
  readonly name: string;
  readonly deviceIds: readonly string[];
  readonly by: Actor;
};

/** A key's business and terminals. */
export type KioskInstallation = {
  readonly kind: 'kioskKey';
  readonly businessId: string;
  readonly kioskKeyId: string;
  readonly name: string;
  readonly terminalIds: ReadonlySet<string>;
};

/** Keys of kiosk installations, each for its own terminals. Specification: Kiosk API. */
export type KioskKeyService = {
  authenticate(secret: string, use: CredentialUse): Promise<KioskInstallation | undefined>;
  /** The secret is not stored. */
  create(
    input: NewKioskKey,
    write?: DurableWrite<KioskKeyRow>,
  ): Promise<Result<{ key: KioskKeyRow; secret: string }, { readonly kind: 'device_not_found' }>>;
  list(page: { businessId: string; before: string; limit: number }): Promise<KioskKeyRow[]>;
  /** Revokes a key from the next request on. Undefined if the business has no such key. Idempotent. */
  revoke(businessId: string, id: string, by: Actor): Promise<KioskKeyRow | undefined>;
};

/** Precision of the last use; writing it on every request would cost more than the request. */
const lastUseResolutionMs = 60_000;

/** How every kiosk key of the brand begins, so that another credential is refused without a query. */
export function kioskKeyPrefix(brand: string): string {
  return `${brand}_kiosk_live_`;
}

/** Creates, authenticates and revokes kiosk keys. Keys do not expire, and their terminals cannot be changed. */
export function kioskKeyService(options: {
  database: Database;
  clock: Clock;
  ids: Ids;
  random: Random;
  log: Log;
  changes: ChangeLog;
  brand: string;
  /** Whether the business has this terminal. */
  hasTerminal: (businessId: string, id: string) => Promise<boolean>;
}): KioskKeyService {
  const { database, clock, ids, random, log, changes } = options;
  const prefix = kioskKeyPrefix(options.brand);

  function recordUse({ id, lastUsedAt }: KioskKeyRow): void {
    const now = clock.now();
    if (lastUsedAt !== null && now - lastUsedAt < lastUseResolutionMs) return;
    // A failure to record the use does not refuse the request.
    database
      .write(tx => tx.run(recordKioskKeyUse, { id, lastUsedAt: now }))
      .catch((error: unknown) => log.warn({ kioskKeyId: id, err: error }, 'the use of a kiosk key was not saved'));
  }

  const change = (what: 'created' | 'revoked', { id, businessId, name, terminalIdsJson }: KioskKeyRow, by: Actor) => ({
    businessId,
    kind: 'kiosk_key_changed' as const,
    by,
    detail: { change: what, kioskKeyId: id, name, deviceIds: JSON.parse(terminalIdsJson) as string[] },
  });

  return {
    async authenticate(secret, use) {
      if (!isWellFormed(secret, prefix)) return undefined;
      const row = await database.first(kioskKeyByHash, { keyHash: secretHash(secret) });
      if (!row || row.revokedAt !== null) return undefined;
      if (use === 'request') recordUse(row);
      const { businessId, id: kioskKeyId, name } = row;
      return { kind: 'kioskKey', businessId, kioskKeyId, name, terminalIds: new Set(terminalIdsOf(row)) };
    },

    async create({ businessId, name, deviceIds, by }, write = unkeyedWrite(database)) {
      const terminalIds = [...new Set(deviceIds)];
      for (const id of terminalIds)
        if (!(await options.hasTerminal(businessId, id))) return err({ kind: 'device_not_found' });
      const secret = newSecret(prefix, random);
      const row: KioskKeyRow = {
        id: ids.next(idPrefixes.kioskKey),
        businessId,
        name,
        terminalIdsJson: JSON.stringify(terminalIds),
        keyHash: secretHash(secret),
        lastFour: secret.slice(-4),
        revokedAt: null,
        lastUsedAt: null,
        createdAt: clock.now(),
      };
      const key = await write.run(async tx => {
        await tx.run(insertKioskKey, row);
        await changes.append(tx, change('created', row, by));
        return row;
      });
      return ok({ key, secret });
    },

    list: page => database.all(kioskKeysOfBusiness, page),

    async revoke(businessId, id, by) {
      const row = await database.first(kioskKeyById, { businessId, id });
      if (!row) return undefined;
      return database.write(async tx => {
        const revoked = await tx.first(revokeKioskKey, { id, revokedAt: clock.now() });
        if (revoked) await changes.append(tx, change('revoked', revoked, by));
        return revoked ?? (await tx.first(kioskKeyById, { businessId, id }));
      });
    },
  };
}

/** The terminals that the key may use, without duplicates; a terminal removed since is still among them. */
export function terminalIdsOf({ terminalIdsJson }: KioskKeyRow): string[] {
  return JSON.parse(terminalIdsJson) as string[];
}
