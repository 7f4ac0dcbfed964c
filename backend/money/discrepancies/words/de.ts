import { type RejectedCallbackKind, rejectedCallbackKinds } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import type { Meanings } from './meanings.ts';

const rejectedCallback =
  'Ein Rückruf zu diesem Vorgang bestand die Prüfung nicht und änderte nichts; er kann gefälscht oder wiederholt sein. Vergleichen Sie mit den Aufzeichnungen des Gateways, und bestätigen Sie dies dann.';

/** The same in German. */
export const german: Meanings = {
  payment_approved_late:
    'Die Bank hat eine Zahlung genehmigt, die als nicht eingenommen erfasst ist: Der Kunde wurde belastet. Geben Sie das Geld beim Gateway zurück, oder liefern Sie, was bezahlt wurde.',
  payment_declined_late:
    'Das Gateway meldet eine als eingenommen erfasste Zahlung jetzt als abgelehnt. Prüfen Sie den Kontoauszug.',
  payment_amount_differs:
    'Das Gateway hat einen anderen Betrag genehmigt als angefragt. Sehen Sie die Zahlung beim Gateway nach, und entscheiden Sie sie nach diesem Beleg.',
  payment_approved_twice:
    'Das Gateway hat diese Zahlung ein zweites Mal genehmigt, unter einer anderen Referenz: Der Kunde kann doppelt belastet sein. Stornieren oder erstatten Sie eine davon beim Gateway.',
  payment_unconfirmed:
    'Das Gateway hat diese Zahlung genehmigt und kennt sie jetzt nicht mehr. Fragen Sie das Gateway, ob das Geld eintrifft.',
  payment_voided_elsewhere: 'Die Zahlung wurde beim Gateway selbst storniert, nicht über diesen Dienst.',
  settlement_rejected: 'Die Bank hat die Abrechnung dieser Zahlung abgelehnt: Ihr Geld trifft nicht ein.',
  settlement_rejected_late:
    'Das Gateway meldet jetzt, dass die Bank eine als abgerechnet erfasste Zahlung abgelehnt hat: Ihr Geld wurde zurückgenommen. Es wird nichts weiter erstattet, bis Sie entscheiden, welche Seite recht hat; prüfen Sie den Kontoauszug, auch auf frühere Erstattungen.',
  refund_approved_late:
    'Das Gateway hat eine Erstattung genehmigt, die als fehlgeschlagen erfasst ist: Das Geld kann zurückgegeben sein. Ihr Betrag bleibt zurückgehalten, bis Sie entscheiden, welche Seite recht hat.',
  refund_declined_late:
    'Das Gateway meldet eine als genehmigt erfasste Erstattung jetzt als abgelehnt. Wenn der Kunde das Geld nicht erhalten hat, erstatten Sie es mit der Art REFUND.',
  refund_amount_differs:
    'Das Gateway hat einen anderen Betrag genehmigt als angefragt. Sehen Sie die Erstattung beim Gateway nach, und entscheiden Sie sie nach diesem Beleg.',
  refund_approved_twice:
    'Das Gateway hat diese Erstattung ein zweites Mal genehmigt, unter einer anderen Referenz: Das Geld kann doppelt zurückgegeben sein. Der gleiche Betrag bleibt zurückgehalten, bis Sie entscheiden, welche Seite recht hat.',
  refund_unconfirmed:
    'Das Gateway hat diese Erstattung genehmigt und kennt sie jetzt nicht mehr. Fragen Sie das Gateway, ob der Kunde das Geld erhalten hat.',
  refund_not_recorded:
    'Das Gateway hat eine Erstattung dieser Zahlung ausgeführt, die in den Aufzeichnungen fehlt, etwa nach dem Einspielen einer Sicherung. Ihr Betrag bleibt gehalten, bis Sie entscheiden, welche Seite recht hat: beim Gateway gilt er als erstattet.',
  reversal_declined:
    'Das Gateway lehnt es ab, das Geld eines rückgängig gemachten Verkaufs zurückzugeben. Geben Sie es auf anderem Weg zurück.',
  reversal_overdue:
    'Das Geld eines rückgängig gemachten Verkaufs ist trotz wiederholter Versuche noch nicht zurückgegeben.',
  sale_not_completed:
    'Das Terminal hat nie gemeldet, wie ein genehmigter Verkauf ausging. Fragen Sie im Geschäft, ob der Verkauf bestehen bleibt oder rückgängig gemacht wird.',
  sale_reversed_too_late:
    'Das Terminal hat diesen Verkauf abgebrochen, nachdem der Dienst ihn als abgeschlossen erfasst hatte: Der Kunde wurde belastet, und ihm wurde vielleicht etwas anderes gesagt. Fragen Sie im Geschäft; stornieren oder erstatten Sie den Verkauf, wenn der Kunde anders bezahlt hat, und bestätigen Sie dies dann.',
  bitcoin_payment_in_excess:
    'Eine Bitcoin-Zahlung kam zu spät an, oder sie war zu klein oder zu groß. Geben Sie sie dem Kunden zurück, und erfassen Sie die Rückgabe bei ihrem Anspruch; das klärt dies.',
  sale_paid_after_end:
    'Ein Kartenleser hat einen über die API begonnenen Verkauf belastet, nachdem er als ohne Zahlung beendet gemeldet war. Liefern Sie die Bestellung, oder erstatten Sie sie, und bestätigen Sie dies dann.',
  sale_outcome_unknown:
    'Ein Kartenleser, der selbst genehmigt, hat diesen Verkauf ausgeführt, und weder er noch sein Terminal meldete das Ergebnis: Die Karte kann belastet sein. Sehen Sie die Zahlung beim Zahlungsabwickler des Lesers nach, und entscheiden Sie sie nach diesem Beleg.',
  reader_totals_differ:
    'Ein Kartenleser hat seinen Tag mit einer anderen Summe abgeschlossen, als von seinen Verkäufen, Stornierungen und Erstattungen erfasst ist. Vergleichen Sie den Beleg des Lesers vom Kassenschnitt oder die Aufzeichnungen seines Zahlungsabwicklers mit den Verkäufen dieses Tages, und bestätigen Sie dies dann. Ein Verkauf, der später eintrifft, wird neu verglichen und kann dies klären.',
  sale_currency_differs:
    'Ein Kartenleser hat einen Verkauf in einer anderen Währung belastet als der des Geschäfts. Er ist als belastet erfasst. Prüfen Sie die Einstellungen des Lesers, und bestätigen Sie dies dann.',
  bitcoin_payment_reverted:
    'Eine bestätigte On-Chain-Zahlung ist nicht mehr in der Blockchain: Ihre Satoshis treffen vielleicht nie ein. Sehen Sie ihre Transaktion nach; wenn sie fehlt, bitten Sie den Kunden, noch einmal zu zahlen.',
  reply_not_believed:
    'Eine Antwort zu diesem Vorgang bestand die Prüfung nicht: Sie war gefälscht, wiederholt oder zu einem anderen Vorgang. Der Dienst fragt das Ergebnis beim Gateway ab und erfasst es. Finden Sie heraus, woher die Antwort kam, und bestätigen Sie dies dann.',
  ...(Object.fromEntries(rejectedCallbackKinds.map(kind => [kind, rejectedCallback])) as Record<
    RejectedCallbackKind,
    string
  >),
};
