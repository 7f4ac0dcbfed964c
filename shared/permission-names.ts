import type { Permission } from './permissions.ts';

/** What permissions are called in German; `permissions.ts` has their English names. */
export const germanPermissionNames: Readonly<Record<Permission, string>> = {
  'sales:read': 'Verkäufe ansehen',
  'bitcoin-backend:read': 'Bitcoin-Knoten ansehen',
  'bitcoin-backend:write': 'Bitcoin-Knoten verwalten',
  'take-payments:read': 'Zahlungen ansehen',
  'take-payments:write': 'Zahlungen annehmen',
  'tip-links:read': 'Trinkgeldlinks ansehen',
  'tip-links:write': 'Trinkgeldlinks verwalten',
  'refunds:write': 'Erstattungen ausführen',
  'withdraw:write': 'Guthaben auszahlen',
  'backup:read': 'Sicherung ansehen',
  'devices:read': 'Terminals ansehen',
  'devices:write': 'Terminals verwalten',
  'team:read': 'Team ansehen',
  'team:write': 'Team verwalten',
  'api-keys:read': 'API-Schlüssel ansehen',
  'api-keys:write': 'API-Schlüssel verwalten',
  'webhooks:read': 'Webhooks ansehen',
  'webhooks:write': 'Webhooks verwalten',
  'dashboard:write': 'Übersicht anpassen',
  'ucp:verify': 'UCP-Zahlungen prüfen',
  'notifications:write': 'Benachrichtigungen verwalten',
  'terminal-sales:read': 'Terminalverkäufe ansehen',
  'terminal-sales:write': 'Terminalverkäufe ausführen',
};
