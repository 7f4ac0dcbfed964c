import type { reportTerminalStatus } from '@florin/shared/contracts/device-v1/commands.ts';
import type { Readiness } from '@florin/shared/contracts/terminal-sales.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import type { z } from 'zod';
import { allColumnsOf, columnsOf, type Database, statement } from '../database/database.ts';
import type { TerminalRow } from '../terminals/rows.ts';
import type { TerminalChannelRow } from './rows.ts';
import { saleUnderWay } from './store.ts';

export type TerminalStatus = z.output<(typeof reportTerminalStatus)['body']>;

/** What is known of a terminal's connection now. */
export type TerminalChannel = {
  readonly isOnline: boolean;
  readonly seenAt: Instant;
  /** Somebody uses the terminal for something else than a sale that software started. */
  readonly isBusy: boolean;
  readonly appVersion: string | null;
  readonly reader: Readiness['reader'];
};

/** Which terminals are connected, in whichever process, and what they last reported. */
export type TerminalChannels = {
  of(terminalId: string): Promise<TerminalChannel | undefined>;
  /** A terminal listens for commands from now on. */
  opened(terminalId: string, channelId: string): Promise<void>;
  closed(terminalId: string, channelId: string): Promise<void>;
  reported(terminalId: string, status: TerminalStatus): Promise<void>;
  readiness(terminal: Pick<TerminalRow, 'id' | 'enrolledAt' | 'lastSeenAt'>): Promise<Readiness>;
};

/** A terminal reports every fifteen seconds; one that has not reported for longer is unreachable. */
const onlineWithinMs = 40_000;

export function terminalChannels(options: { database: Database; clock: Clock }): TerminalChannels {
  const { database, clock } = options;

  async function of(terminalId: string): Promise<TerminalChannel | undefined> {
    const row = await database.first(channelOf, { terminalId });
    if (!row) return undefined;
    return {
      isOnline: row.isConnected === 1 && clock.now() - row.seenAt < onlineWithinMs,
      seenAt: row.seenAt,
      isBusy: row.isBusy === 1,
      appVersion: row.appVersion,
      reader: row.readerJson === null ? null : (JSON.parse(row.readerJson) as Readiness['reader']),
    };
  }

  return {
    of,
    opened: (terminalId, channelId) =>
      database.write(async tx => {
        const silent = { appVersion: null, isBusy: 0, readerJson: null } as const;
        await tx.run(openChannel, { ...silent, terminalId, channelId, isConnected: 1, seenAt: clock.now() });
      }),
    closed: (terminalId, channelId) =>
      database.write(async tx => void (await tx.run(closeChannel, { terminalId, channelId }))),
    reported: (terminalId, { appVersion, isBusy, reader }) =>
      database.write(async tx => {
        const initial = { terminalId, channelId: null, isConnected: 0, seenAt: clock.now() } as const;
        const reported = { appVersion, isBusy: isBusy ? 1 : 0, readerJson: JSON.stringify(reader) } as const;
        await tx.run(saveStatus, { ...initial, ...reported });
      }),

    async readiness({ id, enrolledAt, lastSeenAt }) {
      const channel = await of(id);
      const isSelling = (await database.first(saleUnderWay, { terminalId: id })) !== undefined;
      const whyNot = whyNotReady(enrolledAt !== null, isSelling, channel);
      const seenAt = Math.max(lastSeenAt ?? 0, channel?.seenAt ?? 0);
      return {
        online: channel?.isOnline ?? false,
        lastSeenAt: seenAt === 0 ? null : new Date(seenAt).toISOString(),
        readyForSale: whyNot === null,
        whyNot,
        reader: channel?.reader ?? null,
        appVersion: channel?.appVersion ?? null,
      };
    },
  };
}

function whyNotReady(
  isEnrolled: boolean,
  isSelling: boolean,
  channel: TerminalChannel | undefined,
): Readiness['whyNot'] {
  if (!isEnrolled) return 'not_enrolled';
  if (!channel?.isOnline) return 'terminal_unreachable';
  if (isSelling || channel.isBusy) return 'terminal_busy';
  if (channel.reader?.connection !== 'ready') return 'reader_not_connected';
  return channel.reader.attention === null ? null : 'reader_needs_attention';
}

const channelColumns = [
  'terminalId',
  'channelId',
  'isConnected',
  'seenAt',
  'appVersion',
  'isBusy',
  'readerJson',
] as const;

const channelOf = statement<{ terminalId: string }, TerminalChannelRow>(({ db }, arg) =>
  db.selectFrom('terminalChannels').selectAll().where('terminalId', '=', arg('terminalId')),
);

const openChannel = statement<TerminalChannelRow, unknown>(({ db }, arg) =>
  db
    .insertInto('terminalChannels')
    .values(allColumnsOf(arg, channelColumns))
    .onConflict(conflict =>
      conflict.column('terminalId').doUpdateSet(columnsOf(arg, ['channelId', 'seenAt', 'isConnected'])),
    ),
);

/** Changes nothing where the terminal has connected again meanwhile. */
const closeChannel = statement<{ terminalId: string; channelId: string }, unknown>(({ db }, arg) =>
  db
    .updateTable('terminalChannels')
    .set({ isConnected: 0 })
    .where('terminalId', '=', arg('terminalId'))
    .where('channelId', '=', arg('channelId')),
);

const saveStatus = statement<TerminalChannelRow, unknown>(({ db }, arg) =>
  db
    .insertInto('terminalChannels')
    .values(allColumnsOf(arg, channelColumns))
    .onConflict(conflict =>
      conflict.column('terminalId').doUpdateSet(columnsOf(arg, ['seenAt', 'appVersion', 'isBusy', 'readerJson'])),
    ),
);
