import type { NamedPage } from './words/en.ts';

/** The pages of each area that has several, in the order of their tabs. */
export const tabs = {
  links: ['links', 'checkouts', 'tips', 'returns'],
  settlements: ['settlements', 'settlements/statements', 'settlements/discrepancies'],
  staff: ['staff', 'staff/refund-log', 'staff/void-log', 'staff/exceptions'],
  developers: ['dev/keys', 'dev/kiosk-keys', 'dev/webhooks', 'dev/requests', 'dev/signing'],
  settings: [
    'settings/business',
    'settings/methods',
    'settings/bitcoin',
    'settings/withdrawals',
    'settings/team',
    'settings/roles',
    'settings/notifications',
    'settings/audit',
  ],
} as const satisfies Record<string, readonly NamedPage[]>;
