import type { ApiRequestOutcome } from '@florin/shared/contracts/api-v1/api-requests.ts';
import { texts } from '../../words/texts.ts';

type Outcomes = Readonly<Record<ApiRequestOutcome, string>>;
type Meanings = Readonly<Record<number, string>>;
type Reasons = Readonly<Record<string, string>>;

const outcomes: Outcomes = { ok: 'OK', refused: 'Refused', failed: 'Failed' };
const meanings: Meanings = {
  401: 'The API key was revoked or has expired. Create a new key and replace it in your software.',
  400: 'The request is not valid. The message names the field and what it must be.',
  403: 'The API key lacks a permission. A key’s permissions never change: create a new key with the permissions it needs.',
  404: 'The business has no such record. Check the ID, and that the key belongs to the right business.',
  409: 'The record is in a state that does not allow this. Read it again and decide anew.',
  413: 'The request body is too large.',
  415: 'The body must be JSON, with Content-Type: application/json.',
  429: 'Too many requests. Wait for as long as the header Retry-After says, then send the request again.',
};
const reasons: Reasons = {
  idempotency_key_reused:
    'The same Idempotency-Key was sent before with another request. Repeat a request with exactly the same body, and use a new key for a new one.',
  beyond_own_permissions: 'The API key may not give or take away permissions that it does not have itself.',
};

const en = {
  title: 'Requests',
  about:
    'What your software requested with its API keys in the last seven days, and how it was answered. Requests without a key, with an unknown one or to addresses that do not exist are not listed.',
  caption: 'Requests, newest first',
  refresh: 'Refresh',
  time: 'Time',
  call: 'Request',
  status: 'Status',
  error: 'Error',
  key: 'API key',
  duration: 'Took',
  ms: (ms: string) => `${ms} ms`,
  method: 'Method',
  path: 'Path begins with',
  requestId: 'Request ID',
  outcomes,
  empty: 'No requests yet',
  emptyWhy:
    'Your software’s requests appear here about a second after they are answered. If yours is missing, it had no API key of this business, or its address does not exist. Try one:',
  nothing: 'No request matches these filters',
  operation: 'Operation',
  code: 'Error code',
  idempotencyKey: 'Idempotency-Key',
  replayed: 'Replayed',
  replayedWhy:
    'An earlier request with this Idempotency-Key had been answered. The same answer was given again; nothing was done twice.',
  meanings,
  refused: 'The request was refused, and nothing was done.',
  failed:
    'Something went wrong on our side. Send the request again with the same Idempotency-Key. If it keeps failing, contact support with the request ID.',
  reasons,
  malformedId:
    'The ID in the path is not of the right form, so there is no such record. Check how the path is put together.',
  kept: 'Bodies, queries and headers are not kept, nor what may be a card number or a key in the path.',
};

const de: typeof en = {
  title: 'Aufrufe',
  about:
    'Was Ihre Software in den letzten sieben Tagen mit ihren API-Schlüsseln aufgerufen hat, und was ihr geantwortet wurde. Aufrufe ohne Schlüssel, mit einem unbekannten oder an Adressen, die es nicht gibt, stehen nicht hier.',
  caption: 'Aufrufe, der neueste zuerst',
  refresh: 'Aktualisieren',
  time: 'Zeit',
  call: 'Aufruf',
  status: 'Status',
  error: 'Fehler',
  key: 'API-Schlüssel',
  duration: 'Dauer',
  ms: ms => `${ms} ms`,
  method: 'Methode',
  path: 'Pfad beginnt mit',
  requestId: 'Request-ID',
  outcomes: { ok: 'OK', refused: 'Abgelehnt', failed: 'Fehlgeschlagen' },
  empty: 'Noch keine Aufrufe',
  emptyWhy:
    'Aufrufe Ihrer Software erscheinen hier etwa eine Sekunde nach der Antwort. Fehlt einer, so hatte er keinen API-Schlüssel dieses Geschäfts, oder seine Adresse gibt es nicht. Probieren Sie einen aus:',
  nothing: 'Kein Aufruf passt zu diesen Filtern',
  operation: 'Operation',
  code: 'Fehlercode',
  idempotencyKey: 'Idempotency-Key',
  replayed: 'Wiederholt',
  replayedWhy:
    'Ein früherer Aufruf mit diesem Idempotency-Key war schon beantwortet. Dieselbe Antwort wurde noch einmal gegeben; nichts geschah doppelt.',
  meanings: {
    401: 'Der API-Schlüssel wurde widerrufen oder ist abgelaufen. Erstellen Sie einen neuen, und ersetzen Sie ihn in Ihrer Software.',
    400: 'Der Aufruf ist ungültig. Die Meldung nennt das Feld und was es sein muss.',
    403: 'Dem API-Schlüssel fehlt eine Berechtigung. Die Berechtigungen eines Schlüssels ändern sich nie: Erstellen Sie einen neuen mit denen, die er braucht.',
    404: 'Das Geschäft hat keinen solchen Eintrag. Prüfen Sie die ID, und ob der Schlüssel zum richtigen Geschäft gehört.',
    409: 'Der Stand des Eintrags lässt das nicht zu. Lesen Sie ihn noch einmal, und entscheiden Sie neu.',
    413: 'Der Inhalt des Aufrufs ist zu groß.',
    415: 'Der Inhalt muss JSON sein, mit Content-Type: application/json.',
    429: 'Zu viele Aufrufe. Warten Sie so lange, wie der Header Retry-After sagt, und senden Sie den Aufruf dann erneut.',
  },
  refused: 'Der Aufruf wurde abgelehnt, und nichts ist geschehen.',
  failed:
    'Bei uns ist etwas schiefgegangen. Senden Sie den Aufruf mit demselben Idempotency-Key noch einmal. Schlägt er weiter fehl, nennen Sie dem Support die Request-ID.',
  reasons: {
    idempotency_key_reused:
      'Derselbe Idempotency-Key wurde schon mit einem anderen Aufruf gesendet. Wiederholen Sie einen Aufruf mit genau demselben Inhalt, und nehmen Sie für einen neuen einen neuen Key.',
    beyond_own_permissions: 'Der API-Schlüssel kann keine Berechtigungen geben oder nehmen, die er selbst nicht hat.',
  },
  malformedId:
    'Die ID im Pfad hat nicht die richtige Form, deshalb gibt es keinen solchen Eintrag. Prüfen Sie, wie der Pfad zusammengesetzt wird.',
  kept: 'Inhalte, Abfrageparameter und Header werden nicht aufbewahrt, und auch nichts im Pfad, was eine Kartennummer oder ein Schlüssel sein kann.',
};

export const requestsTexts = texts({ en, de });
