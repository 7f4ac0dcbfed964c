import { german as disagreements } from '../../../money/discrepancies/words/de.ts';
import type { FailingEndpoint, ProblemWords } from './problem-words.ts';

const asking =
  'Der Dienst fragt nach, bis er es weiß, meist innerhalb von Minuten. Nehmen Sie das Geld bis dahin nicht noch einmal ein, und geben Sie es nicht noch einmal zurück.';
const deciding =
  'Das Gateway hat lange nicht geantwortet. Sehen Sie in den Aufzeichnungen des Gateways nach, und entscheiden Sie nach diesem Beleg. Nehmen Sie das Geld vorher nicht noch einmal ein, und geben Sie es nicht noch einmal zurück.';

function latest({ failureOutcome, failureStatus }: Pick<FailingEndpoint, 'failureOutcome' | 'failureStatus'>): string {
  if (failureStatus !== null) return `: HTTP ${failureStatus}`;
  if (failureOutcome === 'timeout') return ': Er antwortet nicht rechtzeitig';
  if (failureOutcome === 'connection_failed') return ': Es gibt keine Verbindung';
  return failureOutcome === 'address_refused' ? ': Die Adresse ist nicht öffentlich' : '';
}

export const german: ProblemWords = {
  payment_outcome_unknown: (amount, isForPerson) => ({
    title: `Zahlung von ${amount} ohne Ergebnis`,
    message: `Es ist nicht bekannt, ob die Bank diese Zahlung eingezogen hat. ${isForPerson ? deciding : asking}`,
  }),
  refund_outcome_unknown: (amount, isForPerson) => ({
    title: `Erstattung von ${amount} ohne Ergebnis`,
    message: `Es ist nicht bekannt, ob der Kunde dieses Geld zurückerhält. Der Betrag bleibt zurückgehalten. ${isForPerson ? deciding : asking}`,
  }),
  withdrawal_outcome_unknown: (amount, isForPerson) => ({
    title: `Auszahlung von ${amount} ohne Ergebnis`,
    message: isForPerson
      ? 'Der Knoten sagt nicht, ob diese Auszahlung gesendet wurde. Sehen Sie beim Knoten nach, und entscheiden Sie nach diesem Beleg. Senden Sie sie vorher nicht noch einmal.'
      : 'Der Knoten hat noch nicht gesagt, ob diese Auszahlung gesendet wurde. Der Dienst fragt nach, bis er es weiß. Senden Sie sie bis dahin nicht noch einmal.',
  }),
  discrepancy_open: (name, kind) => ({
    title: kind === 'reader_totals_differ' ? `Der Tag des Kartenlesers ${name} weicht ab` : `Abweichung bei ${name}`,
    message: disagreements[kind],
  }),
  webhook_disabled: url => ({
    title: 'Webhook-Endpunkt abgeschaltet',
    message: `Zu viele Zustellungen an ${url} schlugen nacheinander fehl, deshalb wird nichts mehr dorthin gesendet. Reparieren Sie den Empfänger, schalten Sie den Endpunkt ein, und senden Sie erneut, was fehlschlug.`,
  }),
  webhook_failing: ({ url, failedInARow, ...failure }, disableAfter) => ({
    title: 'Webhook-Endpunkt schlägt fehl',
    message: `Versuche an ${url} schlagen fehl${latest(failure)}.${failedInARow === 0 ? '' : ` ${failedInARow === 1 ? 'Eine Zustellung ist' : `${failedInARow} Zustellungen in Folge sind`} nach allen Versuchen fehlgeschlagen.`} Nach ${disableAfter} fehlgeschlagenen Zustellungen in Folge wird nichts mehr dorthin gesendet. Sehen Sie die Antworten in den Zustellungen an, und reparieren Sie den Empfänger.`,
  }),
  terminal_silent: name => ({
    title: `${name} meldet sich nicht`,
    message:
      'Dieses Terminal war heute in Gebrauch und meldet sich nicht mehr. Prüfen Sie, ob es eingeschaltet ist und Netz hat. Wenn es für heute weggeräumt ist, gibt es nichts zu tun.',
  }),
  terminal_not_ready: (name, whyNot, attention) => ({
    title: `${name} kann keine Karten annehmen`,
    message:
      whyNot === 'reader_needs_attention'
        ? `Sein Kartenleser braucht Aufmerksamkeit${attention ? `: ${attention}` : ''}.`
        : 'Es hat keinen Kartenleser, der antwortet. Prüfen Sie das Kabel und die Stromversorgung des Lesers.',
  }),
  staff_locked: (name, staffNumber) => ({
    title: `${name} ist gesperrt`,
    message: `Für die Personal-ID ${staffNumber} wurden zu viele falsche Passwörter eingegeben. Fragen Sie ${name}, ob das eigene Versuche waren. Entsperren Sie, oder lassen Sie die Sperre von selbst enden; wenn es jemand anderes war, sehen Sie zuerst die fehlgeschlagenen Prüfungen im Erstattungs- und im Stornoprotokoll an.`,
  }),
  api_key_expiring: (name, isUsed) => ({
    title: `API-Schlüssel „${name}“ läuft bald ab`,
    message: isUsed
      ? 'Er ist in Gebrauch, und die Software, die ihn verwendet, wird danach abgewiesen. Erstellen Sie einen neuen, und ersetzen Sie ihn dort.'
      : 'Er wurde nie verwendet. Es ist nichts zu tun, außer wenn ihn noch Software verwenden soll.',
  }),
  email_not_sent: (recipient, count, isGivenUp) => ({
    title: `E-Mail an ${recipient} nicht zugestellt`,
    message: `${count === 1 ? 'Eine Benachrichtigung konnte' : `${count} Benachrichtigungen konnten`} ${isGivenUp ? 'nicht gesendet werden, und es wird nicht mehr versucht' : 'bisher nicht gesendet werden'}. Prüfen Sie die Adresse, oder fragen Sie, wer diesen Dienst betreibt, nach dem Mailserver.`,
  }),
};
