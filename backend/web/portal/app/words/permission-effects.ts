import { permissionEffects as english } from 'virtual:permissions';
import type { Permission } from '@florin/shared/permissions.ts';
import { texts, useTexts } from './texts.ts';

type Effects = Readonly<Record<Permission, string>>;

const german: Effects = {
  'sales:read': 'Verkäufe und Abrechnungen lesen',
  'bitcoin-backend:read': 'Einstellungen von Knoten und Wallet lesen',
  'bitcoin-backend:write': 'Einstellungen von Knoten und Wallet ändern',
  'take-payments:read': 'Zahlungen und Checkouts lesen',
  'take-payments:write':
    'Checkouts erstellen, Zahlungen annehmen, Zahlungslinks erstellen und löschen, Verkäufe stornieren und erstatten',
  'tip-links:read': 'Trinkgeldlinks lesen',
  'tip-links:write': 'Trinkgeldlinks erstellen und löschen',
  'refunds:write': 'Verkäufe erstatten (mit take-payments:write, für die Art REFUND)',
  'withdraw:write': 'Geld aus dem Guthaben senden',
  'backup:read': 'Die Sicherung der Wallet lesen',
  'devices:read': 'Angemeldete Terminals und ihre Einstellungen lesen',
  'devices:write': 'Terminals anmelden, einrichten und entfernen',
  'team:read': 'Mitglieder des Teams und ihre Rollen lesen',
  'team:write': 'Mitglieder des Teams einladen, ändern und entfernen',
  'api-keys:read': 'API-Schlüssel auflisten',
  'api-keys:write': 'API-Schlüssel erstellen und widerrufen',
  'webhooks:read': 'Webhook-Endpunkte und ihre Zustellungen lesen',
  'webhooks:write': 'Endpunkte erstellen, ändern und entfernen; Signaturgeheimnisse austauschen',
  'dashboard:write': 'Den Aufbau der Übersicht ändern',
  'ucp:verify': 'Preimages von Lightning-Zahlungen prüfen',
  'notifications:write': 'Bestimmen, wer Benachrichtigungen erhält',
  'terminal-sales:read': 'Verkäufe am Terminal lesen',
  'terminal-sales:write': 'Verkäufe am Terminal beginnen, verfolgen und abbrechen',
};

const all = texts<Effects>({ en: english, de: german });

/** What permissions allow, in the user's language. */
export function usePermissionEffects(): Effects {
  return useTexts(all);
}
