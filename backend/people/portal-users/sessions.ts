import type { Clock, Ids, Instant, Log, Random } from '@florin/shared/ports.ts';
import { idPrefixes } from '@florin/shared/ports.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import { type CredentialUse, isWellFormed, newSecret, secretHash } from '../../foundation/secret.ts';
import type { PortalSessionRow } from './rows.ts';
import {
  endOtherSessions,
  endSessionOf,
  insertSession,
  recordSessionUse,
  sessionByToken,
  sessionInBusiness,
  sessionsOfUser,
  stepUpSession,
} from './store.ts';

const minuteMs = 60_000;
/** How long a session lasts without use, and at most. */
const idleMs = { own: 8 * 60 * minuteMs, shared: 30 * minuteMs } as const;
const lifetimeMs = 7 * 24 * 60 * minuteMs;
const stepUpMs = 5 * minuteMs;
/** Precision of the last use. */
const useResolutionMs = minuteMs;

/** The browser that signs in. */
export type Device = {
  readonly isShared: boolean;
  readonly userAgent: string;
  readonly address: string;
  /** What its user reads best, first. */
  readonly languages: readonly string[];
};

/** Sessions of the portal: a random cookie of which the hash is stored. decisions: People, the portal. */
export function portalSessions(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly log: Log;
  /** The prefix of tokens. */
  readonly prefix: string;
}) {
  const { database, clock, ids, random, log, prefix } = options;
  const isOpen = (row: PortalSessionRow, now: Instant) =>
    now < row.expiresAt && now < row.lastSeenAt + (row.isShared === 1 ? idleMs.shared : idleMs.own);

  function recordUse({ id, lastSeenAt }: PortalSessionRow, now: Instant): void {
    if (lastSeenAt > now - useResolutionMs) return;
    database
      .write(tx => tx.run(recordSessionUse, { id, lastSeenAt: now }))
      .catch((error: unknown) => log.warn({ sessionId: id, err: error }, 'the use of a session was not saved'));
  }

  async function openOnly<Row extends PortalSessionRow>(
    read: (tokenHash: string) => Promise<Row | undefined>,
    secret: string,
    use: CredentialUse,
  ): Promise<Row | undefined> {
    if (!isWellFormed(secret, prefix)) return undefined;
    const row = await read(secretHash(secret));
    const now = clock.now();
    if (!row || !isOpen(row, now)) return undefined;
    if (use === 'request') recordUse(row, now);
    return row;
  }

  return {
    /** Starts a session; returns its cookie's value, which is not stored. */
    async start(tx: Transaction, portalUserId: string, device: Device): Promise<{ id: string; secret: string }> {
      const now = clock.now();
      const secret = newSecret(prefix, random);
      const id = ids.next(idPrefixes.portalSession);
      await tx.run(insertSession, {
        id,
        portalUserId,
        tokenHash: secretHash(secret),
        isShared: device.isShared ? 1 : 0,
        userAgent: device.userAgent,
        address: device.address,
        steppedUpAt: now,
        challenge: null,
        createdAt: now,
        lastSeenAt: now,
        expiresAt: now + lifetimeMs,
        endedAt: null,
      });
      return { id, secret };
    },

    find: (secret: string, use: CredentialUse) =>
      openOnly(tokenHash => database.first(sessionByToken, { tokenHash }), secret, use),

    /** With the user's role in the business; its `roleId` is null where they do not belong to it. */
    findIn: (secret: string, businessId: string, use: CredentialUse) =>
      openOnly(tokenHash => database.first(sessionInBusiness, { tokenHash, businessId }), secret, use),

    steppedUpUntil({ steppedUpAt }: Pick<PortalSessionRow, 'steppedUpAt'>): Instant | null {
      const until = (steppedUpAt ?? 0) + stepUpMs;
      return until > clock.now() ? until : null;
    },

    /** Replaces the cookie, so that one stolen before does not profit. */
    async stepUp(tx: Transaction, id: string): Promise<{ secret: string; until: Instant }> {
      const secret = newSecret(prefix, random);
      const now = clock.now();
      await tx.run(stepUpSession, { id, tokenHash: secretHash(secret), steppedUpAt: now });
      return { secret, until: now + stepUpMs };
    },

    async list(portalUserId: string): Promise<PortalSessionRow[]> {
      const now = clock.now();
      const rows = await database.all(sessionsOfUser, { portalUserId, now });
      return rows.filter(row => isOpen(row, now));
    },

    /** False if the user has no such session. */
    async end(portalUserId: string, id: string): Promise<boolean> {
      const now = clock.now();
      return (await database.write(tx => tx.run(endSessionOf, { portalUserId, id, now }))) > 0;
    },

    endOthers: (tx: Transaction, portalUserId: string, except: string) =>
      tx.run(endOtherSessions, { portalUserId, except, now: clock.now() }),
  };
}
export type PortalSessions = ReturnType<typeof portalSessions>;
