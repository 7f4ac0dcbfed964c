import type { BitcoinClaimFacts } from '@florin/shared/contracts/api-v1/bitcoin-claims.ts';
import { texts } from '../../words/texts.ts';

type Reasons = Readonly<Record<BitcoinClaimFacts['reason'], string>>;
type Statuses = Readonly<Record<BitcoinClaimFacts['status'], string>>;
type Purposes = Readonly<Record<BitcoinClaimFacts['purpose'], string>>;

const reasons: Reasons = { underpaid: 'Too little', overpaid: 'Too much', late: 'Too late' };
const statuses: Statuses = {
  open: 'No destination yet',
  requested: 'To be returned',
  disputed: 'Destinations differ',
  returned: 'Returned',
};
const purposes: Purposes = {
  checkout: 'Checkout',
  paymentLink: 'Payment link',
  terminalSale: 'Sale at a terminal',
  tip: 'Tip',
  ucp: 'UCP invoice',
};

const en = {
  title: 'Bitcoin to return',
  about:
    'What customers sent too late, too little or too much. You send it back from your own wallet and record it here.',
  caption: 'Amounts to return, newest first',
  what: 'Of',
  reason: 'Why',
  left: 'To return',
  state: 'State',
  since: 'Since',
  reasons,
  statuses,
  purposes,
  empty: 'Nothing to return',
  emptyWhy: 'Bitcoin that arrives late, in part or in excess is listed here until it is returned.',
  nothing: 'Nothing matches these filters',
  disputed: 'Different destinations were given. Find out from the customer which is right before you return anything.',
  open: 'The customer has not said where to send it. The page they paid on asks them for it.',
  total: 'Arrived',
  refunded: 'Settled by refunds',
  returned: 'Returned',
  destinations: 'Where to send it',
  givenAt: (time: string) => `Given ${time}`,
  receipts: 'What arrived',
  returns: 'What was returned',
  record: {
    title: 'Record a return',
    why: 'This sends nothing: it records that you did. It counts as a bitcoin refund of the payment.',
    network: 'Sent over',
    txId: 'Transaction or payment hash',
    txIdHint: '64 hexadecimal digits, as your wallet shows them.',
    amount: 'Amount in satoshis',
    destination: 'To',
    note: 'Note',
    noteHint: 'Only you see it.',
    submit: 'Record the return',
    done: 'The return was recorded',
    claim_already_returned: 'Everything has been returned already.',
    return_exceeds_claim: 'That is more than is left to return.',
    return_differs: 'This transaction was recorded before, with other facts.',
    destination_required: 'Say to which destination it was sent.',
    destination_not_given: 'The customer did not give this destination.',
  },
};

const de: typeof en = {
  title: 'Bitcoin zurückzugeben',
  about:
    'Was Kunden zu spät, zu wenig oder zu viel gesendet haben. Sie senden es aus Ihrer Wallet zurück und vermerken es hier.',
  caption: 'Zurückzugebende Beträge, der neueste zuerst',
  what: 'Von',
  reason: 'Warum',
  left: 'Zurückzugeben',
  state: 'Stand',
  since: 'Seit',
  reasons: { underpaid: 'Zu wenig', overpaid: 'Zu viel', late: 'Zu spät' },
  statuses: {
    open: 'Noch kein Ziel',
    requested: 'Zurückzugeben',
    disputed: 'Ziele widersprechen sich',
    returned: 'Zurückgegeben',
  },
  purposes: {
    checkout: 'Checkout',
    paymentLink: 'Zahlungslink',
    terminalSale: 'Verkauf am Terminal',
    tip: 'Trinkgeld',
    ucp: 'UCP-Rechnung',
  },
  empty: 'Nichts zurückzugeben',
  emptyWhy: 'Bitcoin, das zu spät, in Teilen oder im Übermaß ankommt, steht hier, bis es zurückgegeben ist.',
  nothing: 'Nichts passt zu diesen Filtern',
  disputed:
    'Es wurden verschiedene Ziele genannt. Klären Sie mit dem Kunden, welches richtig ist, bevor Sie etwas zurückgeben.',
  open: 'Der Kunde hat nicht gesagt, wohin es gesendet werden soll. Die Seite, auf der er zahlte, fragt ihn danach.',
  total: 'Angekommen',
  refunded: 'Durch Erstattungen erledigt',
  returned: 'Zurückgegeben',
  destinations: 'Wohin es gesendet werden soll',
  givenAt: time => `Genannt ${time}`,
  receipts: 'Was ankam',
  returns: 'Was zurückgegeben wurde',
  record: {
    title: 'Eine Rückgabe vermerken',
    why: 'Dies sendet nichts: Es vermerkt, dass Sie es taten. Es zählt als Bitcoin-Erstattung der Zahlung.',
    network: 'Gesendet über',
    txId: 'Transaktion oder Zahlungs-Hash',
    txIdHint: '64 hexadezimale Ziffern, wie Ihre Wallet sie zeigt.',
    amount: 'Betrag in Satoshis',
    destination: 'An',
    note: 'Notiz',
    noteHint: 'Nur Sie sehen sie.',
    submit: 'Rückgabe vermerken',
    done: 'Die Rückgabe wurde vermerkt',
    claim_already_returned: 'Es wurde schon alles zurückgegeben.',
    return_exceeds_claim: 'Das ist mehr, als noch zurückzugeben ist.',
    return_differs: 'Diese Transaktion wurde schon mit anderen Angaben vermerkt.',
    destination_required: 'Nennen Sie, an welches Ziel gesendet wurde.',
    destination_not_given: 'Dieses Ziel hat der Kunde nicht genannt.',
  },
};

export const returnsTexts = texts({ en, de });
