import type { ReceiptWords } from './receipt-words.ts';

export const german: ReceiptWords = {
  titles: { sale: 'Beleg', void: 'Beleg einer Stornierung', refund: 'Beleg einer Erstattung' },
  facts: {
    paidOn: 'Bezahlt am',
    voidedOn: 'Storniert am',
    refundedOn: 'Erstattet am',
    amount: 'Betrag',
    tip: 'Darin Trinkgeld',
    for: 'Für',
    reference: 'Referenz',
    paidWith: 'Bezahlt mit',
    returnedTo: 'Erstattet auf',
    read: 'Karte gelesen über',
    application: 'Anwendung (AID)',
    authorisation: 'Genehmigungs-Nr.',
    transaction: 'Transaktion',
    invoice: 'Verkaufs-Nr.',
    payment: 'Zahlungs-ID',
    receipt: 'Beleg-ID',
    left: 'Verbleibt',
  },
  methods: {
    card: 'Karte',
    apple_pay: 'Apple Pay',
    google_pay: 'Google Pay',
    lightning: 'Bitcoin über Lightning',
    onchain: 'Bitcoin-Netzwerk',
  },
  card: 'Karte',
  entryModes: { chip: 'Chip', contactless: 'Kontaktlos', swipe: 'Magnetstreifen' },
  returns: { void: 'Storniert', refund: 'Erstattet', rejected: 'Von der Bank nicht ausgezahlt' },
  returnsTitle: 'Seitdem',
  ofSale: (amount, day) => `Zum Kauf über ${amount} vom ${day}`,
  voidMeans: 'Die Karte wird nicht belastet. Die Bank gibt den vorgemerkten Betrag frei; das kann einige Tage dauern.',
  nothingLeft: 'Nichts',
  page: {
    print: 'Drucken oder speichern',
    email: 'Diesen Beleg per E-Mail senden',
    emailLabel: 'E-Mail-Adresse',
    emailHint: 'Die Adresse wird nur für diesen Beleg verwendet.',
    send: 'Senden',
    sent: 'Der Beleg ist unterwegs.',
    refused: {
      address_invalid: 'Das ist keine E-Mail-Adresse. Bitte prüfen Sie sie.',
      too_many_addresses: 'Dieser Beleg wurde schon an drei Adressen gesendet; mehr sind nicht möglich.',
      too_many_emails:
        'Dieser Beleg wurde heute schon fünfmal gesendet; mehr ist nicht möglich. Versuchen Sie es morgen wieder.',
    },
    proof: 'Signierter Beleg',
    proofWhy:
      'Eine Datei mit der digitalen Signatur des Unternehmens. Jeder kann prüfen, dass nichts daran geändert wurde, ohne das Unternehmen zu fragen.',
    download: 'Signierten Beleg herunterladen',
    verify: 'Signierten Beleg prüfen',
    none: 'Unter dieser Adresse gibt es keinen Beleg',
    noneWhy:
      'Vielleicht ist die Adresse nicht vollständig. Ein Beleg erscheint kurz nach der Zahlung: Wenn Sie gerade bezahlt haben, laden Sie diese Seite noch einmal.',
  },
  paper: { scan: 'Scannen und Beleg mitnehmen', copy: 'Kopie' },
  letter: {
    subject: merchant => `Ihr Beleg von ${merchant}`,
    open: 'Beleg öffnen',
    later: 'Die Seite zeigt auch spätere Erstattungen.',
    reason: merchant =>
      `Diese Adresse wurde eingegeben, um einen Beleg von ${merchant} dorthin zu senden. Sie wird mit diesem Beleg gespeichert und für nichts anderes verwendet.`,
  },
};
