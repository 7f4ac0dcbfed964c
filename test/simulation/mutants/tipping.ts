import type { Mutant } from './mutant.ts';

const tips = 'backend/tip-links/service.ts';
const ucp = 'backend/ucp/service.ts';
const changes = 'backend/ucp/changes.ts';
const sales = 'backend/terminal-sales/bitcoin.ts';
const transitions = 'backend/terminal-sales/transitions.ts';

/** Tips, the checkouts of others, which are paid over Lightning, and bitcoin on terminals. */
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
  {
    name: 'UCP invoice given out after its time',
    file: 'backend/bitcoin-invoices/service.ts',
    find: 'if (isOpen(row)) return ok(row);\n    // The node',
    replace: 'if (row) return ok(row);\n    // The node',
    why: 'two invoices of one checkout can be paid at once',
    flow: 'ucpHeldUp',
  },
  {
    name: 'bitcoin on a terminal in excess not owed',
    file: sales,
    find: 'if (due && dueSats > before.dueSats) await excess(tx, change, due, { saleId: before.saleId });',
    replace: '',
    why: 'what came too much, or beside the card, is kept',
    flow: 'saleInBitcoin',
  },
  {
    name: 'late bitcoin on a terminal not shown',
    file: sales,
    find: 'else if (sale.endedAt !== null) await takeLate(tx, row, sale, change);',
    replace: '',
    why: 'the till finds neither the payment that came late nor its amount',
    flow: 'saleBackToCard',
  },
  {
    name: 'part of the amount pays a sale on a terminal',
    file: 'backend/terminal-sales/bitcoin-sale.ts',
    find: "if (confirmedSats >= amountSats) return 'paid';",
    replace: "if (confirmedSats + seenSats >= amountSats) return 'paid';",
    why: 'goods are handed over for a transaction that can be replaced',
    flow: 'saleInBitcoin',
  },
  {
    name: 'card taken while a terminal asks for bitcoin',
    file: transitions,
    find: "if (await tx.first(openSaleInvoice, { saleId: sale.id })) return { kind: 'bitcoin_in_progress' };",
    replace: '',
    why: 'the customer pays by card and in bitcoin',
    flow: 'saleInBitcoin',
  },
];
