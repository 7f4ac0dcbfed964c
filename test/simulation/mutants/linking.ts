import { bugsIn } from './mutant.ts';

/** Bugs in payment links, which card and bitcoin may not pay at once. */
export const linking = bugsIn({
  'backend/channels/payment-links/service.ts': [
    {
      name: 'a card is taken while bitcoin is requested',
      find: "if (await tx.first(openLinkInvoice, { paymentLinkId: linkId })) return err({ kind: 'payment_in_progress' });",
      replace: '',
    },
    {
      name: 'payments in progress are not counted',
      find: 'const balanceMinor = unpaidMinor - (pending?.totalMinor ?? 0);',
      replace: 'const balanceMinor = unpaidMinor;',
    },
    {
      name: 'a paid link can be paid again',
      find: "if (status === 'PAID') return err({ kind: 'payment_link_paid' });",
      replace:
        "if (status === 'PAID') return ok({ businessId, paymentLinkId: linkId, amountMinor: link.amountMinor, currency: link.currency });",
    },
    {
      name: 'a card payment does not count towards its link',
      find: 'if (paymentLinkId !== null) await tx.run(addPaid, { id: paymentLinkId, amountMinor: takenMinor(payment), now });',
      replace: '',
    },
    {
      name: 'a link can be deleted while a card pays it',
      find: 'if (undecided) return err(undecided);\n        return ok((await tx.first(deleteLink,',
      replace: 'return ok((await tx.first(deleteLink,',
    },
    {
      name: 'a link can be deleted while bitcoin pays it',
      find: 'const inBitcoin = await bitcoin.release(tx, { businessId, id });\n        if (inBitcoin) return err(inBitcoin);',
      replace: '',
    },
    {
      name: 'a voided card payment still counts on its link',
      find: 'await tx.run(subtractPaid, { id: paymentLinkId, amountMinor: takenMinor(payment) });',
      replace: '',
      flow: 'linkVoided',
    },
    {
      name: 'a void reopens a paid link',
      find: "if (payment.status === 'settlement_rejected') await tx.run(reopenLink",
      replace: 'await tx.run(reopenLink',
      flow: 'linkVoided',
    },
    {
      name: 'a part below the minimum is taken',
      find: "if (amountMinor < minimumMinor) return err({ kind: 'part_payment_refused', minimumMinor });",
      replace: '',
      flow: 'linkPaidInParts',
    },
  ],
  'backend/channels/payment-links/bitcoin.ts': [
    {
      name: 'bitcoin on a link is counted twice',
      find: "if (isNewly && status === 'paid') {",
      replace: "if (status === 'paid') {",
    },
    {
      name: 'expiry ends a link while it is being paid on chain',
      find: "return isOver && seenSats === 0 ? 'ended' : 'open';",
      replace: "return isOver ? 'ended' : 'open';",
    },
    {
      name: 'bitcoin can be abandoned while it can still be paid',
      find: "if (before.lightning === 'open' || receivedSats > 0) {",
      replace: 'if (receivedSats < 0) {',
    },
    {
      name: 'an excess on a link is not recorded',
      find: 'if (due && dueSats > before.dueSats) await excess(',
      replace: 'if (due && dueSats < before.dueSats) await excess(',
    },
    {
      name: 'a part payment in bitcoin pays the whole link',
      find: "if (confirmedSats >= amountSats) return 'paid';",
      replace: "if (confirmedSats > 0) return 'paid';",
    },
    {
      name: 'bitcoin waiting for its block leaves the link payable by card',
      find: "const receivedSatsOf = ({ confirmedSats, seenSats }: InvoiceChange['progress']) => confirmedSats + seenSats;",
      replace: "const receivedSatsOf = ({ confirmedSats }: InvoiceChange['progress']) => confirmedSats;",
    },
  ],
  'backend/bitcoin/invoices/excess.ts': [
    { name: 'the merchant is not notified of an excess', find: 'if (!paymentId) return;', replace: 'return;' },
  ],
  'backend/money/refunds/outcome.ts': [
    {
      name: 'a link is not updated by a void',
      find: 'if (voided) await options.onPaymentLost(tx, voided);',
      replace: '',
      flow: 'linkVoided',
    },
  ],
  'backend/channels/payment-links/link.ts': [
    {
      name: 'a part payment by card pays the whole link',
      find: "if (link.paidAt !== null) return 'PAID';",
      replace: "if (link.amountPaidMinor > 0) return 'PAID';",
      flow: 'linkPaidInParts',
    },
  ],
});
