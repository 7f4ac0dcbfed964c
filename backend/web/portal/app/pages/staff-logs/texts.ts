import type { StaffLogDetail, StaffLogEntry } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { recordWords } from '@florin/shared/record-words.ts';
import { texts } from '../../words/texts.ts';

type Statuses = Record<StaffLogEntry['status'], string>;
type Reasons = Record<NonNullable<StaffLogEntry['reason']> | StaffLogDetail, string>;

const en = {
  refunds: 'Refund log',
  voids: 'Void log',
  refundsAbout: 'Every password check for a refund at a terminal, allowed or not.',
  voidsAbout: 'Every password check for a void at a terminal, allowed or not.',
  time: 'Time',
  staff: 'Staff',
  requestedBy: 'Requested by',
  approves: (name: string) => `for ${name}`,
  terminal: 'Terminal',
  sale: 'Sale',
  sold: 'Sold for',
  amount: 'Refund',
  result: 'Result',
  entry: 'Entry of the log',
  recorded: 'Recorded',
  taken: 'Taken',
  id: 'ID',
  previousHash: 'Hash before',
  hash: 'Hash',
  protectionOff: 'Password protection is off: nothing is logged',
  protectionOffWhy:
    'Voids and refunds at terminals have no named person, and no entry here. Switch it on under Settings.',
  settings: 'To the settings',
  offline: 'Offline',
  empty: 'Nothing is logged yet',
  emptyWhy: 'Each void and refund at a terminal appears here, with who confirmed it.',
  nothing: 'No entry matches these filters',
  status: 'Result',
  member: 'Member',
  statuses: recordWords.staffLog as Statuses,
  reasons: recordWords.staffLogReasons as Reasons,
};

const de: typeof en = {
  refunds: 'Erstattungsprotokoll',
  voids: 'Stornoprotokoll',
  refundsAbout: 'Jede Passwortprüfung für eine Erstattung am Terminal, erlaubt oder nicht.',
  voidsAbout: 'Jede Passwortprüfung für ein Storno am Terminal, erlaubt oder nicht.',
  time: 'Zeit',
  staff: 'Personal',
  requestedBy: 'Verlangt von',
  approves: name => `für ${name}`,
  terminal: 'Terminal',
  sale: 'Verkauf',
  sold: 'Verkauft für',
  amount: 'Erstattung',
  result: 'Ergebnis',
  entry: 'Eintrag des Protokolls',
  recorded: 'Verzeichnet',
  taken: 'Eingenommen',
  id: 'ID',
  previousHash: 'Hash davor',
  hash: 'Hash',
  protectionOff: 'Der Passwortschutz ist aus: Nichts wird protokolliert',
  protectionOffWhy:
    'Stornos und Erstattungen am Terminal haben keine namentliche Person und hier keinen Eintrag. Schalten Sie ihn unter Einstellungen ein.',
  settings: 'Zu den Einstellungen',
  offline: 'Offline',
  empty: 'Noch nichts verzeichnet',
  emptyWhy: 'Hier erscheint jedes Storno und jede Erstattung am Terminal, mit der Person, die sie bestätigt hat.',
  nothing: 'Kein Eintrag passt zu diesen Filtern',
  status: 'Ergebnis',
  member: 'Mitglied',
  statuses: {
    authorized: 'Erlaubt',
    failed: 'Abgelehnt',
    limit_exceeded: 'Über der Grenze',
    daily_limit_exceeded: 'Über der Tagesgrenze',
  },
  reasons: {
    invalid_signature: 'Falsches Passwort',
    permission_denied: 'Keine Berechtigung',
    limit_exceeded: 'Über der Grenze',
    daily_limit_exceeded: 'Über der Tagesgrenze',
    password_change_required: 'Vorläufiges Passwort nicht geändert',
    staff_disabled: 'Deaktiviert',
    locked_out: 'Gesperrt',
    terminal_locked_out: 'Terminal gesperrt',
    service_unreachable: 'Dienst nicht erreicht',
  },
};

export const staffLogTexts = texts({ en, de });
