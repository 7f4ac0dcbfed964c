import type { CoreWords } from './en.ts';
import type { enSales } from './en-sales.ts';

const nothingCharged = 'Es wurde nichts abgebucht.';
const notAskedNotCharged = 'Die Bank wurde nicht gefragt und nichts abgebucht.';
const cancelledUnanswered = 'Der Verkauf wurde abgebrochen, bevor die Bank antwortete.';
const untilThen = 'Bis dahin ist die Karte vielleicht belastet: warten, bevor Sie noch einmal kassieren.';
const chargedTwice =
  'Wenn Sie noch einmal kassieren, ist der Kunde doppelt belastet, bis die Erstattung angekommen ist.';
const notAgain = 'Nicht noch einmal kassieren.';
const part = 'der von der Bank genehmigte Teil';
const thePart = 'Der von der Bank genehmigte Teil';

/** The sentences of sales in German. */
export const deSales: Pick<CoreWords, keyof typeof enSales> = {
  results: {
    approved: { message: 'Genehmigt', detail: null },
    approvedDespiteCancel: {
      message: 'Genehmigt',
      detail:
        'Die Karte wurde belastet, bevor der Verkauf abgebrochen werden konnte. Zum Zurückgeben den Verkauf unter „Letzte Verkäufe“ stornieren oder erstatten.',
    },
    approvedWithoutReader: {
      message: 'Genehmigt',
      detail: amount =>
        `Die Karte wurde belastet: Ware übergeben. Das Lesegerät hat es nicht bestätigt: ${amount} nicht noch einmal kassieren. Widerspricht der Kunde, stornieren.`,
    },
    declined: { message: 'Abgelehnt', detail: `Die Bank hat die Karte abgelehnt. ${nothingCharged}` },
    bankFailed: {
      message: 'Zahlung fehlgeschlagen',
      detail: `Die Bank konnte die Zahlung nicht bearbeiten. ${nothingCharged}`,
    },
    cardRefused: { message: 'Abgelehnt', detail: `Die Karte wurde nicht akzeptiert. ${nothingCharged}` },
    cardRemoved: { message: 'Abgebrochen', detail: `Karte zu früh entnommen. ${nothingCharged}` },
    cancelledByCustomer: {
      message: 'Abgebrochen',
      detail: `Der Kunde hat abgebrochen oder die Karte entnommen. ${nothingCharged}`,
    },
    cancelledByStaff: { message: 'Abgebrochen', detail: `Sie haben den Verkauf abgebrochen. ${nothingCharged}` },
    cancelledUnanswered: { message: 'Nicht bezahlt', detail: `${cancelledUnanswered} ${nothingCharged}` },
    noCard: { message: 'Zeit abgelaufen', detail: `Keine Karte oder keine PIN in der Zeit. ${nothingCharged}` },
    noReader: { message: 'Kein Lesegerät', detail: `Das Lesegerät hat nicht geantwortet. ${nothingCharged}` },
    readerOpened: { message: 'Lesegerät geöffnet: nicht benutzen', detail: `${nothingCharged} Support anrufen.` },
    readerEmpty: { message: 'Akku des Lesegeräts ist leer', detail: nothingCharged },
    readerDisconnected: { message: 'Lesegerät getrennt', detail: nothingCharged },
    readerBusy: { message: 'Das Lesegerät ist beschäftigt', detail: nothingCharged },
    readerNotAvailable: { message: 'Das Lesegerät ist nicht verfügbar', detail: nothingCharged },
    notReached: { message: 'Server nicht erreichbar!', detail: notAskedNotCharged },
    refused: { message: 'Zahlung verweigert', detail: notAskedNotCharged },
    restarted: { message: 'Unterbrochen', detail: `Das Terminal wurde neu gestartet. ${nothingCharged}` },
    voided: {
      message: 'Nicht belastet',
      detail: amount => `${amount} wurden storniert. Der Kunde zahlt nicht.`,
    },
    readerForgot: {
      message: 'Nicht noch einmal kassieren',
      detail: code =>
        `Das Lesegerät wurde neu gestartet und kennt diese Zahlung nicht mehr. Die Karte ist vielleicht belastet. Support anrufen und den Code ${code} nennen.`,
    },
    disagree: {
      message: 'Ware noch nicht übergeben',
      detail: code =>
        `Das Lesegerät meldet „genehmigt“, aber der Dienst kennt diesen Verkauf nicht. ${notAgain} Support anrufen und den Code ${code} nennen.`,
    },
    timedOut: { message: 'Zeit abgelaufen', detail: `Die Zeit für diesen Verkauf war um. ${nothingCharged}` },
    cancelledBySoftware: {
      message: 'Abgebrochen',
      detail: requestedBy => `${requestedBy} hat den Verkauf abgebrochen. ${nothingCharged}`,
    },
  },
  again: {
    here: {
      now: 'Noch einmal versuchen.',
      other_card: 'Um eine andere Karte bitten, dann noch einmal versuchen.',
      cable: 'Kabel prüfen, dann noch einmal versuchen.',
      cable_and_power: 'Kabel und Strom prüfen, dann noch einmal versuchen.',
      network: 'Netzwerk prüfen, dann noch einmal versuchen.',
      battery: 'Lesegerät laden, dann noch einmal versuchen.',
      moment: 'Einen Moment warten, dann noch einmal versuchen.',
    },
    from: {
      now: software => `Den Verkauf in ${software} neu starten.`,
      other_card: software => `Um eine andere Karte bitten, dann den Verkauf in ${software} neu starten.`,
      cable: software => `Kabel prüfen, dann den Verkauf in ${software} neu starten.`,
      cable_and_power: software => `Kabel und Strom prüfen, dann den Verkauf in ${software} neu starten.`,
      network: software => `Netzwerk prüfen, dann den Verkauf in ${software} neu starten.`,
      battery: software => `Lesegerät laden, dann den Verkauf in ${software} neu starten.`,
      moment: software => `Einen Moment warten, dann den Verkauf in ${software} neu starten.`,
    },
  },
  reversed: {
    partly: {
      message: 'Abgelehnt',
      detail: amount => `Die Bank wollte mit dieser Karte nicht die ganzen ${amount} zahlen.`,
    },
    unanswered: { message: 'Nicht bezahlt', detail: cancelledUnanswered },
    declined: { message: 'Abgelehnt', detail: 'Die Karte verweigerte die Zahlung, nachdem die Bank genehmigt hatte.' },
    cancelled: { message: 'Abgebrochen', detail: 'Die Zahlung wurde abgebrochen, nachdem die Bank genehmigt hatte.' },
    timed_out: { message: 'Zeit abgelaufen', detail: 'Das Lesegerät gab auf, nachdem die Bank genehmigt hatte.' },
    failed: { message: 'Nicht abgeschlossen', detail: 'Die Zahlung wurde nicht abgeschlossen.' },
  },
  reversals: {
    not_needed: { message: null, detail: () => nothingCharged },
    voided: {
      message: null,
      detail: what =>
        `${what === null ? `${thePart} wurde` : `${what} wurden`} auf die Karte zurückgegeben. Der Kunde zahlt nicht.`,
    },
    refunded: {
      message: 'Abgebucht und erstattet',
      detail: what =>
        `${what === null ? `${thePart} wurde` : `${what} wurden`} abgebucht und ganz erstattet; die Erstattung ist meist in einem bis fünf Werktagen auf der Karte.`,
    },
    not_acknowledged: {
      message: 'Nicht bezahlt',
      detail: what =>
        `Ware behalten. Falls die Bank ${what ?? 'den genehmigten Teil'} abgebucht hat, geht das Geld zurück auf die Karte, sobald der Dienst es bestätigt hat. Das Terminal versucht es weiter. ${untilThen}`,
    },
    awaiting_outcome: {
      message: 'Nicht bezahlt',
      detail: what =>
        `Ware behalten. Noch ist nicht bekannt, ob die Bank ${what ?? 'den genehmigten Teil'} abgebucht hat: Falls ja, geht das Geld von selbst zurück auf die Karte. Der Kunde kann jetzt mit einer anderen Karte oder bar zahlen. Seine Bank zeigt die erste Zahlung vielleicht noch einige Tage als vorgemerkt.`,
    },
    void_pending: {
      message: 'Geld wird zurückgegeben',
      detail: what =>
        `Noch ist nicht sicher, dass ${what ?? part} auf die Karte ${what === null ? 'zurückgeht' : 'zurückgehen'}. Der Dienst versucht es weiter. ${untilThen}`,
    },
    awaiting_settlement: {
      message: 'Abgebucht, Erstattung folgt',
      detail: what =>
        `${what === null ? `${thePart} wurde` : `${what} wurden`} abgebucht, und für ein Storno ist es zu spät. Der Dienst erstattet alles, sobald abgerechnet ist, meist innerhalb eines Tages. ${chargedTwice}`,
    },
    refund_pending: {
      message: 'Abgebucht, Erstattung folgt',
      detail: what =>
        `${what === null ? `${thePart} wurde` : `${what} wurden`} abgebucht, und die volle Erstattung ist verlangt; die Bank hat noch nicht geantwortet. Der Dienst fragt weiter nach. ${chargedTwice}`,
    },
    declined: {
      message: 'Die Karte wurde belastet',
      detail: what =>
        `Die Bank hat es abgelehnt, ${what ?? 'den genehmigten Teil'} zurückzugeben. ${notAgain} Ware übergeben, oder die Leitung bitten, das Geld zurückzugeben.`,
    },
    refused: {
      message: 'Die Karte wurde belastet',
      detail: what =>
        `Für den Dienst ist dieser Verkauf abgeschlossen, deshalb ${what === null ? `wurde ${part}` : `wurden ${what}`} nicht zurückgegeben. ${notAgain} Zum Zurückgeben den Verkauf unter „Letzte Verkäufe“ stornieren oder erstatten.`,
    },
  },
  uncharged: {
    byCard: 'Die Karte wurde nicht belastet',
    inBitcoin: 'Es wurde nichts bezahlt',
    why: {
      staff: 'Der Verkauf wurde abgebrochen, bevor die Bank gefragt wurde.',
      customer: 'Der Kunde hat abgebrochen oder die Karte entnommen.',
      no_card: 'Keine Karte oder keine PIN in der Zeit.',
      card_refused: 'Die Karte wurde nicht akzeptiert.',
      reader_not_found: 'Das Lesegerät hat nicht geantwortet.',
      reader_not_available: 'Das Lesegerät war nicht verfügbar.',
      service_not_reached: 'Der Server war nicht erreichbar, daher wurde die Bank nicht gefragt.',
      service_refused: 'Die Zahlung wurde verweigert, bevor die Bank gefragt wurde.',
      interrupted: 'Der Verkauf wurde unterbrochen, bevor die Bank gefragt wurde.',
      bitcoin_cancelled: 'Der Verkauf wurde abgebrochen, bevor ein Code gezeigt wurde.',
      bitcoin_withdrawn: 'Der Verkauf wurde anderswo beendet, bevor ein Code gezeigt wurde.',
      bitcoin_refused: 'Bitcoin war nicht möglich.',
    },
    next: 'Zurück in der Liste nachsehen, ob später dafür gezahlt wurde. Wenn nicht, noch einmal kassieren.',
  },
  notCompleted: 'Nicht abgeschlossen',
  asksSignature: {
    onPaper: 'Der Kunde unterschreibt den Beleg aus dem Drucker.',
    elsewhere: 'Der Kunde muss unterschreiben.',
    compare:
      'Vergleichen Sie die Unterschrift mit der auf der Karte. Stimmt sie nicht überein, stornieren Sie den Verkauf.',
  },
  notCancellable: {
    cancelling: 'Abbruch läuft: Das Lesegerät wird benachrichtigt.',
    authorising: 'Die Zahlung wird gerade genehmigt, der Verkauf kann nicht mehr abgebrochen werden.',
    reversing: 'Die Genehmigung wird zurückgenommen.',
    endingUnanswered: 'Die Bank hat noch nicht geantwortet, das Lesegerät beendet ohne sie.',
    connectionLost: 'Die Verbindung ist abgebrochen, der Verkauf kann nicht mehr abgebrochen werden.',
    answered: 'Die Bank hat geantwortet, der Verkauf kann nicht mehr abgebrochen werden.',
    approved: `Die Bank hat genehmigt. Das Terminal wartet auf das Lesegerät: Kabel prüfen, wenn es nicht antwortet. ${notAgain}`,
    unanswered: 'Die Bank hat noch nicht geantwortet. Einen Moment.',
    maybeCharged: `Die Karte ist vielleicht belastet. Es kann etwa zehn Minuten dauern, länger, solange die Bank nicht erreichbar ist. Der Kunde kann warten oder Kontaktdaten hinterlassen. ${notAgain}`,
    maybeChargedByReader: `Die Karte ist vielleicht belastet. Das Terminal fragt nach, bis es Bescheid weiß. Der Kunde kann warten oder Kontaktdaten hinterlassen. ${notAgain}`,
    checking: 'Das Terminal klärt das Ergebnis dieses Verkaufs.',
  },
  bitcoinResults: {
    paid: { message: 'Bezahlt', detail: 'Die Bitcoin sind angekommen.' },
    paidTooMuch: {
      message: 'Bezahlt',
      detail: excess =>
        `Die Bitcoin sind angekommen, ${excess} mehr als verlangt. Was zu viel ist, wird zurückgegeben: der Leitung Bescheid sagen.`,
    },
    expired: {
      message: 'Zeit abgelaufen',
      detail:
        'Es kam keine Zahlung in der Zeit. Kommt später noch eine, wird sie für den Kunden aufbewahrt: der Leitung Bescheid sagen, wenn er fragt.',
    },
    underpaid: {
      message: 'Nicht vollständig bezahlt',
      detail: (received, asked) =>
        `In der Zeit kamen nur ${received} von ${asked} an. Dafür keine Ware übergeben: Es wird zurückgegeben, der Leitung Bescheid sagen.`,
    },
    cancelled: { message: 'Abgebrochen', detail: 'Der Verkauf wurde abgebrochen. Es wurde nichts bezahlt.' },
    withdrawn: { message: 'Abgebrochen', detail: 'Der Verkauf wurde anderswo beendet. Es wurde nichts bezahlt.' },
    refused: {
      message: 'Bitcoin ist nicht möglich',
      detail: why => `${why ?? 'Der Dienst hat es abgelehnt'}. Es wurde nichts bezahlt.`,
    },
  },
};
