import { texts } from '../../words/texts.ts';

const en = {
  title: 'Kiosk keys',
  about: 'For software that starts sales on terminals through /kiosk/v1. A key works for the terminals that it names.',
  caption: 'Kiosk keys, newest first',
  new: 'New kiosk key',
  name: 'Name',
  key: 'Key',
  terminals: 'Terminals',
  state: 'State',
  active: 'Active',
  revoked: 'Revoked',
  used: 'Last used',
  never: 'Never',
  created: 'Created',
  removed: 'A removed terminal',
  actions: (name: string) => `Actions for ${name}`,
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeWhy: (used: string | undefined) =>
    `The installation can start no more sales from its next call on. This cannot be undone. ${used === undefined ? 'The key was never used.' : `The key was last used ${used}.`}`,
  revokeNow: 'Revoke key',
  wasRevoked: (name: string) => `“${name}” was revoked`,
  empty: 'No kiosk keys yet',
  emptyWhy: 'Make one for each installation, such as the ordering screens of one shop.',
  form: {
    title: 'New kiosk key',
    nameHint: 'The installation, for example “Ordering screens”.',
    terminalsHint: 'It can use only these.',
    noTerminals: 'Enrol a terminal first.',
    none: 'Choose at least one terminal',
    create: 'Create key',
    made: (name: string) => `The key “${name}”`,
    madeWhy: 'Copy it now: it is shown once, and only a hash of it is stored. It goes into the header x-api-key.',
    gone: 'The key was shown before and is not kept. Revoke it and make a new one.',
  },
};

const de: typeof en = {
  title: 'Kiosk-Schlüssel',
  about:
    'Für Software, die über /kiosk/v1 Verkäufe an Terminals beginnt. Ein Schlüssel gilt für die Terminals, die er nennt.',
  caption: 'Kiosk-Schlüssel, der neueste zuerst',
  new: 'Neuer Kiosk-Schlüssel',
  name: 'Name',
  key: 'Schlüssel',
  terminals: 'Terminals',
  state: 'Stand',
  active: 'Aktiv',
  revoked: 'Widerrufen',
  used: 'Zuletzt benutzt',
  never: 'Noch nie',
  created: 'Erstellt',
  removed: 'Ein entferntes Terminal',
  actions: name => `Aktionen für ${name}`,
  revoke: 'Widerrufen',
  revokeTitle: name => `„${name}“ widerrufen?`,
  revokeWhy: used =>
    `Die Installation kann ab ihrem nächsten Aufruf keine Verkäufe mehr beginnen. Das kann nicht rückgängig gemacht werden. ${used === undefined ? 'Der Schlüssel wurde noch nie benutzt.' : `Der Schlüssel wurde zuletzt ${used} benutzt.`}`,
  revokeNow: 'Schlüssel widerrufen',
  wasRevoked: name => `„${name}“ wurde widerrufen`,
  empty: 'Noch keine Kiosk-Schlüssel',
  emptyWhy: 'Erstellen Sie einen für jede Installation, etwa die Bestellbildschirme eines Ladens.',
  form: {
    title: 'Neuer Kiosk-Schlüssel',
    nameHint: 'Die Installation, zum Beispiel „Bestellbildschirme“.',
    terminalsHint: 'Er kann nur diese benutzen.',
    noTerminals: 'Melden Sie zuerst ein Terminal an.',
    none: 'Wählen Sie mindestens ein Terminal',
    create: 'Schlüssel erstellen',
    made: name => `Der Schlüssel „${name}“`,
    madeWhy:
      'Kopieren Sie ihn jetzt: Er wird einmal gezeigt, und nur ein Hash davon wird gespeichert. Er gehört in den Header x-api-key.',
    gone: 'Der Schlüssel wurde schon gezeigt und wird nicht aufbewahrt. Widerrufen Sie ihn, und erstellen Sie einen neuen.',
  },
};

export const kioskKeysTexts = texts({ en, de });
