import type { Permission } from '@florin/shared/permissions.ts';
import type { ComponentType } from 'react';
import type { IconName } from './components/icon.tsx';
import { tabs } from './tabs.ts';
import type { Words } from './words/en.ts';

/** A page of a business. Each has a folder in `pages/`, which is loaded when the page is opened. */
export type PageEntry = {
  /** Below the business; `$id` is a parameter. */
  readonly path: string;
  /** One of these permissions is needed; none for a page whose parts ask for their own. */
  readonly anyOf: readonly Permission[];
  /** Besides, only for owners and administrators. */
  readonly adminsOnly?: true;
  readonly load: () => Promise<{ readonly Page: ComponentType }>;
};

const forProblems: readonly Permission[] = [
  'sales:read',
  'take-payments:read',
  'devices:read',
  'webhooks:read',
  'team:read',
  'api-keys:read',
];

/** Every page of a business. The order does not matter. */
export const pages: readonly PageEntry[] = [
  { path: '/', anyOf: [], load: () => import('./pages/overview/page.tsx') },
  { path: '/problems', anyOf: forProblems, load: () => import('./pages/problems/page.tsx') },
  { path: '/payments', anyOf: ['take-payments:read'], load: () => import('./pages/payments/page.tsx') },
  { path: '/payments/$id', anyOf: ['take-payments:read'], load: () => import('./pages/payment/page.tsx') },
  { path: '/links', anyOf: ['take-payments:read'], load: () => import('./pages/links/page.tsx') },
  { path: '/links/$id', anyOf: ['take-payments:read'], load: () => import('./pages/link/page.tsx') },
  { path: '/staff', anyOf: ['team:read'], load: () => import('./pages/staff/page.tsx') },
  { path: '/staff/refund-log', anyOf: ['team:read'], load: () => import('./pages/staff-logs/refund-log.tsx') },
  { path: '/staff/void-log', anyOf: ['team:read'], load: () => import('./pages/staff-logs/void-log.tsx') },
  { path: '/staff/exceptions', anyOf: ['team:read'], load: () => import('./pages/staff-exceptions/page.tsx') },
  { path: '/terminals', anyOf: ['devices:read'], load: () => import('./pages/terminals/page.tsx') },
  { path: '/checkouts', anyOf: ['take-payments:read'], load: () => import('./pages/checkouts/page.tsx') },
  { path: '/checkouts/$id', anyOf: ['take-payments:read'], load: () => import('./pages/checkout/page.tsx') },
  { path: '/tips', anyOf: ['tip-links:read'], load: () => import('./pages/tips/page.tsx') },
  { path: '/tips/$id', anyOf: ['tip-links:read'], load: () => import('./pages/tip/page.tsx') },
  { path: '/returns', anyOf: ['take-payments:read', 'sales:read'], load: () => import('./pages/returns/page.tsx') },
  {
    path: '/settings/business',
    anyOf: ['team:write'],
    adminsOnly: true,
    load: () => import('./pages/business-settings/page.tsx'),
  },
  {
    path: '/settings/methods',
    anyOf: ['team:write'],
    adminsOnly: true,
    load: () => import('./pages/payment-methods/page.tsx'),
  },
  { path: '/settings/bitcoin', anyOf: ['bitcoin-backend:read'], load: () => import('./pages/bitcoin/page.tsx') },
  { path: '/settings/withdrawals', anyOf: ['withdraw:write'], load: () => import('./pages/withdrawals/page.tsx') },
  { path: '/settings/team', anyOf: ['team:read'], load: () => import('./pages/team/page.tsx') },
  { path: '/settings/roles', anyOf: ['team:read'], load: () => import('./pages/roles/page.tsx') },
  {
    path: '/settings/notifications',
    anyOf: ['notifications:write'],
    load: () => import('./pages/notifications/page.tsx'),
  },
  { path: '/settings/audit', anyOf: ['team:read'], load: () => import('./pages/audit/page.tsx') },
  { path: '/settlements', anyOf: ['sales:read'], load: () => import('./pages/settlements/page.tsx') },
  { path: '/settlements/$id', anyOf: ['sales:read'], load: () => import('./pages/settlement/page.tsx') },
  { path: '/settlements/statements', anyOf: ['sales:read'], load: () => import('./pages/statement/page.tsx') },
  { path: '/settlements/discrepancies', anyOf: ['sales:read'], load: () => import('./pages/discrepancies/page.tsx') },
  { path: '/dev/keys', anyOf: ['api-keys:read'], load: () => import('./pages/api-keys/page.tsx') },
  { path: '/dev/keys/$id', anyOf: ['api-keys:read'], load: () => import('./pages/api-key/page.tsx') },
  { path: '/dev/kiosk-keys', anyOf: ['devices:write'], load: () => import('./pages/kiosk-keys/page.tsx') },
  { path: '/dev/webhooks', anyOf: ['webhooks:read'], load: () => import('./pages/webhooks/page.tsx') },
  { path: '/dev/webhooks/$id', anyOf: ['webhooks:read'], load: () => import('./pages/webhook/page.tsx') },
  { path: '/dev/requests', anyOf: ['api-keys:read'], load: () => import('./pages/requests/page.tsx') },
  { path: '/dev/signing', anyOf: ['webhooks:read'], load: () => import('./pages/signing/page.tsx') },
];

/** The page at a path below a business, such as `payments/pay_…`. */
export function pageAt(path: string): PageEntry | undefined {
  const parts = (text: string) => text.split('/').filter(part => part !== '');
  const given = parts(path);
  return pages.find(page => {
    const wanted = parts(page.path);
    return wanted.length === given.length && wanted.every((part, at) => part.startsWith('$') || part === given[at]);
  });
}

/** An area of the navigation; it is shown to whoever may see its first page. */
export type Area = {
  readonly page: string;
  readonly name: Exclude<keyof Words['nav'], 'label' | 'more' | 'moreLabel' | 'toDo'>;
  readonly icon: IconName;
  /** Its pages, if they are elsewhere; whoever may not see its first page begins there. */
  readonly also?: readonly string[];
  /** Shown only while there is something on its page. */
  readonly isOccasional?: true;
  /** The letter after `g`. */
  readonly letter: string;
};

/** The navigation, in its order. On a narrow screen the first four stand at the bottom. */
export const areas: readonly Area[] = [
  { page: '', name: 'overview', icon: 'overview', letter: 'o' },
  { page: 'problems', name: 'problems', icon: 'problems', isOccasional: true, letter: 'r' },
  { page: 'payments', name: 'payments', icon: 'payments', letter: 'p' },
  { page: 'links', name: 'links', icon: 'links', also: tabs.links, letter: 'l' },
  { page: 'settlements', name: 'settlements', icon: 'settlements', letter: 'e' },
  { page: 'staff', name: 'staff', icon: 'staff', letter: 's' },
  { page: 'terminals', name: 'terminals', icon: 'terminals', letter: 't' },
  {
    page: 'dev/keys',
    name: 'developers',
    icon: 'developers',
    also: ['dev/webhooks', 'dev/requests', 'dev/signing', 'dev/kiosk-keys'],
    letter: 'd',
  },
  {
    page: 'settings/business',
    name: 'settings',
    icon: 'settings',
    also: tabs.settings,
    letter: ',',
  },
];

/** Something to do, for the palette: it opens the page with its form, and sends nothing. */
export type Action = {
  readonly name: 'newLink' | 'enrolTerminal' | 'addStaff' | 'newKey' | 'newWebhook' | 'newTipLink' | 'inviteMember';
  readonly page: string;
  readonly search: Readonly<Record<string, string>>;
  readonly permission: Permission;
};

/** Everything that the palette can start. */
export const actions: readonly Action[] = [
  { name: 'newLink', page: 'links', search: { new: '1' }, permission: 'take-payments:write' },
  { name: 'enrolTerminal', page: 'terminals', search: { new: '1' }, permission: 'devices:write' },
  { name: 'addStaff', page: 'staff', search: { new: '1' }, permission: 'team:write' },
  { name: 'newTipLink', page: 'tips', search: { new: '1' }, permission: 'tip-links:write' },
  { name: 'inviteMember', page: 'settings/team', search: { new: '1' }, permission: 'team:write' },
  { name: 'newKey', page: 'dev/keys', search: { new: '1' }, permission: 'api-keys:write' },
  { name: 'newWebhook', page: 'dev/webhooks', search: { new: '1' }, permission: 'webhooks:write' },
];

/** What a member of a business may do there. */
type Member = { readonly permissions: readonly Permission[]; readonly role: { readonly id: string } };

/** Whether a member may see a page of their business. */
export function maySee({ permissions, role }: Member, path: string): boolean {
  const page = pageAt(path);
  if (page === undefined || (page.adminsOnly && role.id !== 'owner' && role.id !== 'admin')) return false;
  return page.anyOf.length === 0 || page.anyOf.some(permission => permissions.includes(permission));
}
