import { bugsIn } from './mutant.ts';

/** Bugs in tips, in UCP checkouts paid over Lightning, and in bitcoin on terminals. */
export const tipping = bugsIn({
  'backend/channels/tip-links/service.ts': [
    {
      name: 'the total of tips omits the latest',
      find: 'tipCount: Number(received?.count ?? 0),',
      replace: 'tipCount: Math.max(0, Number(received?.count ?? 0) - 1),',
      flow: 'tips',
    },
    {
      name: 'a tip is not counted on its link',
      find: 'if (!(await tx.first(tipLinkForUpdate, { id }))) return;',
      replace: 'return;',
      flow: 'tips',
    },
    {
      name: 'tips are taken on a deleted link',
      find: 'return row?.deletedAt === null ? withAddresses(row) : undefined;',
      replace: 'return row ? withAddresses(row) : undefined;',
      flow: 'tips',
    },
  ],
  'backend/channels/ucp/service.ts': [
    {
      name: 'the payment of another UCP checkout proves this one',
      find: "if (found.checkoutId !== checkoutId) return err({ kind: 'binding_mismatch' });",
      replace: '',
      flow: 'ucp',
    },
  ],
  'backend/channels/ucp/changes.ts': [
    {
      name: 'a UCP invoice is settled with another amount',
      find: 'const isExact = confirmedSats === invoice.amountSats;',
      replace: 'const isExact = confirmedSats >= invoice.amountSats;',
      flow: 'ucp',
    },
    {
      name: 'a UCP excess is not claimed',
      find: 'await excess(tx, change, { reason, amountSats: confirmedSats }, { checkoutId: known.checkoutId });',
      replace: '',
      flow: 'ucp',
    },
  ],
  'backend/bitcoin/invoices/service.ts': [
    {
      name: 'a UCP invoice is returned after its expiry',
      find: 'if (isOpen(row)) return ok(row);\n    // The node',
      replace: 'if (row) return ok(row);\n    // The node',
      flow: 'ucpHeldUp',
    },
  ],
  'backend/channels/terminal-sales/bitcoin.ts': [
    {
      name: 'excess bitcoin on a terminal is not claimed',
      find: 'if (due && dueSats > before.dueSats) await excess(tx, change, due, { saleId: before.saleId });',
      replace: '',
      flow: 'saleInBitcoin',
    },
    {
      name: 'late bitcoin on a terminal is not shown',
      find: 'else if (sale.endedAt !== null) await takeLate(tx, row, sale, change);',
      replace: '',
      flow: 'saleBackToCard',
    },
  ],
  'backend/channels/terminal-sales/bitcoin-sale.ts': [
    {
      name: 'an unconfirmed payment pays a sale on a terminal',
      find: "if (confirmedSats >= amountSats) return 'paid';",
      replace: "if (confirmedSats + seenSats >= amountSats) return 'paid';",
      flow: 'saleInBitcoin',
    },
  ],
  'backend/channels/terminal-sales/transitions.ts': [
    {
      name: 'a card is taken while a terminal requests bitcoin',
      find: "if (await tx.first(openSaleInvoice, { saleId: sale.id })) return err({ kind: 'bitcoin_in_progress' });",
      replace: '',
      flow: 'saleInBitcoin',
    },
  ],
});
