import type { StaffText } from './en.ts';

const stillWaitingForCard = { afterSeconds: 30, words: 'Es wird noch auf eine Karte gewartet.' };
const stillWaitingForBank = 'Es wird noch auf die Bank gewartet …';

/** All texts of the renderer for staff, in German. */
export const de: StaffText = {
  product: 'Florin',
  notEnrolled: 'Nicht angemeldet',
  terminalStatus: 'Zustand des Terminals',
  back: 'Zurück',
  newSale: 'Neuer Verkauf',
  done: 'Fertig',
  viewSale: 'Verkauf ansehen',
  working: 'Einen Moment …',
  notNow: 'Das ist gerade nicht möglich.',
  saleStarting: requestedBy => `${requestedBy} startet einen Verkauf.`,
  tryAgain: amount => `Noch einmal ${amount}`,
  elapsed: 'Wartezeit',
  language: 'Sprache',

  starting: { title: 'Startet …', detail: 'Es wird nachgesehen, wo dieses Terminal aufgehört hat.' },
  connecting: {
    title: 'Verbindung zum Terminal …',
    detail: 'Der Bildschirm hat die Verbindung zum Terminal verloren und versucht es weiter.',
    safe: 'Dieser Bildschirm weiß nicht, ob die letzte Zahlung oder Erstattung durchging. Nicht wiederholen, bis er wieder da ist.',
    late: [{ afterSeconds: 15, words: 'Das dauert lange. Die Leitung bitten, das Terminal neu zu starten.' }],
  },
  refusedLink: {
    title: 'Dieser Bildschirm ist veraltet',
    detail: 'Schließen und das Terminal neu öffnen.',
    safe: 'Dieser Bildschirm weiß nicht, ob die letzte Zahlung oder Erstattung durchging. Erst unter „Letzte Verkäufe“ nachsehen, dann wiederholen.',
  },
  unreadable: {
    title: 'Das kann nicht angezeigt werden',
    detail: 'Neu laden. Wenn das nicht hilft, die Leitung bitten, das Terminal neu zu starten.',
    safe: 'Die letzte Zahlung oder Erstattung erst unter „Letzte Verkäufe“ ansehen, dann wiederholen.',
    again: 'Neu laden',
  },

  service: { online: 'Online', offline: 'Offline', connecting: 'Verbindet …' },
  reader: {
    searching: 'Sucht Lesegerät',
    connecting: 'Verbindet Lesegerät',
    ready: 'Lesegerät bereit',
    busy: 'Lesegerät in Gebrauch',
    lost: 'Lesegerät getrennt',
    incompatible: 'Lesegerät passt nicht',
  },
  battery: percent => `Akku ${percent} %`,
  waitingToSync: count => `${count} zu senden`,
  waitingToSyncSpoken: count =>
    count === 1
      ? '1 Eintrag wartet darauf, an den Dienst gesendet zu werden'
      : `${count} Einträge warten darauf, an den Dienst gesendet zu werden`,
  offline: {
    title: 'Offline: keine Kartenzahlung.',
    detail: 'Kein Storno, keine Erstattung. Letzte Verkäufe sind einsehbar.',
    noReturns: 'Offline: Rückgabe nicht möglich.',
  },

  enrolment: {
    title: 'Terminal anmelden',
    detail: 'Die Leitung erstellt den Code. Er gilt einmal, 15 Minuten lang.',
    code: 'Anmeldecode',
    submit: 'Terminal anmelden',
    busy: 'Wird angemeldet …',
  },

  keyboard: {
    title: 'Tastatur',
    shift: 'Umschalttaste',
    shiftLock: 'Feststelltaste',
    symbols: 'Zeichen',
    symbolsShort: '#+=',
    letters: 'Buchstaben',
    lettersShort: 'abc',
    space: 'Leertaste',
    deleteLast: 'Letztes Zeichen löschen',
  },

  keypad: {
    title: 'Zu zahlender Betrag',
    charge: amount => `${amount} kassieren`,
    chargeNothing: 'Kassieren',
    bitcoin: 'Bitcoin',
    recentSales: 'Letzte Verkäufe',
    kioskMode: 'Kioskmodus',
    keys: 'Betragstasten',
    clear: 'Löschen',
    deleteLast: 'Letzte Ziffer löschen',
    tooLong: 'Mehr kann eine Karte nicht zahlen.',
    quickAmounts: 'Schnellbeträge',
    add: amount => `${amount} hinzufügen`,
    confirm: {
      title: 'Stimmt dieser Betrag?',
      detail: limit => `Er liegt über ${limit}. Nennen Sie ihn dem Kunden, bevor Sie kassieren.`,
    },
  },

  sale: {
    label: 'Verkauf',
    steps: ['Karte', 'Bank', 'Ergebnis'],
    progress: 'Ablauf des Verkaufs',
    cancel: 'Verkauf abbrechen',
    cancelling: 'Wird abgebrochen …',
    cancellingDetail: 'Es wird gewartet, bis das Lesegerät stoppt.',
    stopWaiting: 'Nicht mehr warten',
    unanswered: {
      title: 'Die Bank hat noch nicht geantwortet',
      detail:
        'Sie können warten, oder nicht mehr warten und die Ware behalten. Falls die Bank das Geld abgebucht hat, geht es von selbst zurück auf die Karte, sobald dieses Terminal online ist.',
      late: [{ afterSeconds: 8, words: 'Die Bank wird noch gefragt …' }],
    },
    cannotCancel: 'Der Verkauf kann nicht mehr abgebrochen werden.',
    requestedBy: name => `Angefordert von ${name}`,
  },
  stages: {
    starting: { title: 'Verkauf beginnt', detail: 'Einen Moment.', late: [] },
    waiting_for_reader: {
      title: 'Warten auf das Lesegerät',
      detail: 'Der Verkauf beginnt, sobald es antwortet.',
      late: [{ afterSeconds: 5, words: 'Prüfen, ob das Lesegerät eingeschaltet und angeschlossen ist.' }],
    },
    remove_previous_card: {
      title: 'Erst die vorige Karte entnehmen',
      detail: 'Der Verkauf beginnt, sobald das Lesegerät leer ist.',
      late: [],
    },
    present_card: {
      title: 'Karte vorhalten oder stecken',
      detail: 'Am Lesegerät vorhalten, stecken oder durchziehen.',
      late: [stillWaitingForCard],
    },
    insert_card: {
      title: 'Karte stecken',
      detail: 'Für diesen Betrag geht Vorhalten nicht: Karte mit dem Chip stecken.',
      late: [stillWaitingForCard],
    },
    card_inserted: { title: 'Karte gesteckt', detail: 'Karte im Lesegerät lassen.', late: [] },
    card_tapped: { title: 'Karte vorgehalten', detail: 'Die Karte wird gelesen.', late: [] },
    card_swiped: { title: 'Karte durchgezogen', detail: 'Die Karte wird gelesen.', late: [] },
    choose_application: {
      title: 'Am Lesegerät wählen',
      detail: 'Diese Karte bietet mehrere Zahlungsarten. Der Kunde wählt eine.',
      late: [],
    },
    enter_pin: {
      title: 'PIN eingeben',
      detail: 'Der Kunde gibt seine PIN am Lesegerät ein.',
      late: [{ afterSeconds: 30, words: 'Es wird noch auf die PIN gewartet.' }],
    },
    wrong_pin: { title: 'Falsche PIN', detail: 'Der Kunde kann es am Lesegerät noch einmal versuchen.', late: [] },
    authorising: {
      title: 'Die Bank wird gefragt',
      detail: 'Bitte warten.',
      late: [
        { afterSeconds: 5, words: stillWaitingForBank },
        { afterSeconds: 20, words: 'Die Bank braucht länger als sonst.' },
      ],
    },
    finishing: {
      title: 'Abschluss am Lesegerät',
      detail: 'Das Ergebnis kommt gleich.',
      late: [{ afterSeconds: 8, words: 'Es wird noch auf das Lesegerät gewartet …' }],
    },
    checking: {
      title: 'Nicht noch einmal kassieren',
      detail: 'Die Verbindung war unterbrochen. Das Terminal klärt, ob die Karte belastet wurde.',
      late: [
        { afterSeconds: 8, words: 'Wird noch geprüft …' },
        { afterSeconds: 60, words: 'Wird noch geprüft. Die Antwort erscheint hier.' },
      ],
    },
    reversing: {
      title: 'Zahlung wird zurückgenommen',
      detail: 'Der Verkauf kam nicht zustande, deshalb gibt die Bank das Geld wieder frei.',
      late: [{ afterSeconds: 8, words: stillWaitingForBank }],
    },
    remove_card: {
      title: 'Karte entnehmen',
      detail: 'Den Kunden bitten, seine Karte zu nehmen. Das Ergebnis kommt gleich.',
      late: [{ afterSeconds: 6, words: 'Den Kunden an seine Karte erinnern.' }],
    },
  },

  bitcoin: {
    stages: {
      requesting: { title: 'Code wird erstellt', detail: 'Einen Moment.' },
      waiting: { title: 'Zum Zahlen scannen', detail: 'Der Kunde scannt ihn mit einer beliebigen Bitcoin-Wallet.' },
      seen: {
        title: 'Zahlung gefunden, Bestätigung steht aus',
        detail:
          'Sie zählt, sobald sie in einem Block steht: etwa zehn Minuten, manchmal eine Stunde. Vorher keine Ware übergeben, außer auf eigenes Risiko. Diese Seite kann verlassen werden: Der Verkauf läuft weiter.',
      },
      seen_part: {
        title: 'Betrag nur zum Teil unterwegs',
        detail:
          'Keine Ware übergeben, der Kunde soll bleiben. Nach etwa zehn Minuten, wenn der Teil in einem Block steht, fragt diese Seite nach dem Rest. Ist die Zeit dann um: der Leitung Bescheid sagen, der Teil geht zurück.',
      },
      checking: {
        title: 'Wird geprüft',
        detail:
          'Die Zeit ist um. Es wird geprüft, ob eine Zahlung ankam. Diese Seite kann verlassen werden: Die Prüfung läuft weiter.',
      },
      cancelling: { title: 'Wird abgebrochen …', detail: 'Der Code wird zurückgezogen. Einen Moment.' },
      leaving: { title: 'Wechsel zur Karte', detail: 'Der Code wird zurückgezogen. Einen Moment.' },
    },
    problems: {
      node_unreachable: {
        title: 'Der Bitcoin-Knoten antwortet nicht',
        detail: 'Dieses Terminal versucht es alle paar Sekunden. Es wurde nichts bezahlt.',
      },
      rate_unavailable: {
        title: 'Der Bitcoin-Kurs ist nicht bekannt',
        detail: 'Dieses Terminal versucht es alle paar Sekunden. Es wurde nichts bezahlt.',
      },
      not_reached: {
        title: 'Offline',
        detail:
          'Der Code erscheint wieder, sobald die Verbindung da ist. Was inzwischen bezahlt wird, ist nicht verloren.',
      },
    },
    notWithdrawn: {
      paid: 'Eine Zahlung wurde gefunden, deshalb ist kein Abbruch mehr möglich.',
      node_unreachable:
        'Der Knoten antwortet nicht, der Kunde zahlt vielleicht gerade. Die Karte geht erst, wenn er antwortet; abgebrochen werden kann der Verkauf.',
    },
    part: (received, rest) => `${received} sind angekommen. Die übrigen ${rest} sind noch zu zahlen.`,
    partSeen: (sent, total, rest) => `Es wurden nur ${sent} von ${total} gesendet: ${rest} fehlen.`,
    leftToPay: 'Noch zu zahlen',
    total: total => `Gesamt ${total}`,
    codeValidFor: time => `Code gültig für ${time}`,
    code: 'Code zum Zahlen mit einer Bitcoin-Wallet',
    payByCard: 'Mit Karte zahlen',
    payInBitcoin: 'Mit Bitcoin zahlen',
  },

  receipt: 'Beleg',
  scanReceipt: 'Scannen, um den Beleg mitzunehmen',
  showReceipt: 'Beleg',
  showDetails: 'Details',
  receiptCode: 'Beleg',
  print: { possible: 'Drucken', printing: 'Druckt…', printed: 'Kopie', failed: 'Noch einmal drucken' },
  close: 'Schließen',
  receiptCopy: 'Kopie des Belegs',
  recentSales: {
    title: 'Letzte Verkäufe',
    empty: 'Noch keine Verkäufe',
    emptyDetail: 'Hier stehen die Verkäufe an den Terminals dieses Geschäfts, die neuesten zuerst.',
    loading: 'Verkäufe werden geladen …',
    more: 'Frühere Verkäufe zeigen',
    today: 'Heute',
    noCard: 'Keine Karte gelesen',
    paidWith: { lightning: 'Bitcoin, Lightning', onchain: 'Bitcoin, on-chain' },
    action: { void: 'Storno möglich', refund: 'Erstattung möglich', none: null },
    refunded: amount => `${amount} erstattet`,
    refundPending: amount => `${amount} Erstattung in Prüfung`,
  },
  status: {
    pending: 'Wird geprüft',
    declined: 'Abgelehnt',
    failed: 'Nicht belastet',
    unsettled: 'Bezahlt',
    settled: 'Abgerechnet',
    cancelled: 'Storniert',
    settlement_rejected: 'Von der Bank zurückgewiesen',
    partly_refunded: 'Teilweise erstattet',
    refunded: 'Erstattet',
  },
  saleDetail: {
    title: 'Verkauf',
    invoice: 'Rechnung',
    takenAt: 'Bezahlt am',
    card: 'Karte',
    paidWith: 'Bezahlt mit',
    bitcoin: 'Erhalten',
    entryMode: 'Gelesen über',
    authorisationCode: 'Genehmigungs-Nr.',
    declineMessage: 'Antwort der Bank',
    failureMessage: 'Grund',
    refunded: 'Erstattet',
    pending: 'Erstattung wird geprüft',
    voided: 'Storniert',
    voidPending: 'Storno wird geprüft',
    earlier: 'Frühere Erstattungen',
    remaining: 'Noch erstattbar',
    void: 'Stornieren',
    voidHint: 'Noch nicht abgerechnet: Ein Storno hebt den Verkauf ganz auf, und der Kunde zahlt nicht.',
    refund: 'Erstatten',
    refundHint: amount => `Abgerechnet: ${amount} sind noch erstattbar.`,
    nothing: {
      pending: 'Die Antwort der Bank ist noch nicht bekannt. Sie wird geprüft.',
      declined: 'Es wurde kein Geld eingenommen, also ist nichts zurückzugeben.',
      failed: 'Es wurde kein Geld eingenommen, also ist nichts zurückzugeben.',
      cancelled: 'Ganz storniert: Es ist nichts mehr zu erstatten.',
      refunded: 'Ganz erstattet: Es ist nichts mehr zu erstatten.',
      other: 'Von diesem Verkauf kann gerade nichts zurückgegeben werden.',
      bitcoin: 'Bitcoin wird von Hand zurückgegeben. Die Leitung erfasst die Erstattung.',
      refundPending: 'Eine Erstattung wird noch geprüft. Der Rest geht, sobald ihr Ergebnis bekannt ist.',
      settling: 'Die Bank rechnet diesen Verkauf gerade ab. Danach kann er erstattet werden.',
      settlingUntil: time =>
        `Die Bank rechnet diesen Verkauf gerade ab. Zum Erstatten um ${time} noch einmal nachsehen.`,
      settlingSoon: 'Die Bank rechnet diesen Verkauf gerade ab. Zum Erstatten in einer Minute noch einmal nachsehen.',
      settlementRejected:
        'Die Bank hat diesen Verkauf nicht abgerechnet, deshalb ist keine Erstattung möglich. Support anrufen.',
    },
  },
  returnedBy: {
    staff: name => `von ${name}`,
    reversal: 'automatisch',
    terminal: 'an einem Terminal',
    portal: 'im Portal',
    api: 'durch ein anderes System',
  },
  entryModes: { chip: 'Chip', contactless: 'Kontaktlos', swipe: 'Magnetstreifen' },
  unnamedCards: { chip: 'Chipkarte', contactless: 'Kontaktlose Karte', swipe: 'Durchgezogene Karte' },
  maskedCard: lastFour => `•••• ${lastFour}`,
  maskedCardSpoken: lastFour => `endet auf ${lastFour}`,

  refundAmount: {
    title: 'Zu erstattender Betrag',
    of: amount => `${amount} sind noch erstattbar`,
    all: amount => `Alles: ${amount}`,
    rest: amount => `Den Rest: ${amount}`,
    tooMuch: amount => `Erstattung übersteigt den Verkaufsbetrag: Nur ${amount} sind noch erstattbar.`,
    submit: amount => `${amount} erstatten`,
    submitNothing: 'Erstatten',
    sale: invoice => `Verkauf ${invoice}`,
  },
  confirmReturn: {
    voidTitle: 'Diesen Verkauf stornieren?',
    voidDetail: 'Der Verkauf wird ganz aufgehoben, und der Kunde zahlt nicht. Das lässt sich nicht rückgängig machen.',
    void: amount => `${amount} stornieren`,
    refundTitle: 'Diesen Verkauf erstatten?',
    refundDetail: 'Das Geld geht zurück auf die Karte, die bezahlt hat. Das lässt sich nicht rückgängig machen.',
    refund: amount => `${amount} erstatten`,
  },
  returning: { CANCEL: 'Storno', REFUND_SALE: 'Erstattung', ENTER_KIOSK: 'Kioskmodus', LEAVE_KIOSK: 'Kioskmodus' },
  cancelsItself: left => `Endet von selbst in ${left}`,
  modeChange: {
    ENTER_KIOSK: {
      title: 'Kioskmodus starten',
      detail: 'Kunden zahlen allein, und Software startet jeden Verkauf. Die Leitung startet ihn.',
    },
    LEAVE_KIOSK: {
      title: 'Kioskmodus beenden',
      detail: 'Die Leitung beendet ihn mit ihrer Personal-ID und ihrem Passwort.',
    },
  },
  staffId: { title: 'Ihre Personal-ID', submit: 'Weiter', busy: 'Wird geprüft …', keys: 'Tasten für die Personal-ID' },
  password: {
    title: name => `Passwort für ${name}`,
    show: 'Zeigen',
    hide: 'Verbergen',
    showLabel: 'Passwort zeigen',
    submit: {
      CANCEL: 'Stornieren',
      REFUND_SALE: 'Erstatten',
      ENTER_KIOSK: 'Kioskmodus starten',
      LEAVE_KIOSK: 'Kioskmodus beenden',
    },
    busy: 'Wird geprüft …',
  },
  newPassword: {
    title: 'Vorläufiges Passwort ersetzen',
    detail: name => `${name}, es war nur für das erste Mal. Ein Passwort wählen, das nur Sie kennen.`,
    label: 'Neues Passwort',
    repeat: 'Neues Passwort noch einmal',
    rules: 'Was es braucht',
    long: '8 bis 128 Zeichen',
    notStaffId: 'Nicht die Personal-ID',
    same: 'Beide Male gleich',
    met: 'erfüllt',
    submit: 'Speichern und weiter',
    next: 'Weiter',
    busy: 'Wird gespeichert …',
    minimumLength: 8,
    maximumLength: 128,
  },
  lockedOut: {
    until: time => `Gesperrt bis ${time}`,
    left: 'Noch',
    over: 'Sie können es wieder versuchen.',
    overDetail: 'Zurückgehen und die Personal-ID eingeben.',
  },
  returnProgress: {
    voiding: 'Der Verkauf wird storniert',
    refunding: 'Auf die Karte wird erstattet',
    sendingDetail: 'Bitte warten.',
    checking: {
      CANCEL: 'Warten: nicht noch einmal stornieren',
      REFUND_SALE: 'Warten: nicht noch einmal erstatten',
    },
    checkingDetail: 'Die Antwort ging unterwegs verloren und wird nachgesehen. Es wird nichts noch einmal gesendet.',
    late: [
      { afterSeconds: 5, words: stillWaitingForBank },
      { afterSeconds: 20, words: 'Die Bank braucht länger als sonst.' },
    ],
    noCancel: 'Das lässt sich nicht mehr aufhalten.',
    leave: 'Diese Seite verlassen',
  },
};
