import type { SameWords } from '@florin/shared/languages.ts';
import type { enReaderDay } from './en-reader-day.ts';

const again = 'Versuchen Sie es dann noch einmal.';

/** The words of the end of a reader's day in German. */
export const deReaderDay: SameWords<typeof enReaderDay> = {
  byReader: 'Vom Lesegerät',
  byRecords: 'Aufgezeichnet',
  agrees: {
    message: 'Die Summen stimmen überein',
    detail:
      'Das Lesegerät hat seinen Tag abgeschlossen. Seine Summen sind die seiner aufgezeichneten Verkäufe, Stornierungen und Erstattungen.',
  },
  differs: amount => ({
    message: `Die Summen weichen um ${amount} ab`,
    detail:
      'Das Lesegerät hat seinen Tag abgeschlossen. Bewahren Sie seinen Beleg auf: Die Leitung muss ihn mit den Verkäufen dieses Tages vergleichen.',
  }),
  first: {
    message: 'Das Lesegerät hat seinen Tag abgeschlossen',
    detail:
      'Es ist sein erster Kassenschnitt hier, deshalb gibt es nichts, womit seine Summen zu vergleichen wären. Der nächste wird verglichen.',
  },
  closed_before: {
    message: 'Das Lesegerät hatte seinen Tag schon abgeschlossen',
    detail:
      'Das Lesegerät hat seinen Tag abgeschlossen, und seine Summen kamen nicht an. Sie lassen sich nicht vergleichen: Sehen Sie auf seinem Beleg nach. Was es seitdem eingenommen hat, stimmt überein.',
  },
  not_received: {
    message: 'Das Lesegerät hat nicht gesagt, ob es seinen Tag abgeschlossen hat',
    detail:
      'Warten Sie, bis es bereit ist, und schließen Sie seinen Tag noch einmal ab: Seine Summen zeigen es dann. Kein Verkauf geht verloren.',
  },
  waiting: {
    message: 'Das Lesegerät hat seinen Tag abgeschlossen',
    detail: 'Seine Summen sind hier gespeichert. Sie werden gesendet und verglichen, sobald der Server erreichbar ist.',
  },
  refused: {
    busy: {
      message: 'Das Lesegerät ist beschäftigt',
      detail: `Sein Tag wurde nicht abgeschlossen. Warten Sie, bis es bereit ist. ${again}`,
    },
    pending: {
      message: 'Das Lesegerät hält noch ein Ergebnis',
      detail: `Sein Tag wurde nicht abgeschlossen. Warten Sie einen Moment, bis es abgeholt ist. ${again}`,
    },
    not_connected: {
      message: 'Das Lesegerät ist nicht verbunden',
      detail: `Sein Tag wurde nicht abgeschlossen. Prüfen Sie sein Kabel, und ob es eingeschaltet ist. ${again}`,
    },
    other: {
      message: 'Das Lesegerät hat seinen Tag nicht abgeschlossen',
      detail: 'Es hat abgelehnt. Sehen Sie auf seine Anzeige; lehnt es wieder ab, rufen Sie den Support an.',
    },
  },
};
