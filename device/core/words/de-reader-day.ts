import type { SameWords } from '@florin/shared/languages.ts';
import type { enReaderDay } from './en-reader-day.ts';

const again = 'Versuchen Sie es dann noch einmal.';

/** The words of the end of a reader's day in German. */
export const deReaderDay: SameWords<typeof enReaderDay> = {
  byReader: 'Vom Kartenleser',
  byRecords: 'Aufgezeichnet',
  agrees: {
    message: 'Die Summen stimmen überein',
    detail:
      'Der Kartenleser hat seinen Tag abgeschlossen. Seine Summen sind die seiner aufgezeichneten Verkäufe, Stornierungen und Erstattungen.',
  },
  differs: amount => ({
    message: `Die Summen weichen um ${amount} ab`,
    detail:
      'Der Kartenleser hat seinen Tag abgeschlossen. Bewahren Sie seinen Beleg auf: Die Leitung muss ihn mit den Verkäufen dieses Tages vergleichen.',
  }),
  first: {
    message: 'Der Kartenleser hat seinen Tag abgeschlossen',
    detail:
      'Es ist sein erster Kassenschnitt hier, deshalb gibt es nichts, womit seine Summen zu vergleichen wären. Der nächste wird verglichen.',
  },
  closed_before: {
    message: 'Der Kartenleser hatte seinen Tag schon abgeschlossen',
    detail:
      'Der Kartenleser hat seinen Tag abgeschlossen, und seine Summen kamen nicht an. Sie lassen sich nicht vergleichen: Sehen Sie auf seinem Beleg nach. Was er seitdem eingenommen hat, stimmt überein.',
  },
  not_received: {
    message: 'Der Kartenleser hat nicht gesagt, ob er seinen Tag abgeschlossen hat',
    detail:
      'Warten Sie, bis er bereit ist, und schließen Sie seinen Tag noch einmal ab: Seine Summen zeigen es dann. Kein Verkauf geht verloren.',
  },
  waiting: {
    message: 'Der Kartenleser hat seinen Tag abgeschlossen',
    detail: 'Seine Summen sind hier gespeichert. Sie werden gesendet und verglichen, sobald der Server erreichbar ist.',
  },
  refused: {
    busy: {
      message: 'Der Kartenleser ist beschäftigt',
      detail: `Sein Tag wurde nicht abgeschlossen. Warten Sie, bis er bereit ist. ${again}`,
    },
    pending: {
      message: 'Der Kartenleser hält noch ein Ergebnis',
      detail: `Sein Tag wurde nicht abgeschlossen. Warten Sie einen Moment, bis es gelesen ist. ${again}`,
    },
    not_connected: {
      message: 'Der Kartenleser ist nicht verbunden',
      detail: `Sein Tag wurde nicht abgeschlossen. Prüfen Sie sein Kabel und ob er eingeschaltet ist. ${again}`,
    },
    other: {
      message: 'Der Kartenleser hat seinen Tag nicht abgeschlossen',
      detail: 'Er hat es abgelehnt. Sehen Sie auf seine Anzeige; lehnt er wieder ab, rufen Sie den Support an.',
    },
  },
};
