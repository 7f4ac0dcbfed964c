import type { CustomerMessages } from './customer-messages.ts';

export const de: CustomerMessages = {
  idle: {
    ready: 'Bereit für Ihre Zahlung',
    unavailable: { title: 'Kartenzahlung nicht möglich', detail: 'Bitte wenden Sie sich an das Personal.' },
    staff: 'Personal',
  },
  toPay: 'Zu zahlen',
  cancel: 'Zahlung abbrechen',
  cancelling: 'Wird abgebrochen …',
  cannotCancel: 'Die Zahlung kann nicht mehr abgebrochen werden.',
  done: 'Fertig',
  takeCard: 'Bitte Karte entnehmen',
  reference: reference => `Referenz ${reference}`,
  receipt: 'Beleg',
  scanReceipt: 'Scannen, um den Beleg mitzunehmen',
  print: {
    print: 'Drucken',
    states: {
      printing: 'Ihr Beleg wird gedruckt.',
      printed: 'Bitte nehmen Sie Ihren Beleg.',
      failed: 'Der Beleg wurde nicht gedruckt. Scannen Sie seinen Code, oder fragen Sie das Personal.',
    },
  },
  tip: {
    title: 'Trinkgeld wählen',
    detail: 'Am Kartenlesegerät. Es ist noch nichts abgebucht.',
    included: amount => `Darin sind ${amount} Trinkgeld`,
  },
  stages: {
    starting: { title: 'Einen Moment', detail: 'Ihre Zahlung beginnt.' },
    waiting_for_reader: { title: 'Einen Moment', detail: 'Das Kartenlesegerät wird vorbereitet.' },
    remove_previous_card: { title: 'Bitte Karte entnehmen', detail: 'Im Lesegerät steckt noch eine Karte.' },
    present_card: { title: 'Karte bitte', detail: 'Am Lesegerät auflegen, einstecken oder durchziehen.' },
    insert_card: {
      title: 'Karte einstecken',
      detail: 'Für diesen Betrag kann diese Karte nicht aufgelegt werden.',
    },
    card_inserted: { title: 'Karte wird gelesen', detail: 'Bitte lassen Sie sie stecken.' },
    card_tapped: { title: 'Karte wird gelesen', detail: 'Einen Moment.' },
    card_swiped: { title: 'Karte wird gelesen', detail: 'Einen Moment.' },
    choose_application: { title: 'Zahlungsart wählen', detail: 'Bitte wählen Sie am Lesegerät aus.' },
    enter_pin: { title: 'PIN eingeben', detail: 'Bitte am Lesegerät und verdeckt eingeben.' },
    wrong_pin: { title: 'Falsche PIN', detail: 'Bitte versuchen Sie es am Lesegerät noch einmal.' },
    authorising: { title: 'Ihre Bank wird gefragt', detail: 'Bitte warten.' },
    finishing: { title: 'Gleich fertig', detail: 'Bitte warten.' },
    checking: {
      title: 'Bitte warten',
      detail: 'Wir klären, ob Ihre Karte belastet wurde. Bitte zahlen Sie nicht noch einmal.',
    },
    reversing: { title: 'Bitte warten', detail: 'Die Zahlung kam nicht zustande und wird zurückgenommen.' },
    remove_card: { title: 'Karte entnehmen', detail: 'Bitte vergessen Sie sie nicht.' },
  },
  bitcoin: {
    stages: {
      requesting: { title: 'Einen Moment', detail: 'Ihr Code wird erstellt.' },
      waiting: {
        title: 'Zum Zahlen scannen',
        detail: 'Mit jeder Bitcoin-Wallet, über Lightning oder das Bitcoin-Netzwerk.',
      },
      seen: { title: 'Zahlung gefunden', detail: 'Sie wartet auf ihre Bestätigung. Sie müssen nichts weiter tun.' },
      seen_part: {
        title: 'Es fehlt noch ein Teil',
        detail:
          'Bitte bleiben Sie hier und wenden Sie sich an das Personal. Sobald der Teil bestätigt ist, können Sie hier den Rest zahlen. Ist die Zeit bis dahin abgelaufen, erhalten Sie ihn zurück.',
      },
      checking: {
        title: 'Bitte warten',
        detail: 'Die Zeit ist abgelaufen. Wir klären, ob Ihre Zahlung angekommen ist.',
      },
      cancelling: { title: 'Wird abgebrochen …', detail: 'Einen Moment.' },
      leaving: { title: 'Einen Moment', detail: 'Gleich ist das Kartenlesegerät bereit.' },
    },
    problems: {
      node_unreachable: {
        title: 'Bitcoin ist gerade nicht möglich',
        detail: 'Wir versuchen es weiter. Sie können abbrechen.',
      },
      rate_unavailable: {
        title: 'Bitcoin ist gerade nicht möglich',
        detail: 'Der Kurs ist nicht bekannt. Sie können abbrechen.',
      },
      not_reached: { title: 'Keine Verbindung', detail: 'Bitte zahlen Sie nicht, solange dies hier steht.' },
    },
    offline: {
      noCodeYet: { title: 'Keine Verbindung', detail: 'Ihr Code erscheint, sobald sie da ist. Sie können abbrechen.' },
      withdrawing: 'Die Verbindung fehlt. Sobald sie da ist, geht es weiter. Oder wenden Sie sich an das Personal.',
      withdrawingShown:
        'Die Verbindung fehlt. Bitte bezahlen Sie diesen Code nicht mehr und wenden Sie sich an das Personal.',
    },
    notWithdrawn: {
      paid: 'Eine Zahlung wurde gefunden, deshalb ist kein Abbruch mehr möglich.',
      node_unreachable:
        'Dieser Code kann noch bezahlt werden, deshalb ist die Karte noch nicht möglich. Sie können abbrechen.',
    },
    part: (received, rest) => `${received} sind angekommen. Bitte zahlen Sie die übrigen ${rest}.`,
    partSeen: (sent, total, rest) => `Sie haben ${sent} von ${total} gesendet: Es fehlen ${rest}.`,
    leftToPay: 'Noch zu zahlen',
    total: total => `Gesamt ${total}`,
    codeValidFor: time => `Code gültig für ${time}`,
    code: 'Code zum Zahlen mit einer Bitcoin-Wallet',
    payByCard: 'Mit Karte zahlen',
    payInBitcoin: 'Mit Bitcoin zahlen',
  },
  outcomes: {
    approved: { title: 'Zahlung erfolgreich', detail: 'Vielen Dank.' },
    declined: {
      title: 'Karte abgelehnt',
      detail:
        'Es wurde nichts abgebucht. Um mit einer anderen Karte zu zahlen, gehen Sie bitte zurück zur Bestellung oder wenden Sie sich an das Personal.',
    },
    cancelled: { title: 'Zahlung abgebrochen', detail: 'Es wurde nichts abgebucht.' },
    no_card: {
      title: 'Zeit abgelaufen',
      detail: 'Die Zahlung wurde nicht rechtzeitig abgeschlossen. Es wurde nichts abgebucht.',
    },
    not_paid: {
      title: 'Zeit abgelaufen',
      detail: 'Es ist keine Zahlung angekommen. Falls Sie gezahlt haben, wenden Sie sich bitte an das Personal.',
    },
    underpaid: {
      title: 'Nicht vollständig bezahlt',
      detail: 'Es kam zu wenig an. Bitte wenden Sie sich an das Personal: Sie erhalten es zurück.',
    },
    not_charged: {
      title: 'Zahlung nicht möglich',
      detail: 'Es wurde nichts abgebucht. Bitte beginnen Sie neu oder wenden Sie sich an das Personal.',
    },
    being_returned: {
      title: 'Zahlung nicht abgeschlossen',
      detail:
        'Falls Ihre Karte belastet wurde, wird der Betrag von selbst erstattet. Bitte wenden Sie sich an das Personal.',
    },
    ask_staff: {
      title: 'Bitte wenden Sie sich an das Personal',
      detail: 'Ihre Karte wurde möglicherweise belastet. Bitte zahlen Sie vorher nicht noch einmal.',
    },
  },
  counterOutcomes: {
    declined: {
      title: 'Karte abgelehnt',
      detail: 'Es wurde nichts abgebucht. Das Personal kann es noch einmal versuchen oder eine andere Karte nehmen.',
    },
    not_charged: {
      title: 'Zahlung nicht möglich',
      detail: 'Es wurde nichts abgebucht. Das Personal kann es noch einmal versuchen.',
    },
  },
};
