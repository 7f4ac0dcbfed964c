import type { Header } from '../../ipc/view.ts';

/** The words of the status page in English. */
export const enStatus = {
  open: 'Status of this terminal',
  title: 'This terminal',
  supportCode: 'Support code',
  supportCodeHint: 'Read it to support: it finds what this terminal did since it was started.',
  testReader: 'Test reader',
  levels: { fine: 'fine', look: 'needs a look', wrong: 'wrong' },
  network: 'Network',
  networkConnected: 'Connected',
  networkMissing: 'Not connected',
  networkAdvice: 'Check the network cable or the Wi-Fi of this terminal: no card can be charged.',
  service: 'Service',
  serviceSince: (state: string, since: string) => `${state} since ${since}`,
  serviceAdvice: 'It does not answer. If the Internet works otherwise, call support: no card can be charged.',
  reader: 'Card reader',
  firmware: (firmware: string, serial: string | null) =>
    `Firmware ${firmware}${serial === null ? '' : `, no. ${serial}`}`,
  readerAdvice: {
    searching: 'Connect the reader and switch it on.',
    connecting: 'One moment.',
    lost: 'Check its cable and that it is switched on.',
    incompatible: 'This reader does not fit this terminal. Call support.',
  } as Partial<Record<Header['reader']['connection'], string>>,
  lowBattery: 'Charge the reader.',
  tested: (test: { state: 'answered'; tookMs: number } | { state: 'silent' }) =>
    test.state === 'answered' ? `Answered in ${test.tookMs} ms` : 'It did not answer',
  printer: 'Receipt printer',
  printerStates: { none: 'Not set up', checking: 'Being asked', ready: 'Ready' },
  outbox: 'Records to send',
  nothingWaits: 'Nothing waits',
  waiting: (count: number) => (count === 1 ? '1 waits' : `${count} wait`),
  outboxAdvice: (oldest: string | null) =>
    `They are sent once the service is reached.${oldest === null ? '' : ` The oldest is of ${oldest}.`}`,
  clock: 'Clock',
  clockUnknown: 'Not compared yet',
  clockUnknownAdvice: 'It is compared once the service is reached.',
  clockDiffers: (aheadMs: number) => {
    const seconds = Math.abs(Math.round(aheadMs / 1000));
    if (seconds === 0) return 'Like the service';
    const by = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
    return aheadMs > 0 ? `${by} ahead of the service` : `${by} behind the service`;
  },
  clockAdvice: 'Set the time of this machine.',
  alerts: 'Alerts',
  noAlerts: 'None',
  alertsAdvice: 'Call support with the code.',
  versions: 'Versions',
  unknownVersion: 'unknown',
  versionsOf: (terminal: string, service: string) => `Terminal ${terminal}, service ${service}`,
};
