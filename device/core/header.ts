import type { TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { Header } from '../ipc/view.ts';
import type { CardReader, ReaderStatus } from '../readers/reader.ts';
import type { TrustedTime } from './staff/time.ts';
import { terminalAlerts, waitingReports } from './status/health.ts';
import type { Store } from './store/store.ts';
import type { Connection } from './sync/connection.ts';
import { type CoreWords, coreWords, type ScreenLanguage } from './words.ts';

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
  /** Of the screen below it. */
  readonly screenLanguage: ScreenLanguage;
  readonly customerLanguage: ScreenLanguage;
  readonly mayShowStatus: boolean;
}): Header {
  const { configuration, store, reader, connection, clock, time, isCardExpected } = terminal;
  const { screenLanguage, customerLanguage } = terminal;
  const words = coreWords[screenLanguage.language];
  const status = reader.status();
  const isCardLeft = status.isCardInserted === true && !isCardExpected;
  const { business, terminal: self } = configuration ?? {};
  return {
    businessName: business?.name ?? null,
    terminalName: self?.name ?? null,
    mode: self?.mode ?? 'staff',
    ...screenLanguage,
    customer: customerLanguage,
    currency: business?.currency ?? 'GBP',
    timeZone: business?.timeZone ?? 'UTC',
    takesBitcoin: business?.takesBitcoin ?? false,
    counter: {
      quickAmountsMinor: business?.counter.quickAmountsInCents ?? [],
      confirmAboveMinor: business?.counter.confirmAboveInCents ?? null,
      playsSounds: business?.counter.playsSounds ?? false,
      saleReference: business?.counter.saleReference ?? 'none',
    },
    service: connection.state(),
    reader: {
      connection: status.connection,
      batteryPercent: status.batteryPercent ?? null,
      attention: readerAttention(status, isCardLeft, words),
      isCardLeft,
    },
    alerts: terminalAlerts(store, words),
    waitingToSync: waitingReports(store),
    mayShowStatus: terminal.mayShowStatus,
    clockAheadMs: Math.round((clock.now() - time.now()) / secondMs) * secondMs,
  };
}

function readerAttention(status: ReaderStatus, isCardLeft: boolean, { reader }: CoreWords): string | null {
  if (status.tampered) return reader.tampered;
  if (status.attention) return reader[status.attention];
  return isCardLeft ? reader.card_left : null;
}
