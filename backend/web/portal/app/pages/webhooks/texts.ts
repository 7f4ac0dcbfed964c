import type { AttemptOutcome, WebhookEvent } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { texts } from '../../words/texts.ts';

type Named = Readonly<Record<WebhookEvent, string>>;
type Outcomes = Readonly<Record<AttemptOutcome, string>>;

const events: Named = {
  'payment.created': 'A payment has been started for one of your checkouts.',
  'payment.completed': 'A payment has completed.',
  'terminal.sale.completed': 'A sale on a terminal has completed.',
  'terminal.sale.failed': 'A sale on a terminal has failed or timed out.',
};

const outcomes: Outcomes = {
  delivered: 'Delivered',
  refused: 'Refused by the endpoint',
  timeout: 'No answer within 30 seconds',
  connection_failed: 'No connection',
  address_refused: 'The address is not public',
  interrupted: 'Interrupted on our side: the endpoint may have received it',
};

const en = {
  title: 'Webhooks',
  about: 'Your endpoints are called when something happens, with a signed request. Each listens to one event.',
  caption: 'Webhook endpoints, newest first',
  new: 'New endpoint',
  url: 'Address',
  event: 'Event',
  description: 'Purpose',
  state: 'State',
  created: 'Created',
  enabled: 'Enabled',
  disabled: 'Disabled',
  failing: 'Failing',
  failingSince: (time: string, failure: string) => `Failing since ${time}: ${failure}`,
  outcomes,
  http: (status: number) => `HTTP ${status}`,
  events,
  empty: 'No endpoints yet',
  emptyWhy: 'Add the address of your shop or till software, to be told of payments as they happen.',
  form: {
    new: 'New endpoint',
    change: 'Change the endpoint',
    urlHint: 'A public https address. Redirects are not followed.',
    descriptionHint: 'What it is for. Only you see it.',
    create: 'Create endpoint',
    made: 'The signing secret',
    madeWhy: 'Copy it now: it is shown once. Your software checks with it that a request is from us.',
    gone: 'The secret was shown before. Rotate it to get a new one.',
    changed: 'The endpoint was changed',
    otherEvent: 'Events of the present kind that wait to be delivered are then not sent.',
  },
};

const de: typeof en = {
  title: 'Webhooks',
  about:
    'Ihre Endpunkte werden mit einer signierten Anfrage aufgerufen, wenn etwas geschieht. Jeder hört auf ein Ereignis.',
  caption: 'Webhook-Endpunkte, der neueste zuerst',
  new: 'Neuer Endpunkt',
  url: 'Adresse',
  event: 'Ereignis',
  description: 'Zweck',
  state: 'Stand',
  created: 'Erstellt',
  enabled: 'Aktiv',
  disabled: 'Deaktiviert',
  failing: 'Schlägt fehl',
  failingSince: (time, failure) => `Schlägt fehl seit ${time}: ${failure}`,
  outcomes: {
    delivered: 'Zugestellt',
    refused: 'Vom Endpunkt abgelehnt',
    timeout: 'Keine Antwort binnen 30 Sekunden',
    connection_failed: 'Keine Verbindung',
    address_refused: 'Die Adresse ist nicht öffentlich',
    interrupted: 'Bei uns unterbrochen: Der Endpunkt hat es vielleicht erhalten',
  },
  http: status => `HTTP ${status}`,
  events: {
    'payment.created': 'Eine Zahlung wurde für einen Ihrer Checkouts begonnen.',
    'payment.completed': 'Eine Zahlung ist abgeschlossen.',
    'terminal.sale.completed': 'Ein Verkauf am Terminal ist abgeschlossen.',
    'terminal.sale.failed': 'Ein Verkauf am Terminal ist gescheitert oder abgelaufen.',
  },
  empty: 'Noch keine Endpunkte',
  emptyWhy: 'Fügen Sie die Adresse Ihrer Shop- oder Kassensoftware hinzu, um Zahlungen sofort zu erfahren.',
  form: {
    new: 'Neuer Endpunkt',
    change: 'Endpunkt ändern',
    urlHint: 'Eine öffentliche https-Adresse. Weiterleitungen wird nicht gefolgt.',
    descriptionHint: 'Wofür er ist. Nur Sie sehen es.',
    create: 'Endpunkt erstellen',
    made: 'Das Signaturgeheimnis',
    madeWhy:
      'Kopieren Sie es jetzt: Es wird einmal gezeigt. Ihre Software prüft damit, dass eine Anfrage von uns kommt.',
    gone: 'Das Geheimnis wurde schon gezeigt. Tauschen Sie es aus, um ein neues zu erhalten.',
    changed: 'Der Endpunkt wurde geändert',
    otherEvent: 'Ereignisse der jetzigen Art, die auf ihre Zustellung warten, werden dann nicht gesendet.',
  },
};

export const webhooksTexts = texts({ en, de });
