import type { LetterTable } from '../../../foundation/mail.ts';
import type { FailingEndpoint, NotificationWords, RequestedReturn } from './notification-words.ts';

const counted = (one: string, several: string) => (count: number) => `${count} ${count === 1 ? one : several}`;

const endpointFacts = ({ id, address, eventType }: FailingEndpoint): LetterTable => ({
  rows: [
    ['Endpunkt', id],
    ['URL', address],
    ['Ereignis', eventType],
  ],
});
const openEndpoint = ({ url }: FailingEndpoint) => ({ label: 'Endpunkt öffnen', url });

const returnFacts = ({ claimId, purpose, purposeId, sats, destination }: RequestedReturn): LetterTable => ({
  rows: [
    ['Rückgabe', claimId],
    ['Für', `${purpose} ${purposeId}`],
    ['Betrag', sats],
    ['Ziel', destination],
  ],
});
const openReturn = ({ url }: RequestedReturn) => ({ label: 'Rückgabe öffnen', url });

export const german: NotificationWords = {
  reason: business =>
    `Sie erhalten dies, weil ${business} E-Mails dieser Art an diese Adresse sendet. Wer die Benachrichtigungen dort verwaltet, kann das ändern.`,
  webhookFailing: endpoint => ({
    subject: `Webhooks an ${endpoint.host} schlagen fehl`,
    paragraphs: [
      `${endpoint.failedInARow} Zustellungen an Ihren Webhook-Endpunkt schlugen nacheinander fehl:`,
      endpointFacts(endpoint),
      'Nach zehn nacheinander wird er abgeschaltet. Die Zustellungen des Endpunkts zeigen, was er geantwortet hat.',
    ],
    action: openEndpoint(endpoint),
  }),
  webhookDisabled: endpoint => ({
    subject: `Webhooks an ${endpoint.host} wurden abgeschaltet`,
    paragraphs: [
      `${endpoint.failedInARow} Zustellungen an Ihren Webhook-Endpunkt schlugen nacheinander fehl, deshalb wurde er abgeschaltet:`,
      endpointFacts(endpoint),
      'Ereignisse werden inzwischen aufbewahrt. Sobald der Endpunkt wieder arbeitet, senden Sie ihm ein Testereignis, schalten Sie ihn ein, und lassen Sie die versäumten Zustellungen erneut senden.',
    ],
    action: openEndpoint(endpoint),
  }),
  readerTotalsDiffer: ({ told, reported, recorded, url }) => ({
    subject: told.title,
    paragraphs: [
      told.message,
      {
        rows: [
          ['Vom Leser gemeldet', reported],
          ['Hier erfasst', recorded],
        ],
      },
      'Es bleibt in der Liste der Probleme, bis es jemand bestätigt.',
    ],
    action: { label: 'Problem öffnen', url },
  }),
  discrepancyFound: ({ meaning, invoiceNumber, amount, refund, url }) => ({
    subject: `Die Zahlung ${invoiceNumber} über ${amount} braucht Ihre Aufmerksamkeit`,
    paragraphs: [
      meaning,
      {
        rows: [
          ['Zahlung', invoiceNumber],
          ['Betrag', amount],
          ...(refund === null ? [] : [['Erstattung', refund] as const]),
        ],
      },
      'Es bleibt in der Liste der Probleme, bis jemand darüber entscheidet.',
    ],
    action: { label: 'Problem öffnen', url },
  }),
  returnRequested: asked => ({
    subject: `Ein Kunde verlangt die Rückgabe von ${asked.sats}`,
    paragraphs: [
      'Ein Kunde hat zu spät, zu wenig oder zu viel in Bitcoin bezahlt und ein Ziel für die Rückgabe angegeben:',
      returnFacts(asked),
      'Geben Sie den Betrag dorthin zurück, und erfassen Sie die Rückgabe dann beim Anspruch.',
    ],
    action: openReturn(asked),
  }),
  returnDisputed: asked => ({
    subject: `Für ${asked.sats} wurden verschiedene Ziele angegeben`,
    paragraphs: [
      'Für eine Rückgabe an einen Kunden wurde mehr als ein Ziel angegeben:',
      returnFacts(asked),
      'Fragen Sie den Kunden, bevor Sie etwas zurückgeben, und nennen Sie das bezahlte Ziel, wenn Sie die Rückgabe beim Anspruch erfassen.',
    ],
    action: openReturn(asked),
  }),
  purposes: {
    checkout: 'Checkout',
    paymentLink: 'Zahlungslink',
    terminalSale: 'Verkauf am Terminal',
    tip: 'Trinkgeld',
    ucp: 'Bestellung einer UCP-Plattform',
  },
  staffLocked: ({ told, terminal, until, url }) => ({
    subject: told.title,
    paragraphs: [
      told.message,
      {
        rows: [
          ['Terminal', terminal],
          ['Gesperrt bis', until],
        ],
      },
    ],
    action: { label: 'Personal öffnen', url },
  }),
  terminalSilent: ({ told, since, url }) => ({
    subject: told.title,
    paragraphs: [told.message, { rows: [['Letzte Meldung', since]] }],
    action: { label: 'Terminals öffnen', url },
  }),
  report: {
    subject: (business, date) => `${business}: Bericht für ${date}`,
    about:
      'Was an diesem Tag eingenommen und zurückgegeben wurde. Erstattungen und Stornos früherer Zahlungen zählen zu dem Tag, an dem sie erfolgten.',
    total: 'Gesamt',
    rails: {
      card: 'Karten',
      wallet: 'Apple Pay und Google Pay',
      lightning: 'Lightning',
      onchain: 'On-Chain-Bitcoin',
    },
    payments: counted('Zahlung', 'Zahlungen'),
    tips: count => `davon Trinkgelder (${count})`,
    voids: counted('Storno', 'Stornos'),
    rejected: count => `${count} von der Bank abgelehnt`,
    refunds: counted('Erstattung', 'Erstattungen'),
    net: 'Netto',
    noProblems: 'Es gibt keine offenen Probleme.',
    problems: 'Offene Probleme',
    moreProblems: count => `Und ${count} weitere.`,
    severities: { act: 'Zu tun', watch: 'Zu beobachten' },
    open: 'Übersicht öffnen',
  },
};
