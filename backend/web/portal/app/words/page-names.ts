import { texts, useTexts } from './texts.ts';

const en = {
  links: 'Payment links',
  checkouts: 'Checkouts',
  tips: 'Tip links',
  returns: 'To return',
  settlements: 'Settlements',
  'settlements/statements': 'Statements',
  'settlements/discrepancies': 'Discrepancies',
  staff: 'Members',
  'staff/refund-log': 'Refund log',
  'staff/void-log': 'Void log',
  'staff/exceptions': 'Exceptions',
  'dev/keys': 'API keys',
  'dev/kiosk-keys': 'Kiosk keys',
  'dev/webhooks': 'Webhooks',
  'dev/requests': 'Requests',
  'dev/signing': 'Signatures',
  'settings/business': 'Business',
  'settings/methods': 'Payment methods',
  'settings/bitcoin': 'Bitcoin node',
  'settings/withdrawals': 'Withdrawals',
  'settings/team': 'Team',
  'settings/roles': 'Roles',
  'settings/notifications': 'Notifications',
  'settings/audit': 'Audit log',
};

const de: typeof en = {
  links: 'Zahlungslinks',
  checkouts: 'Checkouts',
  tips: 'Trinkgeldlinks',
  returns: 'Zurückzugeben',
  settlements: 'Abrechnungen',
  'settlements/statements': 'Aufstellungen',
  'settlements/discrepancies': 'Abweichungen',
  staff: 'Mitglieder',
  'staff/refund-log': 'Erstattungsprotokoll',
  'staff/void-log': 'Stornoprotokoll',
  'staff/exceptions': 'Auffälliges',
  'dev/keys': 'API-Schlüssel',
  'dev/kiosk-keys': 'Kiosk-Schlüssel',
  'dev/webhooks': 'Webhooks',
  'dev/requests': 'Aufrufe',
  'dev/signing': 'Signaturen',
  'settings/business': 'Geschäft',
  'settings/methods': 'Zahlungsarten',
  'settings/bitcoin': 'Bitcoin-Knoten',
  'settings/withdrawals': 'Auszahlungen',
  'settings/team': 'Team',
  'settings/roles': 'Rollen',
  'settings/notifications': 'Benachrichtigungen',
  'settings/audit': 'Audit-Protokoll',
};

/** A page that stands beside others in its area. */
export type NamedPage = keyof typeof en;

const names = texts({ en, de });

/** What the pages within an area are called, by their addresses below the business. */
export function usePageNames(): Readonly<Record<NamedPage, string>> {
  return useTexts(names);
}
