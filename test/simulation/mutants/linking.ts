import type { Mutant } from './mutant.ts';

const service = 'backend/channels/payment-links/service.ts';
const bitcoin = 'backend/channels/payment-links/bitcoin.ts';
const excess = 'backend/bitcoin/invoices/excess.ts';

/** Bugs in payment links, which card and bitcoin may not pay at once. */
export const linking: readonly Mutant[] = [
  {
    name: 'a card is taken while bitcoin is requested',
    file: service,
    find: "if (await tx.first(openLinkInvoice, { paymentLinkId: linkId })) return err({ kind: 'payment_in_progress' });",
    replace: '',
    why: 'a link is paid by card and in bitcoin',
  },
  {
    name: 'payments in progress are not counted',
    file: service,
    find: 'const balanceMinor = unpaidMinor - (pending?.totalMinor ?? 0);',
    replace: 'const balanceMinor = unpaidMinor;',
    why: 'two cards pay the same link',
  },
  {
    name: 'a paid link can be paid again',
    file: service,
    find: "if (status === 'PAID') return err({ kind: 'payment_link_paid' });",
    replace:
      "if (status === 'PAID') return ok({ businessId, paymentLinkId: linkId, amountMinor: link.amountMinor, currency: link.currency });",
    why: 'the second tab pays once more',
  },
  {
    name: 'a card payment does not count towards its link',
    file: service,
    find: 'if (paymentLinkId !== null) await tx.run(addPaid, { id: paymentLinkId, amountMinor: takenMinor(payment), now });',
    replace: '',
    why: 'a paid link can be paid again',
  },
  {
    name: 'a link can be deleted while a card pays it',
    file: service,
    find: 'if (undecided) return err(undecided);\n        return ok((await tx.first(deleteLink,',
    replace: 'return ok((await tx.first(deleteLink,',
    why: 'a customer pays a deleted link',
  },
  {
    name: 'a link can be deleted while bitcoin pays it',
    file: service,
    find: 'const inBitcoin = await bitcoin.release(tx, { businessId, id });\n        if (inBitcoin) return err(inBitcoin);',
    replace: '',
    why: 'a customer pays a deleted link',
  },
  {
    name: 'bitcoin on a link is counted twice',
    file: bitcoin,
    find: "if (isNewly && status === 'paid') {",
    replace: "if (status === 'paid') {",
    why: 'one payment pays a link twice',
  },
  {
    name: 'expiry ends a link while it is being paid on chain',
    file: bitcoin,
    find: "return isOver && seenSats === 0 ? 'ended' : 'open';",
    replace: "return isOver ? 'ended' : 'open';",
    why: 'a customer who paid in time has paid for nothing',
  },
  {
    name: 'bitcoin can be abandoned while it can still be paid',
    file: bitcoin,
    find: "if (before.lightning === 'open' || receivedSats > 0) {",
    replace: 'if (receivedSats < 0) {',
    why: 'the customer pays by card, and the wallet pays too',
  },
  {
    name: 'an excess on a link is not recorded',
    file: bitcoin,
    find: 'if (due && dueSats > before.dueSats) await excess(',
    replace: 'if (due && dueSats < before.dueSats) await excess(',
    why: 'the shop keeps money that does not pay the link',
  },
  {
    name: 'the merchant is not notified of an excess',
    file: excess,
    find: 'if (!paymentId) return;',
    replace: 'return;',
    why: 'an excess is not returned',
  },
  {
    name: 'a voided card payment still counts on its link',
    file: service,
    find: 'await tx.run(subtractPaid, { id: paymentLinkId, amountMinor: takenMinor(payment) });',
    replace: '',
    why: 'the merchant hands over goods that are not paid for',
    flow: 'linkVoided',
  },
  {
    name: 'a link is not updated by a void',
    file: 'backend/money/refunds/outcome.ts',
    find: 'if (voided) await options.onPaymentLost(tx, voided);',
    replace: '',
    why: 'the merchant reads that a link was paid with money that was returned',
    flow: 'linkVoided',
  },
  {
    name: 'a void reopens a paid link',
    file: service,
    find: "if (payment.status === 'settlement_rejected') await tx.run(reopenLink",
    replace: 'await tx.run(reopenLink',
    why: 'a customer pays for an order that was cancelled',
    flow: 'linkVoided',
  },
  {
    name: 'a part payment by card pays the whole link',
    file: 'backend/channels/payment-links/link.ts',
    find: "if (link.paidAt !== null) return 'PAID';",
    replace: "if (link.amountPaidMinor > 0) return 'PAID';",
    why: 'the rest is never requested',
    flow: 'linkPaidInParts',
  },
  {
    name: 'a part payment in bitcoin pays the whole link',
    file: bitcoin,
    find: "if (confirmedSats >= amountSats) return 'paid';",
    replace: "if (confirmedSats > 0) return 'paid';",
    why: 'half the price is enough',
  },
  {
    name: 'a part below the minimum is taken',
    file: service,
    find: "if (amountMinor < minimumMinor) return err({ kind: 'part_payment_refused', minimumMinor });",
    replace: '',
    why: 'the merchant receives a penny and has to return it',
    flow: 'linkPaidInParts',
  },
  {
    name: 'bitcoin waiting for its block leaves the link payable by card',
    file: bitcoin,
    find: "const receivedSatsOf = ({ confirmedSats, seenSats }: InvoiceChange['progress']) => confirmedSats + seenSats;",
    replace: "const receivedSatsOf = ({ confirmedSats }: InvoiceChange['progress']) => confirmedSats;",
    why: 'the card is charged, and the transaction is mined',
  },
];
