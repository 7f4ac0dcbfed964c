import type { CoreWords } from '@florin/device/core/words.ts';
import type { Header, Screen } from '@florin/device/ipc/view.ts';
import { lostReader, minuteMs, onlineHeader, type Picture, viewOf } from './picture.ts';

type Status = Extract<Screen, { name: 'terminal_status' }>;

/** The status page: all fine, everything wrong at once, and the reader being tested. */
export function statuses(nowMs: number, words: CoreWords): Picture[] {
  const fine: Status = {
    name: 'terminal_status',
    supportCode: 'K7MTQX',
    network: { level: 'fine', addresses: ['192.0.2.10'] },
    service: { level: 'fine', state: 'online', since: nowMs - 90 * minuteMs, address: 'https://pay.florin.example' },
    reader: {
      level: 'fine',
      connection: 'ready',
      attention: null,
      firmware: '2.4.1',
      serial: 'RD-00417',
      batteryPercent: 82,
      test: { state: 'not_asked' },
    },
    printer: { level: 'fine', state: 'ready' },
    outbox: { level: 'fine', waiting: 0, oldestAt: null },
    clock: { level: 'fine', aheadMs: 1_000 },
    alerts: { level: 'fine' },
    versions: { terminal: '0.1.0', service: '0.1.0' },
  };
  const wrong: Status = {
    ...fine,
    network: { level: 'wrong', addresses: [] },
    service: { ...fine.service, level: 'wrong', state: 'offline', since: nowMs - 26 * 60 * minuteMs },
    reader: { ...fine.reader, level: 'wrong', connection: 'lost', batteryPercent: null, test: { state: 'silent' } },
    printer: { level: 'wrong', state: 'trouble', ...words.printing.troubles.out_of_paper },
    outbox: { level: 'wrong', waiting: 12, oldestAt: nowMs - 25 * 60 * minuteMs },
    clock: { level: 'wrong', aheadMs: -7 * minuteMs },
    alerts: { level: 'wrong' },
    versions: { terminal: '0.1.0', service: null },
  };
  const header: Partial<Header> = {
    ...lostReader,
    service: 'offline',
    waitingToSync: 12,
    alerts: [{ message: 'The service refused a record of this terminal', detail: 'It is kept here. Call support.' }],
  };
  const answered = { ...fine, reader: { ...fine.reader, test: { state: 'answered', tookMs: 38 } } } as const;
  const asking = { ...fine, reader: { ...fine.reader, test: { state: 'asking' } } } as const;
  const weak = { ...onlineHeader.reader, batteryPercent: 9 };
  return [
    { name: 'status', view: viewOf(fine) },
    { name: 'status-reader-asked', view: viewOf(asking) },
    { name: 'status-reader-answered', view: viewOf(answered) },
    {
      name: 'status-reader-battery-low',
      view: viewOf({ ...fine, reader: { ...fine.reader, level: 'look', batteryPercent: 9 } }, { reader: weak }),
    },
    { name: 'status-everything-at-once', view: viewOf(wrong, header) },
  ];
}
