import type { TerminalMode } from '@florin/shared/contracts/terminal-mode.ts';
import { germanPermissionNames } from '@florin/shared/permission-names.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import type { AuditWords, CheckRefusal, RecordChange, Told } from './audit-words.ts';

const quoted = (text: string) => (text === '' ? '' : ` „${text}“`);
const listed = (items: readonly string[]) => (items.length === 0 ? '' : `: ${items.join(', ')}`);
const satoshis = ({ sats }: Told) => (sats === '' ? 'Bitcoin' : sats);
const amountOf = ({ amount }: Told) => (amount === '' ? '' : ` von ${amount}`);
const member = ({ staff }: Told) => staff || 'einem Mitglied des Personals';

const refusals: Readonly<Record<CheckRefusal, string>> = {
  invalid_signature: 'Das Passwort war falsch',
  permission_denied: 'Die Berechtigung zu Erstattung und Storno fehlt',
  limit_exceeded: 'Der Betrag liegt über der Grenze für eine Erstattung',
  daily_limit_exceeded: 'Der Betrag liegt über der Tagesgrenze',
  password_change_required: 'Ein vorläufiges Passwort muss zuerst geändert werden',
  staff_disabled: 'Das Mitglied des Personals ist deaktiviert',
  locked_out: 'Das Mitglied des Personals ist gesperrt',
  terminal_locked_out: 'Das Terminal ist gesperrt',
  service_unreachable: 'Das Terminal konnte den Dienst nicht erreichen',
};

/** `what` with its article, as what somebody authorises and as what is refused. */
function checked(told: Told, what: { readonly authorised: string; readonly refused: string }): string {
  const requested = told.requestedBy === '' ? '' : ` auf Anfrage von ${told.requestedBy}`;
  if (told.status === 'authorized') return `${told.staff || told.who} hat ${what.authorised}${requested} genehmigt`;
  const why = [told.text('detail'), told.reason ?? ''].find(reason => Object.hasOwn(refusals, reason));
  const reason = why === undefined ? 'Die Prüfung schlug fehl' : refusals[why as CheckRefusal];
  return `${what.refused}${requested} wurde ${member(told)} verweigert: ${reason}`;
}

const sale = ({ invoiceNumber }: Told) => (invoiceNumber === '' ? ' eines Verkaufs' : ` zu ${invoiceNumber}`);
const decided = (told: Told, article: string, noun: string, participle: string) =>
  `${told.who} hat anhand eines Belegs entschieden, dass ${article} ${noun}, deren Ergebnis das Gateway nicht gemeldet hat, ${told.text('outcome') === 'approved' ? `${participle} wurde` : 'fehlgeschlagen ist'}`;

/** What was done to a record of this kind, named with its article in the accusative and in the genitive. */
function recordChanges(
  accusative: string,
  genitive: string,
  nameOf: (told: Told) => string,
): Record<RecordChange, (told: Told) => string> {
  const did = (participle: string) => (told: Told) =>
    `${told.who} hat ${accusative}${quoted(nameOf(told))} ${participle}`;
  return {
    created: did('erstellt'),
    changed: did('geändert'),
    revoked: did('widerrufen'),
    deleted: did('gelöscht'),
    enabled: did('eingeschaltet'),
    disabled: did('abgeschaltet'),
    secret_rotated: told => `${told.who} hat das Geheimnis ${genitive}${quoted(nameOf(told))} erneuert`,
    made_default: did('zum Standard gemacht'),
  };
}
const byName = ({ name }: Told) => name;
const terminal = ({ name }: Told) => `das Terminal${quoted(name)}`;

const modes: Readonly<Record<TerminalMode, string>> = { staff: 'Personalbetrieb', kiosk: 'Kioskbetrieb' };

const sentences: AuditWords['sentences'] = {
  refund_check: told => {
    const what = `Erstattung${amountOf(told)}${sale(told)}`;
    return checked(told, { authorised: `eine ${what}`, refused: `Eine ${what}` });
  },
  void_check: told => checked(told, { authorised: `das Storno${sale(told)}`, refused: `Das Storno${sale(told)}` }),
  export_requested: ({ who, exportedList }) => `${who} hat die Liste${quoted(exportedList)} exportiert`,
  refund_requested: told => {
    if (told.text('kind') === 'CANCEL') return `${told.who} hat das Storno${sale(told)} veranlasst`;
    return told.sats === ''
      ? `${told.who} hat eine Erstattung${amountOf(told)}${sale(told)} veranlasst`
      : `${told.who} hat eine Erstattung von ${told.sats}${sale(told)} erfasst`;
  },
  refund_resolved: told => decided(told, 'eine', 'Erstattung', 'genehmigt'),
  payment_resolved: told => decided(told, 'eine', 'Zahlung', 'genehmigt'),
  payment_recorded: told =>
    `${told.who} hat einen Verkauf${amountOf(told)} erfasst, den sein Kartenleser von selbst ausgeführt hatte`,
  discrepancy_resolved: ({ who, status }) =>
    `${who} hat über eine Abweichung vom Gateway entschieden: ${status === 'gateway_right' ? 'Das Gateway hat recht' : 'Unsere Aufzeichnungen haben recht'}`,
  bitcoin_claim_returned: told =>
    `${told.who} hat erfasst, dass ${satoshis(told)} an einen Kunden zurückgegeben wurden, mit der Transaktion${quoted(told.text('txId'))}`,
  withdrawal_requested: told =>
    `${told.who} hat die Auszahlung von ${satoshis(told)} an${quoted(told.text('destination'))} verlangt`,
  withdrawal_resolved: ({ who, text }) =>
    `${who} hat entschieden, dass eine Auszahlung ${text('outcome') === 'completed' ? 'gesendet' : 'nicht gesendet'} wurde`,
  sign_in_refused: ({ who, isKnown, text }) =>
    `Eine Anmeldung${text('email') !== '' ? ` als ${text('email')}` : isKnown ? ` als ${who}` : ''} wurde abgelehnt`,
  // The operation is named in English only.
  permission_refused: ({ who, missingPermissions }) =>
    `${who} wurde mangels Berechtigung abgewiesen${listed(missingPermissions)}`,
};

const changes: AuditWords['changes'] = {
  staff_changed: {
    created: ({ who, staff }) => `${who} hat ${staff || 'ein Mitglied'} zum Personal hinzugefügt`,
    password: told => `${told.who} hat das Passwort von ${member(told)} geändert`,
    password_reset: told => `${told.who} hat ${member(told)} ein neues vorläufiges Passwort gegeben`,
    unlocked: ({ who, staff }) => `${who} hat ${staff || 'ein Mitglied des Personals'} entsperrt`,
    profile: told => `${told.who} hat die Berechtigungen oder Grenzen von ${member(told)} geändert`,
  },
  terminal_changed: {
    created: told => `${told.who} hat ${terminal(told)} hinzugefügt`,
    enrolment_code_made: told => `${told.who} hat einen Anmeldecode für ${terminal(told)} erstellt`,
    enrolled: told => `${told.who} hat sich als ${terminal(told)} angemeldet`,
    removed: told => `${told.who} hat ${terminal(told)} entfernt`,
    unlocked: told => `${told.who} hat ${terminal(told)} entsperrt`,
    mode: told =>
      `${told.who} hat ${terminal(told)} auf ${modes[told.text('mode') as TerminalMode] ?? told.text('mode')} umgestellt`,
    tamper_reported: ({ who }) => `${who} hat gemeldet, dass seine Aufzeichnungen geändert wurden`,
    entries_missing: ({ who, value }) =>
      `${who} fehlen ${String(value('missing'))} seiner Aufzeichnungen über Passwortprüfungen`,
    profile: told => `${told.who} hat den Namen oder die Betriebsart für ${terminal(told)} geändert`,
  },
  team_changed: {
    member_invited: ({ who, text }) => `${who} hat${quoted(text('email'))} ins Team eingeladen`,
    invitation_withdrawn: ({ who, text }) => `${who} hat die Einladung an${quoted(text('email'))} zurückgezogen`,
    invitation_accepted: ({ who }) => `${who} hat eine Einladung ins Team angenommen`,
    member_joined: ({ who }) => `${who} hat jemanden ins Team aufgenommen`,
    member_removed: ({ who, name }) => `${who} hat${quoted(name)} aus dem Team entfernt`,
    role_given: ({ who, name, role }) => `${who} hat${quoted(name)} die Rolle${quoted(role)} gegeben`,
    role_deleted: ({ who, name }) => `${who} hat die Rolle${quoted(name)} gelöscht`,
    role_defined: ({ who, name }) => `${who} hat die Rolle${quoted(name)} erstellt`,
    role_changed: ({ who, name }) => `${who} hat die Rolle${quoted(name)} geändert`,
  },
  portal_user_changed: {
    password: ({ who }) => `${who} hat das eigene Passwort geändert`,
    totp_added: ({ who }) => `${who} hat eine Authentifizierungs-App hinzugefügt`,
    totp_removed: ({ who }) => `${who} hat die eigene Authentifizierungs-App entfernt`,
    passkey_added: ({ who }) => `${who} hat einen Passkey hinzugefügt`,
    passkey_removed: ({ who }) => `${who} hat einen Passkey entfernt`,
    recovery_codes: ({ who }) => `${who} hat die eigenen Wiederherstellungscodes ersetzt`,
    changed: ({ who }) => `${who} hat die eigene Anmeldung geändert`,
  },
  api_key_changed: recordChanges('den API-Schlüssel', 'des API-Schlüssels', byName),
  kiosk_key_changed: recordChanges('den Kiosk-Schlüssel', 'des Kiosk-Schlüssels', byName),
  gateway_account_changed: recordChanges('das Gateway-Konto', 'des Gateway-Kontos', byName),
  webhook_changed: recordChanges('den Webhook-Endpunkt', 'des Webhook-Endpunkts', ({ text }) => text('url')),
};

export const german: AuditWords = {
  faults: {
    entry_missing: sequence => `Der Eintrag ${sequence} fehlt`,
    entry_not_linked: () => 'Er folgt nicht aus dem Eintrag davor',
    entry_changed: () => 'Sein Inhalt wurde geändert',
    head_missing: () => 'Das Ende des Protokolls fehlt',
    head_changed: () => 'Das Ende des Protokolls wurde außerhalb des Dienstes geändert',
    head_not_reached: () => 'Die letzten Einträge fehlen: Die Kette reicht nicht bis zu ihrem Ende',
    noted_head_missing: () => 'Das Protokoll enthält das früher notierte Ende nicht',
    log_changed: () =>
      'Das Protokoll wurde außerhalb des Dienstes geändert, bevor die letzten Einträge geschrieben wurden',
    other_key: () =>
      'Das Ende des Protokolls wurde mit einem anderen Schlüssel versiegelt: Setzen Sie SECRETS_KEY auf den Schlüssel des Dienstes',
    refund_not_authorised: refundId =>
      `Zur Erstattung ${refundId} durch das Personal gibt es keinen Eintrag, der sie so genehmigt, wie sie verzeichnet ist`,
    refund_not_recorded: () => 'Er genehmigt eine Erstattung, die so nicht verzeichnet ist',
  },
  actors: { operator: 'Ein Betreiber des Dienstes', system: 'Der Dienst', nobody: 'Jemand' },
  lists: {
    payments: 'Zahlungen',
    refunds: 'Erstattungen',
    transactions: 'Transaktionen',
    settlements: 'Abrechnungen',
    'refund-log': 'Erstattungsprotokoll',
    'void-log': 'Stornoprotokoll',
    audit: 'Audit-Protokoll',
  },
  permissionName: code => germanPermissionNames[code as Permission] ?? code,
  sentences,
  changes,
  settings: {
    notification_recipient_added: ({ who, text }) =>
      `${who} hat${quoted(text('email'))} als Empfänger von Benachrichtigungen hinzugefügt`,
    notification_recipient_changed: ({ who, text }) => `${who} hat geändert, was${quoted(text('email'))} erhält`,
    notification_recipient_removed: ({ who, text }) =>
      `${who} hat${quoted(text('email'))} als Empfänger von Benachrichtigungen entfernt`,
    tip_link_created: ({ who, name }) => `${who} hat den Trinkgeldlink${quoted(name)} erstellt`,
    tip_link_deleted: ({ who, name }) => `${who} hat den Trinkgeldlink${quoted(name)} gelöscht`,
    bitcoin_backend_set: ({ who }) => `${who} hat den Bitcoin-Knoten festgelegt`,
    audit_log_resealed: ({ who, text }) => `${who} hat das Audit-Protokoll neu versiegelt: ${text('reason')}`,
    personal_data_erased: ({ who, value }) =>
      `${who} hat personenbezogene Daten von Kunden aus ${value('records') === 1 ? 'einem Eintrag' : `${String(value('records'))} Einträgen`} gelöscht`,
  },
  settingNames: {
    name: 'den Namen des Geschäfts',
    addressLines: 'die Adresse',
    countryCode: 'das Land',
    currency: 'die Währung',
    locale: 'die Sprache',
    timeZone: 'die Zeitzone',
    accentColour: 'die Akzentfarbe',
    logo: 'das Logo',
    receiptFooter: 'den Text unter Belegen',
    receiptKey: 'den Schlüssel für Belege',
    passwordProtectRefundsAndVoids: 'den Passwortschutz für Erstattungen und Stornos',
    paymentLinksEnabled: 'Zahlungslinks',
    'counter.quickAmountsInCents': 'die Schnellbeträge an Terminals',
    'counter.confirmAboveInCents': 'den Betrag, ab dem ein Verkauf bestätigt wird',
    'counter.playsSounds': 'Töne an Terminals',
    'counter.tipPercents': 'Trinkgelder, die Kunden am Leser angeboten werden',
    'counter.saleReference': 'was das Personal zu einem Verkauf notiert',
    'paymentMethods.card': 'die Zahlung mit Karte',
    'paymentMethods.wallets': 'die Zahlung mit dem Telefon',
    'paymentMethods.lightning': 'die Zahlung über Lightning',
    'paymentMethods.onchain': 'die Zahlung in On-Chain-Bitcoin',
    checkouts: 'die Einbettung und Signatur von Checkouts',
  },
  setting: {
    unknown: name => `die Einstellung${quoted(name)}`,
    switched: (who, setting, isOn) => `${who} hat ${setting} ${isOn ? 'eingeschaltet' : 'ausgeschaltet'}`,
    removed: (who, setting) => `${who} hat ${setting} entfernt`,
    changed: (who, setting, value) => `${who} hat ${setting}${value === '' ? '' : ` in${quoted(value)}`} geändert`,
  },
};
