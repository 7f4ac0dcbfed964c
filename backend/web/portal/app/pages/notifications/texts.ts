import type { NotificationKind } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { texts } from '../../words/texts.ts';

type Kinds = Readonly<Record<NotificationKind, readonly [name: string, when: string]>>;

const kinds: Kinds = {
  problem: ['Money problems', 'A discrepancy needs a decision, or a customer said where to return bitcoin.'],
  webhook: ['Webhooks', 'An endpoint is failing, or was disabled.'],
  staff_locked: ['Locked staff', 'A member of staff is locked out after wrong passwords.'],
  terminal_silent: ['Silent terminals', 'A terminal that was in use today has stopped reporting.'],
  daily_report: ['Daily report', 'The figures of the day, after its end, if money moved.'],
};

const en = {
  title: 'Notifications',
  about: 'Who gets an e-mail, and about what.',
  caption: 'Recipients, newest first',
  add: 'Add a recipient',
  email: 'E-mail address',
  gets: 'Gets',
  kinds,
  since: 'Since',
  actions: (email: string) => `Actions for ${email}`,
  change: 'Change what it gets',
  changeTitle: (email: string) => `What ${email} gets`,
  changed: (email: string) => `What ${email} gets was changed`,
  remove: 'Remove',
  removed: (email: string) => `${email} gets no more notifications`,
  empty: 'Nobody is notified',
  emptyWhy: 'Problems are then seen in this portal only. Add somebody who looks at them.',
  form: {
    hint: 'It can belong to anybody, also to somebody who does not sign in here.',
    none: 'Choose at least one',
    submit: 'Add',
    done: (email: string) => `${email} is notified from now on`,
    recipient_exists: 'This address is notified already.',
    too_many_recipients: 'No more recipients can be added: remove one first.',
  },
};

const de: typeof en = {
  title: 'Benachrichtigungen',
  about: 'Wer eine E-Mail erhält, und worüber.',
  caption: 'Empfänger, der neueste zuerst',
  add: 'Empfänger hinzufügen',
  email: 'E-Mail-Adresse',
  gets: 'Erhält',
  kinds: {
    problem: [
      'Geldprobleme',
      'Eine Abweichung braucht eine Entscheidung, oder ein Kunde sagte, wohin Bitcoin zurückgeht.',
    ],
    webhook: ['Webhooks', 'Ein Endpunkt fällt aus oder wurde deaktiviert.'],
    staff_locked: ['Gesperrtes Personal', 'Jemand vom Personal ist nach falschen Passwörtern gesperrt.'],
    terminal_silent: ['Stumme Terminals', 'Ein heute benutztes Terminal meldet sich nicht mehr.'],
    daily_report: ['Tagesbericht', 'Die Zahlen des Tages nach seinem Ende, wenn Geld geflossen ist.'],
  },
  since: 'Seit',
  actions: email => `Aktionen für ${email}`,
  change: 'Ändern, was sie erhält',
  changeTitle: email => `Was ${email} erhält`,
  changed: email => `Was ${email} erhält, wurde geändert`,
  remove: 'Entfernen',
  removed: email => `${email} erhält keine Benachrichtigungen mehr`,
  empty: 'Niemand wird benachrichtigt',
  emptyWhy: 'Probleme sieht man dann nur in diesem Portal. Fügen Sie jemanden hinzu, der sich darum kümmert.',
  form: {
    hint: 'Sie kann jedem gehören, auch jemandem, der sich hier nicht anmeldet.',
    none: 'Wählen Sie mindestens eines',
    submit: 'Hinzufügen',
    done: email => `${email} wird ab jetzt benachrichtigt`,
    recipient_exists: 'Diese Adresse wird schon benachrichtigt.',
    too_many_recipients: 'Es können keine weiteren Empfänger hinzugefügt werden: Entfernen Sie zuerst einen.',
  },
};

export const notificationsTexts = texts({ en, de });
