import type { Mutant } from './mutant.ts';

const tips = 'backend/tip-links/service.ts';
const ucp = 'backend/ucp/service.ts';
const changes = 'backend/ucp/changes.ts';

/** Tips, and the checkouts of others, which are paid over Lightning. */
export const tipping: readonly Mutant[] = [
  {
    name: 'tips counted without the latest',
    file: tips,
    find: 'tipCount: Number(received?.count ?? 0),',
    replace: 'tipCount: Math.max(0, Number(received?.count ?? 0) - 1),',
    why: 'staff are paid less than customers gave',
    flow: 'tips',
  },
  {
    name: 'tip not counted on its link',
    file: tips,
    find: 'if (!(await tx.first(tipLinkForUpdate, { id }))) return;',
    replace: 'return;',
    why: 'the link says that nobody gave anything',
    flow: 'tips',
  },
  {
    name: 'tips taken on a deleted link',
    file: tips,
    find: 'return row?.deletedAt === null ? withAddresses(row) : undefined;',
    replace: 'return row ? withAddresses(row) : undefined;',
    why: 'customers give to whom nobody wants them to give any more',
    flow: 'tips',
  },
  {
    name: 'payment of another UCP checkout proves this one',
    file: ucp,
    find: "if (found.checkoutId !== checkoutId) return err({ kind: 'binding_mismatch' });",
    replace: '',
    why: 'one payment completes two orders',
    flow: 'ucp',
  },
  {
    name: 'UCP invoice settled with another amount',
    file: changes,
    find: 'const isExact = confirmedSats === invoice.amountSats;',
    replace: 'const isExact = confirmedSats >= invoice.amountSats;',
    why: 'what came too much is kept',
    flow: 'ucp',
  },
  {
    name: 'UCP excess not owed',
    file: changes,
    find: 'await excess(tx, change, { reason, amountSats: confirmedSats }, { checkoutId: known.checkoutId });',
    replace: '',
    why: 'no platform completes the checkout, and nobody returns the money',
    flow: 'ucp',
  },
];
