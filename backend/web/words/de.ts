import type { PayerWords } from './payer-words.ts';

export const german: PayerWords = {
  languageSwitch: 'Sprache',
  noScript: {
    waitReload: 'Laden Sie diese Seite neu, sobald Sie bezahlt haben.',
    paidReload: 'Ich habe bezahlt: Seite neu laden',
  },
  nowhere: {
    title: 'Unter dieser Adresse gibt es keine Seite',
    lines: [
      'Vielleicht ist die Adresse nicht vollständig. Öffnen Sie den Link so, wie Sie ihn erhalten haben, oder fragen Sie den Absender. Durch das Öffnen dieser Seite wurde nichts abgebucht.',
    ],
  },
  refused: {
    title: 'Diese Seite kann gerade nicht angezeigt werden',
    tooManyRequests: 'Sie wurde in kurzer Zeit zu oft aufgerufen.',
    fromElsewhere: 'Die Anfrage kam von einer anderen Website.',
    other: 'Bei uns ist ein Fehler aufgetreten.',
    next: 'Warten Sie einen Moment und laden Sie die Seite dann neu. Wenn Sie gerade bezahlen, öffnen Sie die Zahlungsseite noch einmal: Sie zeigt den Stand Ihrer Zahlung. Bezahlen Sie vorher kein zweites Mal.',
  },
  waiting: 'Warten auf Ihre Zahlung.',
  showsByItself: 'Diese Seite zeigt sie von selbst an.',
  goesByItself: 'Die Seite wechselt in wenigen Sekunden von selbst dorthin.',
  connectionLost: 'Keine Verbindung. Diese Seite macht weiter, sobald sie wieder da ist.',
  codeStillWorks: 'Sie können mit dem Code unten trotzdem bezahlen, einmal: Die Zahlung wird danach bemerkt.',

  openInWallet: 'In Wallet öffnen',
  copy: 'Kopieren',
  writeTag: 'Auf NFC-Tag schreiben',
  payWholeBy: time => `Zahlen Sie den ganzen Betrag bis ${time}, einmal.`,
  payRestBy: time => `Zahlen Sie den Rest bis ${time}, einmal.`,
  lightningInvoice: 'Lightning-Rechnung',
  lightningAddress: 'Lightning-Adresse',
  bitcoinAddress: 'Bitcoin-Adresse',
  amountInBitcoin: 'Betrag in Bitcoin',
  codes: {
    lightning: 'QR-Code zum Bezahlen über Lightning',
    onchain: 'QR-Code zum Bezahlen über das Bitcoin-Netzwerk',
    wallet: 'QR-Code zum Bezahlen mit einer Bitcoin-Wallet',
    tip: 'QR-Code, um mit einer Lightning-Wallet Trinkgeld zu geben',
  },

  claim: {
    about: ({ sats, worth }) => `${sats} (etwa ${worth})`,
    states: {
      open: merchant => `${merchant} muss den Betrag an Sie zurückgeben: Geben Sie unten an, wohin.`,
      requested: merchant =>
        `${merchant} weiß, wohin der Betrag zurückgehen soll, und sendet ihn dorthin. Diese Seite zeigt, wann das geschehen ist.`,
      disputed: merchant =>
        `${merchant} hat verschiedene Ziele für die Rückgabe erhalten und muss erst herausfinden, welches richtig ist. Bitte wenden Sie sich an ${merchant}.`,
      returned: merchant => `${merchant} hat den Betrag zurückgegeben.`,
    },
    refusals: {
      destination_invalid: 'Dorthin kann nichts gesendet werden. Bitte prüfen Sie die Angabe.',
      other_network:
        'Das gehört zu einem anderen Bitcoin-Netzwerk als Ihre Zahlung. Bitte geben Sie ein Ziel im selben Netzwerk an.',
      destination_of_merchant:
        'Das ist die Adresse oder Rechnung, an die Sie gezahlt haben, oder eine andere eines Geschäfts. Bitte geben Sie eine Ihrer eigenen Wallet an.',
      invoice_expired: 'Diese Lightning-Rechnung ist abgelaufen. Bitte erstellen Sie eine neue.',
      invoice_amount_differs:
        'Diese Lightning-Rechnung lautet auf einen anderen Betrag als den zurückzugebenden. Bitte erstellen Sie eine über diesen Betrag oder ohne Betrag.',
      too_many_destinations:
        'Es wurden schon zu viele verschiedene Ziele angegeben. Bitte wenden Sie sich an das Geschäft.',
    },
    where: 'Wohin zurückgeben',
    hint: 'Ihre Bitcoin-Adresse oder Ihre Lightning-Adresse, die wie eine E-Mail-Adresse aussieht. Eine Lightning-Rechnung gilt nur, bis sie abläuft. Bitte prüfen Sie die Angabe auf Tippfehler: Sie kann nicht geändert werden.',
    hintAgain: merchant => `Wenn Sie ein anderes Ziel angeben, muss ${merchant} vor der Rückgabe nachfragen.`,
    ask: 'Zurückfordern',
    given: destination => `Sie haben ${destination} angegeben.`,
    givenCheck: merchant => `Bitte prüfen Sie es auf Tippfehler: Wenn es falsch ist, wenden Sie sich an ${merchant}.`,
    isItWrong: 'Ist es falsch, oder hat es jemand anderes eingegeben?',
    toBeReturned: amount => `${amount} werden zurückgegeben`,
    wereReturned: amount => `${amount} wurden zurückgegeben`,
    whyOnLink: 'Der Betrag kam zu spät an oder war nicht der geforderte, und hat diesen Link nicht bezahlt.',
  },

  confirmation: {
    one: 'Zahlungsbestätigung',
    several: 'Zahlungen',
    paidTo: 'Bezahlt an',
    returnedSince: 'Seitdem zurückgegeben',
    invoice: 'Verkaufs-Nr.',
    receipt: 'Beleg',
    receiptFor: invoiceNumber => `Beleg zu ${invoiceNumber}`,
    receiptByEmail: 'Beleg per E-Mail senden',
  },

  onTheirWay: {
    title: 'Zahlung gesehen',
    whole: sats =>
      `${sats} sind unterwegs. Sie zählen, sobald das Bitcoin-Netzwerk sie bestätigt hat, meist innerhalb einer Stunde. Bezahlen Sie nicht noch einmal; Sie können diese Seite schließen.`,
    partTitle: 'Nicht der ganze Betrag ist unterwegs',
    partOfCheckout: ({ part, whole }) =>
      `${part} von ${whole} wurden gesendet. Sobald das Bitcoin-Netzwerk sie bestätigt hat, meist innerhalb einer Stunde, zeigt diese Seite, wie Sie den Rest bezahlen oder, falls die Zeit dann um ist, wie Sie sie zurückbekommen.`,
    partOfLink: ({ part, whole }) =>
      `${part} von ${whole} wurden gesendet. Sobald das Bitcoin-Netzwerk sie bestätigt hat, meist innerhalb einer Stunde, zeigt diese Seite, was mit dem Rest zu tun ist.`,
  },

  checkout: {
    titles: {
      PENDING: 'Bezahlen',
      PROCESSING: 'Zahlung unterwegs',
      COMPLETE: 'Bezahlt',
      UNDERPAID: 'Teilweise bezahlt',
      EXPIRED: 'Abgelaufen',
      CANCELLED: 'Abgebrochen',
    },
    unavailable: {
      title: 'Diese Bezahlseite ist nicht verfügbar',
      lines: [
        'Die Adresse ist nicht vollständig oder war nie eine. Bitte gehen Sie zurück zum Geschäft und beginnen Sie neu. Durch das Öffnen dieser Seite wurde nichts abgebucht.',
      ],
    },
    order: orderId => `Bestellung ${orderId}`,
    satsAt: ({ sats, price }) => `${sats} bei ${price} für einen Bitcoin`,
    interrupted: 'Zahlungen sind unterbrochen',
    interruptedWhy: merchant =>
      `${merchant} kann gerade keine Zahlungen annehmen. Es wurde nichts abgebucht. Diese Seite versucht es von selbst wieder: Bitte warten Sie einen Moment.`,
    timeIsUp: 'Die Zeit ist um',
    beingChecked:
      'Bitte bezahlen Sie nicht mehr. Es wird geprüft, ob eine Zahlung rechtzeitig angekommen ist; das dauert einen Moment.',
    partArrived: 'Ein Teil des Betrags ist angekommen',
    sendTheOther: ({ part, whole, rest }) => `${part} von ${whole} sind da. Bitte senden Sie die übrigen ${rest}.`,
    received: ({ merchant, sats }) => `${merchant} hat ${sats} erhalten.`,
    moreThanAsked: amount => `Das sind ${amount} mehr als gefordert.`,
    notEnough: 'Es wurde nicht genug bezahlt',
    arrivedOf: ({ part, whole }) =>
      `${part} von ${whole} kamen an, bevor die Zeit um war. Die Bestellung ist nicht bezahlt.`,
    tooLate: 'Ihre Zahlung kam zu spät',
    arrivedAfter: amount => `${amount} kamen an, als die Zeit um war. Die Bestellung ist nicht bezahlt.`,
    nothingPaid: merchant =>
      `Es wurde nichts bezahlt. Bitte bezahlen Sie nicht mehr; gehen Sie zurück zu ${merchant}, um neu zu beginnen.`,
    cancelledArrived: amount => `${amount} kamen trotzdem an.`,
    cancelled: 'Dieser Bezahlvorgang wurde abgebrochen. Bitte bezahlen Sie nicht mehr.',
    howToPay: 'So bezahlen Sie',
    waysToPay: 'Zahlungswege',
    networks: { lightning: 'Lightning', onchain: 'Bitcoin-Netzwerk' },
    backTo: merchant => `Zurück zu ${merchant}`,
  },

  pay: {
    unavailable: {
      title: 'Dieser Zahlungslink ist nicht verfügbar',
      lines: [
        'Vielleicht wurde er zurückgezogen, oder die Adresse ist nicht vollständig. Bitte fragen Sie den Absender nach einem neuen. Durch das Öffnen dieser Seite wurde nichts abgebucht.',
      ],
    },
    bankChecked: { title: 'Geprüft', lines: ['Die Prüfung Ihrer Bank geht weiter.'] },
    payableUntil: time => `Zahlbar bis ${time}.`,
    success: 'Zahlung erfolgreich',
    paid: 'Bezahlt',
    paidWhy: merchant => `${merchant} hat diese Zahlung erhalten. Es ist nichts mehr zu bezahlen.`,
    continueTo: merchant => `Weiter zu ${merchant}`,
    expired: 'Dieser Zahlungslink ist abgelaufen',
    expiredPaid: 'Er wurde vorher vollständig bezahlt. Es ist nichts mehr zu bezahlen.',
    expiredPart: ({ paid, merchant }) =>
      `Davon wurden ${paid} bezahlt. Wegen des Rests wenden Sie sich bitte an ${merchant}.`,
    expiredUnpaid: merchant => `Er kann nicht mehr bezahlt werden. Bitte fragen Sie ${merchant} nach einem neuen.`,
    partTaken: 'Es wurde nur ein Teil des Betrags abgebucht',
    partTakenWhy: ({ part, whole, merchant }) =>
      `Ihre Bank hat weniger genehmigt als gefordert: ${part} von ${whole} sind bezahlt. Der Rest kann nicht online bezahlt werden: Bitte wenden Sie sich an ${merchant}.`,
    partPaid: 'Ein Teil davon wurde bezahlt',
    partPaymentUnavailable: rest =>
      `Teilzahlungen sind online nicht möglich, deshalb können die übrigen ${rest} nicht auf dieser Seite bezahlt werden.`,
    payRest: merchant =>
      `Um den Rest zu bezahlen, wenden Sie sich bitte an ${merchant}. Das schon Bezahlte wird angerechnet.`,
    paidSoFar: 'Bisher bezahlt',
    leftToPay: 'Noch zu bezahlen',
    sending: {
      title: 'Ihre Zahlung wird ausgeführt',
      lines: ['Bitte warten Sie und bezahlen Sie nicht noch einmal.'],
    },
    checking: {
      title: 'Wir prüfen Ihre Zahlung',
      lines: [
        'Bezahlen Sie nicht noch einmal: Wir fragen bei der Bank nach, ob die Zahlung angekommen ist. Diese Seite zeigt die Antwort von selbst an.',
      ],
    },
    checkingLater: merchant =>
      `Sie können sie schließen und den Link später wieder öffnen. Wenn es länger als eine Stunde dauert, wenden Sie sich an ${merchant}.`,
    contactingBank: {
      title: 'Verbindung zu Ihrer Bank',
      lines: ['Das dauert ein paar Sekunden. Bitte lassen Sie diese Seite offen.'],
    },
    bankAsks: {
      title: 'Ihre Bank bittet Sie, diese Zahlung zu bestätigen',
      lines: [
        'Weiter geht es auf der Seite Ihrer Bank. Danach kommen Sie hierher zurück. Bisher wurde nichts abgebucht.',
      ],
    },
    bankElsewhere: 'Eine Zahlung dieses Links wartet auf Bestätigung',
    bankElsewhereWhy: time =>
      `Jemand mit diesem Link ist gerade auf der Seite seiner Bank. Wenn Sie das sind, in einem anderen Fenster oder auf einem anderen Gerät, schließen Sie es dort ab. Sonst endet es von selbst bis ${time}, und Sie können dann hier bezahlen. Bisher wurde nichts abgebucht.`,
    voided: 'Die Zahlung wurde storniert',
    voidedBy: merchant => `${merchant} hat sie storniert, und von der Karte wird nichts abgebucht.`,
    voidedPayBelow: 'Wenn Sie trotzdem bezahlen möchten, können Sie das unten tun.',
    voidedAskForNew:
      'Dieser Link nimmt keine weitere Zahlung an: Wenn Sie trotzdem bezahlen möchten, fragen Sie dort bitte nach einem neuen.',
    failed: {
      title: 'Die Zahlung wurde nicht ausgeführt',
      lines: ['Die Bank war nicht erreichbar. Es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.'],
    },
    declined: {
      bank: {
        title: 'Karte abgelehnt',
        lines: [
          'Ihre Bank hat die Zahlung nicht genehmigt. Es wurde nichts abgebucht. Versuchen Sie es mit einer anderen Karte, oder fragen Sie Ihre Bank.',
        ],
      },
      bank_check: {
        title: 'Karte abgelehnt: Die zusätzliche Prüfung der Bank ist fehlgeschlagen',
        lines: [
          'Ihre Bank hat nicht bestätigt, dass Sie es waren. Es wurde nichts abgebucht. Versuchen Sie es noch einmal, oder verwenden Sie eine andere Karte.',
        ],
      },
      bank_check_incomplete: {
        title: 'Die Prüfung der Bank konnte nicht abgeschlossen werden',
        lines: ['Es wurde nichts abgebucht. Sie können es noch einmal versuchen.'],
      },
    },
    toBank: 'Weiter zu Ihrer Bank',
    bankFrame: 'Prüfung durch Ihre Bank',
    startAgain: 'Neu beginnen',
    notPayable: 'Dieser Link kann gerade nicht online bezahlt werden',
    contact: merchant => `Bitte wenden Sie sich an ${merchant}.`,
    card: 'Karte',
    payBy: methods => `Mit ${methods} bezahlen`,
    needsScript: 'Für Kartenzahlung wird JavaScript gebraucht',
    needsScriptWhy: merchant =>
      `Ihre Kartendaten werden in Felder des Zahlungsdienstleisters eingegeben, die nicht geladen wurden. Schalten Sie JavaScript ein und laden Sie diese Seite neu, oder wenden Sie sich an ${merchant}.`,
    loading: 'Die Kartenfelder werden geladen…',
    payAmount: amount => `${amount} bezahlen`,
    cardPrivacy: merchant => `Ihre Kartendaten gehen direkt an den Zahlungsdienstleister. ${merchant} sieht sie nie.`,
    or: 'oder',
    inBitcoin: 'In Bitcoin bezahlen',
    anotherWay: 'Anders bezahlen',
    priceOfOne: price => `Bei ${price} für einen Bitcoin`,
    bitcoinUnavailable: {
      title: 'Bitcoin ist gerade nicht verfügbar',
      lines: [
        'Es wurde nichts abgebucht. Bitte versuchen Sie es in einer Minute noch einmal, oder bezahlen Sie anders.',
      ],
    },
    bitcoinAmount: {
      title: 'Dieser Betrag kann nicht in Bitcoin bezahlt werden',
      lines: ['Es wurde nichts abgebucht. Bitte bezahlen Sie anders, oder fragen Sie das Geschäft.'],
    },
    inProgress: {
      title: 'Eine Zahlung ist unterwegs',
      lines: ['Bitte warten Sie, bis sie angekommen ist, und bezahlen Sie nicht noch einmal.'],
    },
    partArrived: 'Nur ein Teil des Betrags ist angekommen',
    sendMore: ({ arrived, rest, merchant }) =>
      `${arrived} sind angekommen. Bitte senden Sie noch ${rest} an die Bitcoin-Adresse unten, oder wenden Sie sich an ${merchant}.`,
    arrivedPaysNothing: time =>
      `Das Angekommene allein bezahlt nichts: Wenn der Rest nicht bis ${time} ankommt, ist es an Sie zurückzugeben.`,
  },

  tip: {
    title: name => `Trinkgeld für ${name}`,
    how: ({ least, most }) =>
      `Scannen Sie den Code mit einer Lightning-Wallet und wählen Sie, wie viel Sie geben, von ${least} bis ${most}. Ihre Wallet zeigt an, wenn es angekommen ist.`,
    unavailable: {
      title: 'Dieser Trinkgeld-Link ist nicht verfügbar',
      lines: [
        'Er nimmt kein Trinkgeld mehr an, oder die Adresse ist nicht vollständig. Durch das Öffnen dieser Seite wurde nichts abgebucht.',
      ],
    },
  },

  script: {
    copied: 'Kopiert',
    payWholeWithin: 'Zahlen Sie den ganzen Betrag, einmal. Es bleiben {time}.',
    payRestWithin: 'Zahlen Sie den Rest, einmal. Es bleiben {time}.',
    timeIsOver: 'Die Zeit ist um. Bezahlen Sie nicht mehr.',
    tagHold: 'Halten Sie einen Tag an die Rückseite dieses Geräts.',
    tagWritten: 'Geschrieben. Halten Sie den Tag an das Telefon mit der Wallet.',
    tagFailed:
      'Es wurde nichts geschrieben. Schalten Sie NFC ein und erlauben Sie es für diese Seite, oder verwenden Sie den Code oben.',
    cardFields: 'Kartendaten',
    confirmInWallet: 'In der Wallet bestätigen…',
    paying: 'Zahlung läuft…',
    checking: 'Wird geprüft…',
    notMade: 'Die Zahlung wurde nicht ausgeführt. Bitte versuchen Sie es noch einmal.',
    tooManyRequests:
      'Das waren zu viele Anfragen. Es wurde nichts abgebucht. Bitte warten Sie einen Moment und versuchen Sie es noch einmal.',
    findingOut:
      'Die Verbindung ist abgebrochen. Wir stellen fest, ob Ihre Zahlung angekommen ist. Bezahlen Sie noch nicht wieder, und lassen Sie diese Seite offen.',
    providerUnreachable:
      'Der Zahlungsdienstleister war nicht erreichbar. Es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.',
    notArrived: 'Ihre Zahlung ist nicht angekommen, und es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.',
  },
};
