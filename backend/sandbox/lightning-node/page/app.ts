/** The wallet's page: each button is one request of the control interface; the books are read every second. */
type Invoice = { paymentHash: string; memo: string; state: string; valueMsat: number; paidMsat: number };
type Transaction = { txId: string; blockHeight: number; outputs: { address: string; amountSats: number }[] };
type ArmedFault = { kind: string; call?: string; times: number };
const refreshEveryMs = 1000;
const shownRows = 30;

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
}

function make(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

async function ask(path: string, method: string, body?: string): Promise<unknown> {
  const response = await fetch(`/control/${path}`, { method, ...(body === undefined ? {} : { body }) });
  const content: unknown = await response.json();
  if (!response.ok) throw new Error((content as { error: string }).error.replaceAll('_', ' '));
  return content;
}

/** Asks, says how it went, and shows the books as they are then. */
async function act(said: string, path: string, body: object): Promise<void> {
  try {
    await ask(path, 'POST', JSON.stringify(body));
    element('notice').textContent = `${said}: done`;
  } catch (error) {
    element('notice').textContent = `${said}: ${error instanceof Error ? error.message : String(error)}`;
  }
  await refresh();
}

/** What a payment page offers, in whichever of its forms. */
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
    : 'say how many satoshis';
}

async function refresh(): Promise<void> {
  const [faults, invoices, chain] = await Promise.all([
    ask('faults', 'GET'),
    ask('invoices', 'GET'),
    ask('chain', 'GET'),
  ]);
  const { height, transactions } = chain as { height: number; transactions: Transaction[] };
  const items = (faults as ArmedFault[]).map(({ kind, call, times }) =>
    make('li', `${kind}${call === undefined ? '' : ` of ${call}`}${times === 1 ? '' : `, ${times} times`}`),
  );
  replaceIfNew('armed', items.length > 0 ? items : [make('li', 'None')]);
  const latest = <Row>(rows: readonly Row[]) => rows.slice(-shownRows).reverse();
  replaceIfNew('invoices', latest(invoices as Invoice[]).map(invoiceRow));
  replaceIfNew(
    'transactions',
    latest(transactions).map(one => transactionRow(one, height)),
  );
}

function button(text: string, name: string, path: string, body: object): HTMLElement {
  const made = make('button', text) as HTMLButtonElement;
  made.type = 'button';
  made.setAttribute('aria-label', `${text} ${name}`);
  made.addEventListener('click', () => void act(text, path, body));
  return made;
}

function invoiceRow({ paymentHash, memo, state, valueMsat, paidMsat }: Invoice): HTMLElement {
  const row = make('tr', '');
  const doing = make('td', '');
  const name = memo || paymentHash.slice(0, 12);
  if (state === 'OPEN') {
    doing.append(button('Pay', name, 'pay', { paymentHash }), button('Expire', name, 'expire', { paymentHash }));
    if (valueMsat > 0) doing.append(button('Pay double', name, 'pay', { paymentHash, amountMsat: valueMsat * 2 }));
    doing.append(button('Hold', name, 'pay', { paymentHash, hold: true }));
  }
  if (state === 'ACCEPTED')
    doing.append(
      button('Settle', name, 'release', { paymentHash, outcome: 'settle' }),
      button('Cancel', name, 'release', { paymentHash, outcome: 'cancel' }),
    );
  row.append(
    make('td', name),
    make('td', state.toLowerCase()),
    make('td', String(valueMsat / 1000)),
    make('td', String(paidMsat / 1000)),
    doing,
  );
  return row;
}

function transactionRow({ txId, blockHeight, outputs }: Transaction, height: number): HTMLElement {
  const row = make('tr', '');
  const doing = make('td', '');
  const sats = outputs.reduce((sum, { amountSats }) => sum + amountSats, 0);
  const name = txId.slice(0, 12);
  if (blockHeight === 0)
    doing.append(
      button('Confirm', name, 'chain/mine', { txId }),
      button('Replace', name, 'chain/replace', { txId }),
      button('Drop', name, 'chain/drop', { txId }),
    );
  const confirmations = blockHeight === 0 ? 'waits' : String(height - blockHeight + 1);
  row.append(make('td', name), make('td', confirmations), make('td', String(sats)), doing);
  return row;
}

/** Only when it changed: a button that is replaced under the pointer cannot be pressed. */
function replaceIfNew(id: string, children: readonly HTMLElement[]): void {
  const place = element(id);
  const next = children.map(child => child.outerHTML).join('');
  if (place.dataset.shown === next) return;
  place.dataset.shown = next;
  place.replaceChildren(...children);
}

for (const one of document.querySelectorAll<HTMLButtonElement>('[data-path]'))
  one.addEventListener('click', () => {
    void act(one.textContent ?? '', one.dataset.path ?? '', JSON.parse(one.dataset.body ?? '{}') as object);
  });
element('pay').addEventListener('submit', event => {
  event.preventDefault();
  const { target, amount } = Object.fromEntries(new FormData(event.target as HTMLFormElement)) as Record<
    string,
    string
  >;
  const made = payment(target ?? '', amount ? Number(amount) : undefined);
  if (typeof made === 'string') element('notice').textContent = `Pay: ${made}`;
  else void act('Pay', made.path, made.body);
});
element('clear').addEventListener('click', () => void ask('faults', 'DELETE').then(refresh));
for (const one of document.querySelectorAll<HTMLElement>('.scroll')) one.tabIndex = 0;
void refresh();
setInterval(() => {
  refresh().catch(() => {
    element('notice').textContent = 'The sandbox does not answer';
  });
}, refreshEveryMs);
