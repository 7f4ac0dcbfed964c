import type { Mutant } from './mutant.ts';

const tips = 'backend/channels/tip-links/service.ts';
const ucp = 'backend/channels/ucp/service.ts';
const changes = 'backend/channels/ucp/changes.ts';
const sales = 'backend/channels/terminal-sales/bitcoin.ts';
const transitions = 'backend/channels/terminal-sales/transitions.ts';

/** Bugs in tips, in UCP checkouts paid over Lightning, and in bitcoin on terminals. */
export const tipping: readonly Mutant[] = [
  {
    name: 'the total of tips omits the latest',
    file: tips,
    find: 'tipCount: Number(received?.count ?? 0),',
    replace: 'tipCount: Math.max(0, Number(received?.count ?? 0) - 1),',
    why: 'staff are paid less than customers gave',
    flow: 'tips',
  },
  {
    name: 'a tip is not counted on its link',
    file: tips,
    find: 'if (!(await tx.first(tipLinkForUpdate, { id }))) return;',
    replace: 'return;',
    why: 'the link shows that no tips were given',
    flow: 'tips',
  },
  {
    name: 'tips are taken on a deleted link',
    file: tips,
    find: 'return row?.deletedAt === null ? withAddresses(row) : undefined;',
    replace: 'return row ? withAddresses(row) : undefined;',
    why: 'customers give tips that are no longer wanted',
    flow: 'tips',
  },
  {
    name: 'the payment of another UCP checkout proves this one',
    file: ucp,
    find: "if (found.checkoutId !== checkoutId) return err({ kind: 'binding_mismatch' });",
    replace: '',
    why: 'one payment completes two orders',
    flow: 'ucp',
  },
  {
    name: 'a UCP invoice is settled with another amount',
    file: changes,
    find: 'const isExact = confirmedSats === invoice.amountSats;',
    replace: 'const isExact = confirmedSats >= invoice.amountSats;',
    why: 'the excess is kept',
    flow: 'ucp',
  },
  {
    name: 'a UCP excess is not claimed',
    file: changes,
    find: 'await excess(tx, change, { reason, amountSats: confirmedSats }, { checkoutId: known.checkoutId });',
    replace: '',
    why: 'no platform completes the checkout, and the money is not returned',
    flow: 'ucp',
  },
  {
    name: 'a UCP invoice is returned after its expiry',
    file: 'backend/bitcoin/invoices/service.ts',
    find: 'if (isOpen(row)) return ok(row);\n    // The node',
    replace: 'if (row) return ok(row);\n    // The node',
    why: 'two invoices of one checkout can be paid at once',
    flow: 'ucpHeldUp',
  },
  {
    name: 'excess bitcoin on a terminal is not claimed',
    file: sales,
    find: 'if (due && dueSats > before.dueSats) await excess(tx, change, due, { saleId: before.saleId });',
    replace: '',
    why: 'an excess, or bitcoin paid beside the card, is kept',
    flow: 'saleInBitcoin',
  },
  {
    name: 'late bitcoin on a terminal is not shown',
    file: sales,
    find: 'else if (sale.endedAt !== null) await takeLate(tx, row, sale, change);',
    replace: '',
    why: 'the till finds neither the late payment nor its amount',
    flow: 'saleBackToCard',
  },
  {
    name: 'an unconfirmed payment pays a sale on a terminal',
    file: 'backend/channels/terminal-sales/bitcoin-sale.ts',
    find: "if (confirmedSats >= amountSats) return 'paid';",
    replace: "if (confirmedSats + seenSats >= amountSats) return 'paid';",
    why: 'goods are handed over for a transaction that can be replaced',
    flow: 'saleInBitcoin',
  },
  {
    name: 'a card is taken while a terminal requests bitcoin',
    file: transitions,
    find: "if (await tx.first(openSaleInvoice, { saleId: sale.id })) return { kind: 'bitcoin_in_progress' };",
    replace: '',
    why: 'the customer pays by card and in bitcoin',
    flow: 'saleInBitcoin',
  },
];
