import type { Preset } from '@florin/shared/permissions.ts';
import { texts } from '../../words/texts.ts';

type Named = Readonly<Record<Preset, string>>;

const presets: Named = {
  POINT_OF_SALE: 'Point of sale',
  ECOMMERCE: 'Online shop',
  REPORTING: 'Reporting',
  CUSTOM: 'Custom',
};
const presetHints: Named = {
  POINT_OF_SALE: 'For a till: starts sales on terminals and follows them.',
  ECOMMERCE: 'For an online shop: payment links, checkouts and webhooks.',
  REPORTING: 'Reads payments, settlements, staff and terminals. Changes nothing.',
  CUSTOM: 'Choose each permission yourself.',
};

const en = {
  title: 'API keys',
  about: 'What your own software signs in with. Give each program its own key, with only what it needs.',
  caption: 'API keys, newest first',
  new: 'New key',
  name: 'Name',
  key: 'Key',
  state: 'State',
  preset: 'Permissions',
  used: 'Last used',
  never: 'Never',
  expires: 'Expires',
  noExpiry: 'Never',
  created: 'Created',
  statuses: { active: 'Active', revoked: 'Revoked', expired: 'Expired' },
  expiresIn: (days: number) => (days <= 1 ? 'Expires within a day' : `Expires in ${days} days`),
  presets,
  presetHints,
  count: (count: number) => (count === 1 ? '1 permission' : `${count} permissions`),
  actions: (name: string) => `Actions for ${name}`,
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeWhy: (used: string | undefined) =>
    `The next call with this key is refused. This cannot be undone. ${used === undefined ? 'It was never used.' : `It was last used ${used}.`}`,
  revokeNow: 'Revoke key',
  beyond_own_permissions: 'This key may do more than you: only somebody who holds all its permissions can revoke it.',
  revokedByOthers: 'You cannot revoke this key. An owner or administrator who holds all its permissions can.',
  revoked: (name: string) => `“${name}” was revoked`,
  empty: 'No API keys yet',
  emptyWhy: 'Make one for your till, your shop or your reports. The reference says what each operation needs.',
  nothing: 'No key matches these filters',
  up: 'API keys',
  permissions: 'It may',
  facts: 'Key',
  requests: 'Its requests',
  id: 'ID',
  form: {
    title: 'New API key',
    nameHint: 'What uses it, for example “Till software”.',
    purpose: 'Used for',
    more: 'Further permissions',
    moreHint: 'In addition to those of the choice above.',
    permissions: 'Permissions',
    expiry: 'Expires',
    expiries: { never: 'Never', month: 'In 30 days', quarter: 'In 90 days', year: 'In one year' },
    create: 'Create key',
    made: (name: string) => `The key “${name}”`,
    madeWhy: 'Copy it now: it is shown once, and only a hash of it is stored.',
    gone: 'The key was shown before and is not kept. Revoke it and make a new one.',
    try: 'Try it',
    none: 'Choose at least one permission',
    lacking: (names: readonly string[]) =>
      `${names.join(', ')}: needs permissions that you do not have. Ask an owner or administrator.`,
  },
};

const de: typeof en = {
  title: 'API-Schlüssel',
  about:
    'Damit meldet sich Ihre eigene Software an. Geben Sie jedem Programm seinen eigenen Schlüssel, nur mit dem, was es braucht.',
  caption: 'API-Schlüssel, der neueste zuerst',
  new: 'Neuer Schlüssel',
  name: 'Name',
  key: 'Schlüssel',
  state: 'Stand',
  preset: 'Berechtigungen',
  used: 'Zuletzt benutzt',
  never: 'Noch nie',
  expires: 'Läuft ab',
  noExpiry: 'Nie',
  created: 'Erstellt',
  statuses: { active: 'Aktiv', revoked: 'Widerrufen', expired: 'Abgelaufen' },
  expiresIn: days => (days <= 1 ? 'Läuft binnen eines Tages ab' : `Läuft in ${days} Tagen ab`),
  presets: { POINT_OF_SALE: 'Kasse', ECOMMERCE: 'Onlineshop', REPORTING: 'Auswertung', CUSTOM: 'Eigene Auswahl' },
  presetHints: {
    POINT_OF_SALE: 'Für eine Kasse: beginnt Verkäufe an Terminals und verfolgt sie.',
    ECOMMERCE: 'Für einen Onlineshop: Zahlungslinks, Checkouts und Webhooks.',
    REPORTING: 'Liest Zahlungen, Abrechnungen, Personal und Terminals. Ändert nichts.',
    CUSTOM: 'Wählen Sie jede Berechtigung selbst.',
  },
  count: count => (count === 1 ? '1 Berechtigung' : `${count} Berechtigungen`),
  actions: name => `Aktionen für ${name}`,
  revoke: 'Widerrufen',
  revokeTitle: name => `„${name}“ widerrufen?`,
  revokeWhy: used =>
    `Der nächste Aufruf mit diesem Schlüssel wird abgelehnt. Das kann nicht rückgängig gemacht werden. ${used === undefined ? 'Er wurde noch nie benutzt.' : `Er wurde zuletzt ${used} benutzt.`}`,
  revokeNow: 'Schlüssel widerrufen',
  beyond_own_permissions:
    'Dieser Schlüssel darf mehr als Sie: Nur wer alle seine Berechtigungen hat, kann ihn widerrufen.',
  revokedByOthers:
    'Sie können diesen Schlüssel nicht widerrufen. Ein Inhaber oder Administrator, der alle seine Berechtigungen hat, kann es.',
  revoked: name => `„${name}“ wurde widerrufen`,
  empty: 'Noch keine API-Schlüssel',
  emptyWhy:
    'Erstellen Sie einen für Ihre Kasse, Ihren Shop oder Ihre Auswertungen. Die Referenz sagt, was jede Operation braucht.',
  nothing: 'Kein Schlüssel passt zu diesen Filtern',
  up: 'API-Schlüssel',
  permissions: 'Er darf',
  facts: 'Schlüssel',
  requests: 'Seine Aufrufe',
  id: 'ID',
  form: {
    title: 'Neuer API-Schlüssel',
    nameHint: 'Was ihn benutzt, zum Beispiel „Kassensoftware“.',
    purpose: 'Benutzt für',
    more: 'Weitere Berechtigungen',
    moreHint: 'Zusätzlich zu denen der Auswahl oben.',
    permissions: 'Berechtigungen',
    expiry: 'Läuft ab',
    expiries: { never: 'Nie', month: 'In 30 Tagen', quarter: 'In 90 Tagen', year: 'In einem Jahr' },
    create: 'Schlüssel erstellen',
    made: name => `Der Schlüssel „${name}“`,
    madeWhy: 'Kopieren Sie ihn jetzt: Er wird einmal gezeigt, und nur ein Hash davon wird gespeichert.',
    gone: 'Der Schlüssel wurde schon gezeigt und wird nicht aufbewahrt. Widerrufen Sie ihn, und erstellen Sie einen neuen.',
    try: 'Ausprobieren',
    none: 'Wählen Sie mindestens eine Berechtigung',
    lacking: names =>
      `${names.join(', ')}: braucht Berechtigungen, die Sie nicht haben. Fragen Sie einen Inhaber oder Administrator.`,
  },
};

export const apiKeysTexts = texts({ en, de });
