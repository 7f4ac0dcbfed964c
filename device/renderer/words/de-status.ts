import type { StaffText } from './en.ts';

/** The words of the status page in German. */
export const deStatus: StaffText['statusPage'] = {
  open: 'Zustand dieses Terminals',
  title: 'Dieses Terminal',
  supportCode: 'Support-Code',
  supportCodeHint: 'Dem Support vorlesen: Damit findet er, was dieses Terminal seit dem Start getan hat.',
  testReader: 'Leser testen',
  levels: { fine: 'in Ordnung', look: 'ansehen', wrong: 'gestört' },
  network: 'Netzwerk',
  networkConnected: 'Verbunden',
  networkMissing: 'Nicht verbunden',
  networkAdvice: 'Netzwerkkabel oder WLAN dieses Terminals prüfen: Es sind keine Kartenzahlungen möglich.',
  service: 'Dienst',
  serviceSince: (state, since) => `${state} seit ${since}`,
  serviceAdvice:
    'Keine Antwort. Wenn das Internet sonst funktioniert, den Support anrufen: Es sind keine Kartenzahlungen möglich.',
  reader: 'Kartenleser',
  firmware: (firmware, serial) => `Firmware ${firmware}${serial === null ? '' : `, Nr. ${serial}`}`,
  readerAdvice: {
    searching: 'Den Leser anschließen und einschalten.',
    connecting: 'Einen Moment.',
    lost: 'Kabel prüfen, und ob er eingeschaltet ist.',
    incompatible: 'Dieser Leser passt nicht zu diesem Terminal. Den Support anrufen.',
  },
  lowBattery: 'Den Leser laden.',
  tested: test => (test.state === 'answered' ? `Antwort nach ${test.tookMs} ms` : 'Keine Antwort'),
  printer: 'Belegdrucker',
  printerStates: { none: 'Nicht eingerichtet', checking: 'Wird abgefragt', ready: 'Bereit' },
  outbox: 'Zu senden',
  nothingWaits: 'Nichts wartet',
  waiting: count => (count === 1 ? '1 Eintrag wartet' : `${count} Einträge warten`),
  outboxAdvice: oldest =>
    `Wird gesendet, sobald der Dienst erreicht wird.${oldest === null ? '' : ` Der älteste ist vom ${oldest}.`}`,
  clock: 'Uhr',
  clockUnknown: 'Noch nicht verglichen',
  clockUnknownAdvice: 'Sie wird verglichen, sobald der Dienst erreicht wird.',
  clockDiffers: aheadMs => {
    const seconds = Math.abs(Math.round(aheadMs / 1000));
    if (seconds === 0) return 'Wie der Dienst';
    const by = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
    return aheadMs > 0 ? `Geht ${by} vor` : `Geht ${by} nach`;
  },
  clockAdvice: 'Die Uhrzeit dieses Geräts stellen.',
  alerts: 'Meldungen',
  noAlerts: 'Keine',
  alertsAdvice: 'Den Support mit dem Code anrufen.',
  versions: 'Versionen',
  unknownVersion: 'unbekannt',
  versionsOf: (terminal, service) => `Terminal ${terminal}, Dienst ${service}`,
};
