import type { TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { Header } from '../ipc/view.ts';
import type { CardReader, ReaderStatus } from '../readers/reader.ts';
import type { TrustedTime } from './staff/time.ts';
import type { Store } from './store/store.ts';
import { syncAlerts } from './sync/alerts.ts';
import type { Connection } from './sync/connection.ts';
import { cardLeftInReader, tamperedReader } from './words.ts';

const secondMs = 1_000;

/** The header of every screen. */
export function headerOf(terminal: {
  readonly configuration: TerminalConfiguration | undefined;
  readonly store: Store;
  readonly reader: CardReader;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly time: TrustedTime;
  /** While the reader processes a sale, a card in it is expected. */
  readonly isCardExpected: boolean;
}): Header {
  const { configuration, store, reader, connection, clock, time, isCardExpected } = terminal;
  const status = reader.status();
  const isCardLeft = status.isCardInserted === true && !isCardExpected;
  const { business, terminal: self } = configuration ?? {};
  return {
    businessName: business?.name ?? null,
    terminalName: self?.name ?? null,
    mode: self?.mode ?? 'staff',
    locale: business?.locale ?? 'en-GB',
    currency: business?.currency ?? 'GBP',
    timeZone: business?.timeZone ?? 'UTC',
    takesBitcoin: business?.takesBitcoin ?? false,
    service: connection.state(),
    reader: {
      connection: status.connection,
      batteryPercent: status.batteryPercent ?? null,
      attention: readerAttention(status, isCardLeft),
      isCardLeft,
    },
    alerts: syncAlerts(store),
    waitingToSync: store.outboxSize() + store.pendingReports().filter(report => report.kind !== 'watch').length,
    clockAheadMs: Math.round((clock.now() - time.now()) / secondMs) * secondMs,
  };
}

function readerAttention({ tampered, attention }: ReaderStatus, isCardLeft: boolean): string | null {
  if (tampered) return tamperedReader;
  return attention ?? (isCardLeft ? cardLeftInReader : null);
}
