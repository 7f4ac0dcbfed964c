import type { Mutant } from './mutant.ts';

const service = 'backend/payment-links/service.ts';
const bitcoin = 'backend/payment-links/bitcoin.ts';
const excess = 'backend/bitcoin-invoices/excess.ts';

/** Payment links, which two rails may not pay at once. */
export const linking: readonly Mutant[] = [
  {
    name: 'card taken while bitcoin is asked for',
    file: service,
    find: "if (await tx.first(openLinkInvoice, { paymentLinkId: linkId })) return err({ kind: 'payment_in_progress' });",
    replace: '',
    why: 'a link is paid by card and in bitcoin',
  },
  {
    name: 'payments under way not counted',
    file: service,
    find: 'const balanceMinor = unpaidMinor - (pending?.totalMinor ?? 0);',
    replace: 'const balanceMinor = unpaidMinor;',
    why: 'two cards pay the same link',
  },
  {
    name: 'paid link paid again',
    file: service,
    find: "if (status === 'PAID') return err({ kind: 'payment_link_paid' });",
    replace:
      "if (status === 'PAID') return ok({ businessId, paymentLinkId: linkId, amountMinor: link.amountMinor, currency: link.currency });",
    why: 'the second tab pays once more',
  },
  {
    name: 'card does not count towards its link',
    file: service,
    find: 'if (paymentLinkId !== null) await tx.run(addPaid, { id: paymentLinkId, amountMinor: takenMinor(payment), now });',
    replace: '',
    why: 'a link that was paid is paid again',
  },
  {
    name: 'link deleted while it is being paid by card',
    file: service,
    find: 'if (undecided) return err(undecided);\n        return ok((await tx.first(deleteLink,',
    replace: 'return ok((await tx.first(deleteLink,',
    why: 'a customer pays for what is no longer there',
  },
  {
    name: 'link deleted while it is being paid in bitcoin',
    file: service,
    find: 'const inBitcoin = await bitcoin.release(tx, { businessId, id });\n        if (inBitcoin) return err(inBitcoin);',
    replace: '',
    why: 'a customer pays for what is no longer there',
  },
  {
    name: 'bitcoin on a link counted twice',
    file: bitcoin,
    find: "if (isNewly && status === 'paid') {",
    replace: "if (status === 'paid') {",
    why: 'one payment pays a link twice',
  },
  {
    name: 'expiry ends a link that is being paid on chain',
    file: bitcoin,
    find: "return isOver && seenSats === 0 ? 'ended' : 'open';",
    replace: "return isOver ? 'ended' : 'open';",
    why: 'who sent in time has paid for nothing',
  },
  {
    name: 'bitcoin given up while it can be paid',
    file: bitcoin,
    find: "if (before.lightning === 'open' || receivedSats > 0) {",
    replace: 'if (receivedSats < 0) {',
    why: 'the customer pays by card, and the wallet pays too',
  },
  {
    name: 'excess of a link not recorded',
    file: bitcoin,
    find: 'if (due && dueSats > before.dueSats) await excess(',
    replace: 'if (due && dueSats < before.dueSats) await excess(',
    why: 'what does not pay the link is kept',
  },
  {
    name: 'merchant not told of excess',
    file: excess,
    find: 'if (!paymentId) return;',
    replace: 'return;',
    why: 'nobody returns what came too much',
  },
  {
    name: 'voided card payment still counts on its link',
    file: service,
    find: 'await tx.run(subtractPaid, { id: paymentLinkId, amountMinor: takenMinor(payment) });',
    replace: '',
    why: 'the merchant hands over goods that nobody paid for',
    flow: 'linkVoided',
  },
  {
    name: 'link not told of a void',
    file: 'backend/refunds/outcome.ts',
    find: 'if (voided) await options.onVoided(tx, voided);',
    replace: '',
    why: 'the merchant reads that a link was paid with money that was given back',
    flow: 'linkVoided',
  },
  {
    name: 'void opens a paid link again',
    file: service,
    find: "if (payment.status === 'settlement_rejected') await tx.run(reopenLink",
    replace: 'await tx.run(reopenLink',
    why: 'a customer pays for an order that was called off',
    flow: 'linkVoided',
  },
  {
    name: 'part payment by card pays a link whole',
    file: 'backend/payment-links/link.ts',
    find: "if (link.paidAt !== null) return 'PAID';",
    replace: "if (link.amountPaidMinor > 0) return 'PAID';",
    why: 'the rest is never asked for',
    flow: 'linkPaidInParts',
  },
  {
    name: 'part payment in bitcoin pays a link whole',
    file: bitcoin,
    find: "if (confirmedSats >= amountSats) return 'paid';",
    replace: "if (confirmedSats > 0) return 'paid';",
    why: 'half the price is enough',
  },
  {
    name: 'smaller part than the minimum taken',
    file: service,
    find: "if (amountMinor < minimumMinor) return err({ kind: 'part_payment_refused', minimumMinor });",
    replace: '',
    why: 'the merchant gets a penny, and has to give it back',
    flow: 'linkPaidInParts',
  },
  {
    name: 'bitcoin that waits for its block gives the link free',
    file: bitcoin,
    find: "const receivedSatsOf = ({ confirmedSats, seenSats }: InvoiceChange['progress']) => confirmedSats + seenSats;",
    replace: "const receivedSatsOf = ({ confirmedSats }: InvoiceChange['progress']) => confirmedSats;",
    why: 'the card is charged, and the transaction is mined',
  },
];
