import { deDayReport } from './de-day-report.ts';
import { deReaderDay } from './de-reader-day.ts';
import { deSales } from './de-sales.ts';
import type { CoreWords } from './en.ts';

const notReached = 'Server nicht erreichbar!';
const noMoneyMoved = 'Es wurde kein Geld bewegt.';
const notEnrolled = 'Dieses Terminal ist nicht mehr angemeldet';
const support = 'Support anrufen.';
const thisStaffMember = 'Diese Person';
const locked = 'Gesperrt!';

/** Every sentence of the core in German. */
export const de: CoreWords = {
  noMoneyMoved,
  terminal: {
    salesNotReached: {
      message: notReached,
      detail: 'Das sind die zuletzt hier gesehenen Verkäufe; was seither anderswo mit ihnen geschah, fehlt.',
    },
    searchNotReached: {
      message: notReached,
      detail: 'Verkäufe lassen sich nur mit Verbindung suchen. Sobald sie zurück ist, wird noch einmal gesucht.',
    },
    notOfASale: {
      message: 'Dieser Code gehört zu keinem Beleg',
      detail: 'Es wurde nichts belastet. Um damit einen Verkauf zu suchen, scannen Sie ihn unter „Letzte Verkäufe“.',
    },
    checkingConnection: { message: 'Verbindung wird geprüft', detail: null },
    diskFull: {
      message: 'Der Speicher dieses Terminals ist voll',
      detail: 'Es wurde nichts abgebucht. Neue Verkäufe erst, wenn wieder Platz ist: Support anrufen.',
    },
    saleNotStarted: {
      message: notReached,
      detail: 'Es wurde nichts abgebucht. Netzwerk prüfen, dann noch einmal kassieren.',
    },
  },
  printing: {
    merchantCopy: {
      title: 'Händlerbeleg',
      again: 'Kopie',
      agree: 'Ich stimme der Zahlung des Betrags zu.',
      signature: 'Unterschrift des Kunden',
    },
    troubles: {
      out_of_paper: { message: 'Der Drucker hat kein Papier', remedy: 'Legen Sie eine neue Rolle ein' },
      cover_open: { message: 'Die Klappe des Druckers ist offen', remedy: 'Schließen Sie sie' },
      not_reachable: {
        message: 'Der Drucker antwortet nicht',
        remedy: 'Prüfen Sie, ob er eingeschaltet und angeschlossen ist',
      },
      error: { message: 'Der Drucker meldet einen Fehler', remedy: 'Sehen Sie nach dem Drucker' },
    },
    printAgain: (remedy: string) => `${remedy}, und drucken Sie dann noch einmal.`,
    mayHavePrinted: (remedy: string) =>
      `${remedy}. Kommt der Beleg dann nicht heraus, drucken Sie ihn noch einmal: als Kopie.`,
    reasons: {
      not_reached: {
        message: notReached,
        detail: 'Die Zahlung ist davon nicht berührt. Drucken Sie den Beleg, sobald das Terminal wieder online ist.',
      },
      not_ready: {
        message: 'Der Beleg ist noch nicht fertig',
        detail: 'Warten Sie einen Moment, und drucken Sie dann noch einmal.',
      },
      restarted: {
        message: 'Wurde der Beleg gedruckt?',
        detail:
          'Das Terminal wurde währenddessen neu gestartet. Kam er nicht heraus, drucken Sie ihn noch einmal: als Kopie.',
      },
    },
  },
  receiptEmail: {
    notAnAddress: { message: 'Das ist keine E-Mail-Adresse', detail: 'Prüfen Sie sie, und senden Sie noch einmal.' },
    notReached: {
      message: notReached,
      detail:
        'Der Beleg wurde nicht gesendet. Die Zahlung ist davon nicht berührt: Senden Sie ihn, sobald das Terminal wieder online ist.',
    },
    unanswered: {
      message: 'Wurde der Beleg gesendet?',
      detail: 'Es kam keine Antwort. Senden Sie noch einmal: Innerhalb einer Minute kommt er nicht doppelt an.',
    },
    notReady: {
      message: 'Der Beleg ist noch nicht fertig',
      detail: 'Warten Sie einen Moment, und senden Sie dann noch einmal.',
    },
    tooMany: {
      message: 'Dieser Beleg wurde oft genug gesendet',
      detail: 'Heute nicht noch einmal, und an keine andere Adresse. Der Kunde kann den Code scannen.',
    },
    slowDown: {
      message: 'Bitte einen Moment warten',
      detail: 'Zu viele Versuche auf einmal. Senden Sie in ein paar Sekunden noch einmal.',
    },
    notSent: { message: 'Der Beleg wurde nicht gesendet', detail: 'Der Kunde kann stattdessen den Code scannen.' },
  },
  enrolment: {
    removed: {
      message: notEnrolled,
      detail: 'Es wurde aus dem Geschäft entfernt. Die Leitung kann es mit einem neuen Code wieder anmelden.',
    },
    removedWithSale: {
      message: notEnrolled,
      detail:
        'Ein Verkauf wird noch geprüft: nicht noch einmal kassieren. Das Terminal mit einem neuen Code der Leitung wieder anmelden, um sein Ergebnis zu erfahren.',
    },
    invalid: {
      message: 'Dieser Code ist nicht gültig',
      detail: 'Ein Code gilt einmal, 15 Minuten lang. Code prüfen oder die Leitung um einen neuen bitten.',
    },
    notReached: {
      message: notReached,
      detail: 'Netzwerk dieses Terminals prüfen, dann den Code noch einmal eingeben. Er wurde nicht verbraucht.',
    },
    unanswered: {
      message: notReached,
      detail:
        'Es kam keine Antwort. Den Code noch einmal eingeben; wird er jetzt abgelehnt, die Leitung um einen neuen bitten.',
    },
    slowDown: {
      message: 'Bitte einen Moment warten',
      detail: 'Zu viele Versuche auf einmal. Den Code in ein paar Sekunden noch einmal eingeben.',
    },
  },
  modes: {
    notReached: {
      message: notReached,
      detail:
        'Der Kioskmodus beginnt und endet nur, solange der Server erreichbar ist. Netzwerk prüfen, dann noch einmal versuchen.',
    },
    managerRequired: {
      message: 'Nur die Leitung darf den Kioskmodus starten oder beenden',
      detail: 'Die Leitung gibt ihre Personal-ID ein, oder die Verwaltung ändert den Modus dieses Terminals.',
    },
  },
  reader: {
    card_left: 'Karte entnehmen',
    tampered: 'Lesegerät geöffnet: nicht benutzen. Support anrufen.',
    battery_low: 'Akku des Lesegeräts ist schwach',
    in_use: 'Das Lesegerät wird von einem anderen Programm benutzt',
    no_permission: 'Dieser Computer erlaubt keinen Zugriff auf das Lesegerät',
    failed: 'Das Lesegerät ließ sich nicht öffnen',
    silent: 'Das Lesegerät antwortet nicht',
    incompatible: 'Das Lesegerät braucht eine andere Software als dieses Terminal hat',
    echo: 'Das Kabel des Lesegeräts sendet alles zurück',
  },
  alerts: {
    refusedEntry: {
      message: 'Der Dienst hat einen Eintrag dieses Terminals abgelehnt',
      detail: `Er bleibt hier gespeichert. ${support}`,
    },
    damagedEntry: {
      message: 'Ein Eintrag dieses Terminals ist nicht lesbar',
      detail: `Er bleibt hier gespeichert. ${support}`,
    },
    refusedReport: {
      message: 'Der Dienst hat eine Meldung zu einem Verkauf abgelehnt',
      detail: `Sie wird gesendet, bis sie angenommen ist. ${support}`,
    },
    diskFull: {
      message: 'Der Speicher dieses Terminals ist voll',
      detail: `Es nimmt keine neuen Verkäufe an. ${support}`,
    },
    storageRebuilt: {
      message: 'Der Speicher war beschädigt und ist repariert',
      detail: 'Vor dem nächsten Kassieren unter „Letzte Verkäufe“ nachsehen.',
    },
    elsewhere: {
      message: 'Einträge eines anderen Geschäfts warten',
      detail: 'Sie werden gesendet, sobald dieses Terminal dort wieder angemeldet ist.',
    },
    count: count => `Es sind ${count}.`,
  },
  passwords: {
    tooShort: { message: 'Zu kurz', detail: 'Ein Passwort mit mindestens 8 Zeichen wählen.' },
    tooLong: { message: 'Zu lang', detail: 'Ein Passwort mit höchstens 128 Zeichen wählen.' },
    staffNumber: {
      message: 'Nicht die Personal-ID',
      detail: 'Die Personal-ID kennen auch andere. Etwas wählen, das nur Sie wissen.',
    },
    different: {
      message: 'Die Passwörter sind verschieden',
      detail: 'In beide Felder dasselbe neue Passwort eingeben.',
    },
  },
  notices: {
    notReached: {
      message: notReached,
      detail: `${noMoneyMoved} Netzwerk prüfen, dann das Passwort noch einmal eingeben.`,
    },
    notReachedAtStaffId: {
      message: notReached,
      detail: `${noMoneyMoved} Netzwerk prüfen, dann noch einmal versuchen.`,
    },
    notReachedUnprotected: {
      message: notReached,
      detail: `${noMoneyMoved} Netzwerk prüfen, dann beim Verkauf neu beginnen.`,
    },
    incorrectStaffId: {
      message: 'Falsche Personal-ID',
      detail: 'Diese Nummer hat in diesem Geschäft niemand. Prüfen und noch einmal eingeben.',
    },
    staffIdNotKnownHere: {
      message: notReached,
      detail:
        'Dieses Terminal kennt die Personal-ID nicht und kann gerade nicht nachfragen. Nummer und Netzwerk prüfen.',
    },
    storageChanged: {
      message: locked,
      detail:
        'Die Zähler falscher Passwörter auf diesem Terminal wurden verändert. Niemand kann hier etwas freigeben, bis es den Server wieder erreicht hat.',
    },
    staffDisabled: {
      message: 'Diese Person ist deaktiviert',
      detail: `${noMoneyMoved} Jemand anderes kann die eigene Personal-ID eingeben; im Portal wird diese Person wieder aktiviert.`,
    },
    permissionDenied: {
      message: 'Erstatten und Stornieren nicht erlaubt',
      detail: `${noMoneyMoved} Wer erstatten und stornieren darf, kann die eigene Personal-ID eingeben; die Leitung erteilt das.`,
    },
    permissionApprovable: {
      message: 'Erstatten und Stornieren nicht erlaubt',
      detail: `${noMoneyMoved} Jemand mit der Berechtigung „Erstatten & stornieren“ kann es jetzt genehmigen.`,
    },
    selfApproval: {
      message: 'Jemand anderes muss das genehmigen',
      detail: `${noMoneyMoved} Wer genehmigt, gibt die eigene Personal-ID ein.`,
    },
    approvalExpired: {
      message: 'Die Zeit zum Genehmigen ist vorbei. Bitte von vorn beginnen',
      detail: `${noMoneyMoved} Wer darum gebeten hat, gibt die eigene Personal-ID noch einmal ein.`,
    },
    expired: {
      message: 'Diese Freigabe ist abgelaufen. Bitte das Passwort noch einmal eingeben',
      detail: noMoneyMoved,
    },
    staffNeeded: {
      message: 'Personal-ID und Passwort sind nötig',
      detail: `Der Passwortschutz wurde inzwischen eingeschaltet. ${noMoneyMoved}`,
    },
    timeForNewPasswordOver: {
      message: 'Das hat zu lange gedauert',
      detail: 'Das Passwort wurde nicht geändert und kein Geld bewegt. Noch einmal mit der Personal-ID beginnen.',
    },
    passwordUnchanged: {
      message: 'Ein anderes Passwort wählen',
      detail: 'Das vorläufige Passwort kann nicht bleiben. Eines wählen, das nur Sie kennen.',
    },
    passwordNotReached: {
      message: notReached,
      detail: 'Das neue Passwort wurde nicht gespeichert und kein Geld bewegt. Noch einmal versuchen.',
    },
    slowDown: {
      message: 'Bitte einen Moment warten',
      detail: `Zu viele Versuche auf einmal. ${noMoneyMoved} In ein paar Sekunden noch einmal versuchen.`,
    },
    revoked: {
      message: notEnrolled,
      detail: `${noMoneyMoved} Die Leitung kann es mit einem neuen Code wieder anmelden.`,
    },
    exceeds: {
      message: 'Erstattung übersteigt den Verkaufsbetrag',
      detail: 'Einen Betrag wählen, der von diesem Verkauf noch übrig ist.',
    },
    silent: {
      message: 'Wird geprüft',
      detail:
        'Es kam keine Antwort. Das Terminal fragt weiter nach und sendet nichts doppelt. Nach einer Minute kann diese Seite verlassen werden.',
    },
    restarted: {
      message: 'Wird geprüft',
      detail: 'Das Terminal wurde mittendrin neu gestartet. Es klärt das Ergebnis und sendet nichts doppelt.',
    },
    notReceived: {
      message: 'Nicht gesendet',
      detail: 'Der Dienst hat es nie erhalten: Es wurde kein Geld bewegt. Beim Verkauf neu beginnen.',
    },
    leftSilent: {
      message: 'Noch nicht bekannt',
      detail:
        'Der Dienst konnte nicht gefragt werden. Falls er es erhalten hat, steht es beim Verkauf: dort nachsehen, bevor Sie neu beginnen.',
    },
    leftPending: {
      message: 'Noch nicht entschieden',
      detail:
        'Die Bank hat noch nicht geantwortet. Der Dienst fragt weiter nach, und das Ergebnis steht beim Verkauf. Nicht noch einmal beginnen.',
    },
  },
  withdrawn: {
    expired: requestedBy => ({
      message: 'Anforderung abgelaufen',
      detail: `${noMoneyMoved} Um doch zu erstatten, in ${requestedBy} neu beginnen.`,
    }),
    cancelled: requestedBy => ({
      message: `Von ${requestedBy} abgebrochen`,
      detail: `${noMoneyMoved} Hier ist nichts mehr zu tun.`,
    }),
  },
  limits: {
    otherPerson: 'Jemand anderes kann die eigene Personal-ID eingeben, oder ein kleinerer Betrag wird erstattet.',
    colleagueApproves: 'Jemand mit einer höheren Grenze kann es jetzt genehmigen.',
    perTransaction: {
      message: 'Betrag zu hoch!',
      detail: (name, limit, next) =>
        `${name ?? thisStaffMember} darf bis zu ${limit} auf einmal erstatten. ${noMoneyMoved} ${next}`,
    },
    daily: {
      message: 'Tageslimit erreicht!',
      detail: (name, limit, left, next) =>
        `${name ?? thisStaffMember} darf bis zu ${limit} am Tag erstatten und hat heute noch ${left} übrig. ${noMoneyMoved} ${next}`,
    },
  },
  incorrectPassword: {
    message: 'Falsches Passwort',
    triesLeft: count => (count === 1 ? 'Noch 1 Versuch.' : `Noch ${count} Versuche.`),
  },
  lockouts: {
    lockedOut: locked,
    lockedOutUntil: time => `Gesperrt bis ${time}`,
    tooManyAttempts: 'Zu viele Versuche, bitte später erneut versuchen!',
    staff: (name, until) =>
      `${name ?? thisStaffMember} ist${until ? ` bis ${until}` : ''} gesperrt: zu viele falsche Passwörter. ${noMoneyMoved} Zurückgehen, damit jemand anderes die eigene Personal-ID eingibt, oder die Leitung hebt die Sperre im Portal unter „Personal“ auf.`,
    terminal: until =>
      `Dieses Terminal ist${until ? ` bis ${until}` : ''} für alle gesperrt: Es wurden zu viele falsche Passwörter eingegeben. ${noMoneyMoved} Ein anderes Terminal benutzen oder die Leitung bitten, dieses zu entsperren.`,
  },
  refusals: {
    payment_already_cancelled: {
      message: 'Zahlung wurde bereits storniert',
      detail: 'Dieser Verkauf wurde schon storniert: Der Kunde zahlt ihn nicht. Es ist nichts zurückzugeben.',
    },
    payment_already_refunded: {
      message: 'Zahlung wurde bereits erstattet',
      detail:
        'Ein Teil dieses Verkaufs wurde schon erstattet, deshalb ist kein Storno mehr möglich. Stattdessen den Rest erstatten.',
    },
    refund_exceeds_payment: {
      message: 'Erstattung übersteigt den Verkaufsbetrag',
      detail: `Von diesem Verkauf ist weniger übrig als verlangt. ${noMoneyMoved} Den Verkauf ansehen und neu wählen.`,
    },
    payment_already_settled: { message: 'Zu spät für ein Storno', detail: `Stattdessen erstatten. ${noMoneyMoved}` },
    payment_not_settled: { message: 'Zu früh für eine Erstattung', detail: `Stattdessen stornieren. ${noMoneyMoved}` },
    payment_settling: {
      message: 'Wird gerade abgerechnet',
      detail: `Die Bank rechnet diesen Verkauf gerade ab, deshalb sind jetzt weder Storno noch Erstattung möglich. ${noMoneyMoved}`,
    },
    settlement_rejected: {
      message: 'Nicht abgerechnet',
      detail: `Die Bank hat diesen Verkauf nicht abgerechnet. ${noMoneyMoved} ${support}`,
    },
    payment_not_at_gateway: {
      message: 'Der Bank nicht bekannt',
      detail: 'Die Bank kennt diese Zahlung nicht, deshalb kann darauf nichts zurückgegeben werden.',
    },
    refund_in_progress: {
      message: 'Eine andere Erstattung läuft noch',
      detail:
        'Über eine andere Erstattung dieses Verkaufs wird noch entschieden. Abwarten, dann den Verkauf noch einmal ansehen.',
    },
    other: { message: 'Nicht möglich', detail: noMoneyMoved },
  },
  lookAgain: {
    at: time => `Um ${time} noch einmal nachsehen.`,
    inAMinute: 'In einer Minute noch einmal nachsehen.',
    later: 'Später noch einmal nachsehen.',
  },
  returned: {
    voided: {
      message: 'Storniert',
      detail: 'Die Karte wird nicht belastet. Die Bank gibt den vorgemerkten Betrag frei; das kann einige Tage dauern.',
    },
    refunded: {
      message: 'Erstattet',
      detail: amount => `${amount} gehen zurück auf die Karte des Kunden, meist in einem bis fünf Werktagen.`,
    },
    declined: { message: 'Abgelehnt', detail: 'Die Bank hat die Rückzahlung abgelehnt.' },
    failed: { message: 'Fehlgeschlagen', detail: 'Die Bank war nicht erreichbar.', next: 'Noch einmal versuchen.' },
    bankSays: message => `Die Bank meldet: ${message}.`,
    checking: 'Wird geprüft',
    checkingVoid:
      'Die Bank hat dieses Storno noch nicht bestätigt. Der Dienst fragt weiter nach, das Ergebnis steht dann beim Verkauf unter „Letzte Verkäufe“. Diese Seite kann verlassen werden.',
    checkingRefund: amount =>
      `Die Bank hat diese Erstattung von ${amount} noch nicht bestätigt. Der Dienst fragt weiter nach, das Ergebnis steht dann beim Verkauf unter „Letzte Verkäufe“. Diese Seite kann verlassen werden.`,
  },
  receipt: {
    business: 'Händler',
    terminal: 'Terminal',
    date: 'Datum',
    invoice: 'Verkaufs-Nr.',
    voidOfInvoice: 'Storno zu Verkauf',
    refundOfInvoice: 'Erstattung zu Verkauf',
    amount: 'Betrag',
    tip: 'Darin Trinkgeld',
    voided: 'Storniert',
    refunded: 'Erstattet',
    card: 'Karte',
    entry: 'Gelesen über',
    entryModes: { chip: 'Chip', contactless: 'Kontaktlos', swipe: 'Magnetstreifen' },
    authorisation: 'Genehmigungs-Nr.',
    authorisedBy: 'Freigegeben von',
    requestedBy: 'Angefragt von',
    approvedBy: 'Genehmigt von',
    bankReference: 'Bankreferenz',
    reference: 'Referenz',
    paidWith: 'Bezahlt mit',
    methods: { lightning: 'Bitcoin, Lightning', onchain: 'Bitcoin-Netzwerk', card: 'Karte' },
    bitcoin: 'Bitcoin',
  },
  dayReport: deDayReport,
  readerDay: deReaderDay,
  ...deSales,
};
