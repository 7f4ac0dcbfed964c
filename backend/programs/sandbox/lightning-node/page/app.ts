import { ask, controlPage, element, make, showFaults, showRows } from '../../page/common.ts';

/** The wallet's control page: each button is a request to the control interface; lists are refreshed every second. */
type Invoice = { paymentHash: string; memo: string; state: string; valueMsat: number; paidMsat: number };
type Transaction = { txId: string; blockHeight: number; outputs: { address: string; amountSats: number }[] };
type ArmedFault = { kind: string; call?: string; times: number };
const shownRows = 30;

const page = controlPage(refresh);

/** Parses what a payment page offers, in any of its forms. */
function payment(target: string, sats: number | undefined): { path: string; body: object } | string {
  const [, scheme = '', rest = ''] = /^(?:(lightning|bitcoin):)?(.*)$/i.exec(target.trim()) ?? [];
  const [first = '', query = ''] = rest.split('?', 2);
  const parameters = new URLSearchParams(query);
  const invoice = [...parameters].find(([name]) => name.toLowerCase() === 'lightning')?.[1] ?? first;
  if (/^lnbcrt/i.test(invoice) && scheme.toLowerCase() !== 'bitcoin')
    return { path: 'pay', body: { bolt11: invoice, ...(sats === undefined ? {} : { amountMsat: sats * 1000 }) } };
  if (!/^bcrt1/i.test(first)) return 'not an invoice or address of this chain';
  const asked = Math.round(Number(parameters.get('amount') ?? 0) * 1e8);
  const amountSats = sats ?? asked;
  return amountSats > 0
    ? { path: 'chain/pay', body: { address: first.toLowerCase(), amountSats } }
    : 'enter the amount in satoshis';
}

async function refresh(): Promise<void> {
  const [faults, invoices, chain] = await Promise.all([
    ask('faults', 'GET'),
    ask('invoices', 'GET'),
    ask('chain', 'GET'),
  ]);
  const { height, transactions } = chain as { height: number; transactions: Transaction[] };
  showFaults((faults as ArmedFault[]).map(({ kind, call: about, times }) => ({ kind, about, times })));
  const latest = <Row>(rows: readonly Row[]) => rows.slice(-shownRows).reverse();
  showRows('invoices', latest(invoices as Invoice[]).map(invoiceRow));
  showRows(
    'transactions',
    latest(transactions).map(one => transactionRow(one, height)),
  );
}

function invoiceRow({ paymentHash, memo, state, valueMsat, paidMsat }: Invoice): HTMLElement {
  const row = make('tr', '');
  const actions = make('td', '');
  const name = memo || paymentHash.slice(0, 12);
  if (state === 'OPEN') {
    actions.append(
      page.button('Pay', name, 'pay', { paymentHash }),
      page.button('Expire', name, 'expire', { paymentHash }),
    );
    if (valueMsat > 0)
      actions.append(page.button('Pay double', name, 'pay', { paymentHash, amountMsat: valueMsat * 2 }));
    actions.append(page.button('Hold', name, 'pay', { paymentHash, hold: true }));
  }
  if (state === 'ACCEPTED')
    actions.append(
      page.button('Settle', name, 'release', { paymentHash, outcome: 'settle' }),
      page.button('Cancel', name, 'release', { paymentHash, outcome: 'cancel' }),
    );
  row.append(
    make('td', name),
    make('td', state.toLowerCase()),
    make('td', String(valueMsat / 1000)),
    make('td', String(paidMsat / 1000)),
    actions,
  );
  return row;
}

function transactionRow({ txId, blockHeight, outputs }: Transaction, height: number): HTMLElement {
  const row = make('tr', '');
  const actions = make('td', '');
  const sats = outputs.reduce((sum, { amountSats }) => sum + amountSats, 0);
  const name = txId.slice(0, 12);
  if (blockHeight === 0)
    actions.append(
      page.button('Confirm', name, 'chain/mine', { txId }),
      page.button('Replace', name, 'chain/replace', { txId }),
      page.button('Drop', name, 'chain/drop', { txId }),
    );
  const confirmations = blockHeight === 0 ? 'waits' : String(height - blockHeight + 1);
  row.append(make('td', name), make('td', confirmations), make('td', String(sats)), actions);
  return row;
}

element('pay').addEventListener('submit', event => {
  event.preventDefault();
  const { target, amount } = Object.fromEntries(new FormData(event.target as HTMLFormElement)) as Record<
    string,
    string
  >;
  const made = payment(target ?? '', amount ? Number(amount) : undefined);
  if (typeof made === 'string') element('notice').textContent = `Pay: ${made}`;
  else void page.act('Pay', made.path, made.body);
});
page.start();
