import type { reportTerminalStatus, TerminalHealth } from '@florin/shared/contracts/device-v1/commands.ts';
import type { Readiness, TerminalActivity, TerminalUse } from '@florin/shared/contracts/terminal-sales.ts';
import type { Clock, Instant, Log } from '@florin/shared/ports.ts';
import type { z } from 'zod';
import type { Database } from '../../foundation/database/database.ts';
import { timestamp } from '../../money/payments/payment.ts';
import type { TerminalRow } from '../terminals/rows.ts';
import type { TerminalSaleRow } from './rows.ts';
import { closeChannel, openChannel, saveStatus, statusOf, type TerminalInUse, terminalsInUse } from './store.ts';

export type TerminalStatus = z.output<(typeof reportTerminalStatus)['body']>;

/** The known state of a terminal's connection. */
export type TerminalChannel = {
  readonly isOnline: boolean;
  readonly seenAt: Instant;
  /** The terminal's use other than a sale started over the API. */
  readonly use: TerminalUse | null;
  readonly appVersion: string | null;
  readonly reader: Readiness['reader'];
  /** Null from a terminal that reports none. */
  readonly health: TerminalHealth | null;
};

type Known = Pick<TerminalRow, 'id' | 'enrolledAt' | 'lastSeenAt'>;

/** The connected terminals of all processes, with their last reports. */
export type TerminalChannels = {
  of(terminalId: string): Promise<TerminalChannel | undefined>;
  /** A terminal has connected to its command stream. */
  opened(terminalId: string, channelId: string): Promise<void>;
  closed(terminalId: string, channelId: string): Promise<void>;
  reported(
    terminal: { readonly businessId: string; readonly terminalId: string },
    status: TerminalStatus,
  ): Promise<void>;
  /** The terminal's use by the sale in progress, if any. */
  useBySale(tx: Pick<Database, 'all'>, terminalId: string): Promise<TerminalUse | null>;
  /** Each terminal with its readiness and health: one query, however many they are. */
  withReadiness<Terminal extends Known>(
    terminals: readonly Terminal[],
  ): Promise<(readonly [Terminal, Readiness, TerminalHealth | null])[]>;
};

/** A terminal reports every fifteen seconds; after a longer silence it is unreachable. */
const onlineWithinMs = 40_000;

/**
 * Connections and reports of terminals, stored in the database because a terminal may be connected to another process.
 */
export function terminalChannels(options: { database: Database; clock: Clock; log: Log }): TerminalChannels {
  const { database, clock, log } = options;
  /** The launch that each terminal reported last to this process. */
  const launches = new Map<string, string>();
  function noteLaunch(
    { businessId, terminalId }: { readonly businessId: string; readonly terminalId: string },
    { launchCode, appVersion, reader }: TerminalStatus,
  ): void {
    if (launchCode === null || launches.get(terminalId) === launchCode) return;
    launches.set(terminalId, launchCode);
    log.info({ businessId, terminalId, launchCode, appVersion, reader }, 'terminal reported its launch');
  }
  const inUse = (from: Pick<Database, 'all'>, terminalIds: readonly string[]) =>
    from.all(terminalsInUse, { idsJson: JSON.stringify(terminalIds) });

  function channelOf(row: TerminalInUse | undefined): TerminalChannel | undefined {
    if (typeof row?.seenAt !== 'number') return undefined;
    return {
      isOnline: row.isConnected === 1 && clock.now() - row.seenAt < onlineWithinMs,
      seenAt: row.seenAt,
      use: useByStaff(row),
      appVersion: row.appVersion,
      reader: row.readerJson === null ? null : (JSON.parse(row.readerJson) as Readiness['reader']),
      health: row.healthJson === null ? null : (JSON.parse(row.healthJson) as TerminalHealth),
    };
  }

  function readinessOf(
    { enrolledAt, lastSeenAt }: Known,
    row: TerminalInUse | undefined,
    channel: TerminalChannel | undefined,
  ): Readiness {
    const busy = useBySaleOf(row) ?? (channel?.isOnline ? channel.use : null);
    const whyNot = whyNotReady(enrolledAt !== null, busy !== null, channel);
    const seenAt = Math.max(lastSeenAt ?? 0, channel?.seenAt ?? 0);
    return {
      online: channel?.isOnline ?? false,
      lastSeenAt: seenAt === 0 ? null : timestamp(seenAt),
      readyForSale: whyNot === null,
      whyNot,
      busy,
      reader: channel?.reader ?? null,
      appVersion: channel?.appVersion ?? null,
    };
  }

  return {
    of: async terminalId => channelOf((await inUse(database, [terminalId]))[0]),
    useBySale: async (tx, terminalId) => useBySaleOf((await inUse(tx, [terminalId]))[0]),
    opened: (terminalId, channelId) =>
      database.write(async tx => {
        const silent = {
          appVersion: null,
          activity: null,
          activitySince: null,
          readerJson: null,
          healthJson: null,
        } as const;
        await tx.run(openChannel, { ...silent, terminalId, channelId, isConnected: 1, seenAt: clock.now() });
      }),
    closed: (terminalId, channelId) =>
      database.write(async tx => void (await tx.run(closeChannel, { terminalId, channelId }))),
    reported: (terminal, status) => {
      const { terminalId } = terminal;
      const { appVersion, activity, reader, health } = status;
      noteLaunch(terminal, status);
      return database.write(async tx => {
        const seenAt = clock.now();
        const initial = { terminalId, channelId: null, isConnected: 0, seenAt } as const;
        const before = activity && (await tx.first(statusOf, { terminalId }));
        const activitySince = activity && (before?.activity === activity ? before.activitySince : seenAt);
        const healthJson = health && JSON.stringify(health);
        const reported = { appVersion, activity, activitySince, readerJson: JSON.stringify(reader), healthJson };
        await tx.run(saveStatus, { ...initial, ...reported });
      });
    },

    async withReadiness(terminals) {
      const rows = await inUse(
        database,
        terminals.map(({ id }) => id),
      );
      const byId = new Map(rows.map(row => [row.terminalId, row]));
      return terminals.map(terminal => {
        const row = byId.get(terminal.id);
        const channel = channelOf(row);
        return [terminal, readinessOf(terminal, row, channel), channel?.health ?? null];
      });
    },
  };
}

function whyNotReady(isEnrolled: boolean, isBusy: boolean, channel: TerminalChannel | undefined): Readiness['whyNot'] {
  if (!isEnrolled) return 'not_enrolled';
  if (!channel?.isOnline) return 'terminal_unreachable';
  if (isBusy) return 'terminal_busy';
  if (channel.reader?.connection !== 'ready') return 'reader_not_connected';
  return channel.reader.attention === null ? null : 'reader_needs_attention';
}

const isAwaited: ReadonlySet<TerminalActivity> = new Set(['awaiting_bank', 'awaiting_bitcoin']);

function activityOf({ type, statusReason }: Pick<TerminalSaleRow, 'type' | 'statusReason'>): TerminalActivity {
  if (statusReason === 'authorising' || statusReason === 'unknown_outcome') return 'awaiting_bank';
  if (type === 'refund') return 'refund';
  return statusReason === 'awaiting_payment' ? 'awaiting_bitcoin' : 'sale';
}

function useByStaff({ activity: doing, activitySince }: TerminalInUse): TerminalUse | null {
  if (doing === null || activitySince === null) return null;
  return { doing, startedBy: 'staff', since: timestamp(activitySince), saleId: null, statusReason: null };
}

function useBySaleOf(row: TerminalInUse | undefined): TerminalUse | null {
  const { sale_id: saleId, sale_type: type, sale_statusReason: statusReason, sale_createdAt: createdAt } = row ?? {};
  if (!saleId || !type || !statusReason || !createdAt) return null;
  const doing = activityOf({ type, statusReason });
  const awaitedSince = doing === 'awaiting_bank' ? row?.sale_paymentCreatedAt : undefined;
  return {
    doing,
    startedBy: row?.sale_actorKind === 'terminal' ? 'staff' : 'software',
    since: timestamp(awaitedSince ?? (isAwaited.has(doing) ? row?.sale_updatedAt : undefined) ?? createdAt),
    saleId,
    statusReason,
  };
}
