import type { SameWords } from '@florin/shared/languages.ts';
import type { enDayReport } from './en-day-report.ts';

const counted = (one: string, several: string) => (count: number) => `${count} ${count === 1 ? one : several}`;

/** The words of the totals of a day in German. */
export const deDayReport: SameWords<typeof enDayReport> = {
  title: 'Tagessummen',
  day: 'Tag',
  of: 'Für',
  business: 'Ganzes Geschäft',
  asOf: 'Stand',
  offlineSince: 'Offline seit',
  rails: {
    card: 'Karte',
    wallet: 'Apple Pay und Google Pay',
    lightning: 'Bitcoin, Lightning',
    onchain: 'Bitcoin-Netzwerk',
  },
  inBitcoin: rail => `${rail}, Preis in Bitcoin`,
  sales: counted('Verkauf', 'Verkäufe'),
  voids: counted('Storno', 'Stornos'),
  rejected: counted('Verkauf, von der Bank abgewiesen', 'Verkäufe, von der Bank abgewiesen'),
  refunds: counted('Erstattung', 'Erstattungen'),
  tips: count => `Darin Trinkgelder (${count})`,
  receivedSats: 'In Bitcoin erhalten',
  returnedSats: 'In Bitcoin zurückgegeben',
  net: 'Netto',
  together: 'Zusammen',
  nothing: 'Keine Verkäufe, Stornos oder Erstattungen',
  open: {
    title: 'Noch offen',
    unknown_sale: counted('Verkauf, Ergebnis nicht bekannt', 'Verkäufe, Ergebnis nicht bekannt'),
    unknown_refund: counted('Erstattung, Ergebnis nicht bekannt', 'Erstattungen, Ergebnis nicht bekannt'),
    discrepancy: counted('Abweichung, von der Leitung zu klären', 'Abweichungen, von der Leitung zu klären'),
  },
  unsent: {
    title: 'An diesem Terminal, noch nicht gesendet',
    recorded: counted('Verkauf, vom Leser belastet', 'Verkäufe, vom Leser belastet'),
    completed: counted('abgeschlossener Verkauf', 'abgeschlossene Verkäufe'),
    reversed: counted('Verkauf, der zurückgegeben wird', 'Verkäufe, die zurückgegeben werden'),
    entries: counted('Prüfung eines Passworts', 'Prüfungen von Passwörtern'),
  },
  offline: (asOf, since) => ({
    message: since === null ? `Stand ${asOf}. Jetzt offline.` : `Stand ${asOf}. Offline seit ${since}.`,
    detail: 'Was seither hier oder anderswo eingenommen oder zurückgegeben wurde, fehlt in diesen Zahlen.',
  }),
  notReached: asOf => ({
    message: `Stand ${asOf}.`,
    detail: 'Neuere Zahlen ließen sich nicht laden. Dieses Terminal versucht es weiter.',
  }),
  neverReceived: {
    message: 'Server nicht erreichbar!',
    detail: 'Dieses Terminal hat keine Zahlen von diesem Tag. Sie erscheinen, sobald die Verbindung zurück ist.',
  },
};
