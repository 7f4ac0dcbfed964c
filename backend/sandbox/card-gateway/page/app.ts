import type { SaleLedger } from '../control.ts';

/** The bank's page: each button is one request of the control interface; the books are read every second. */
type ArmedFault = { kind: string; action?: string; times: number };
const refreshEveryMs = 1000;

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
  if (!response.ok) throw new Error((content as { error: string }).error);
  return content;
}

/** Asks, says how it went, and shows the books as they are then. */
async function act(said: string, path: string, body: string): Promise<void> {
  try {
    const answer = await ask(path, 'POST', body);
    element('notice').textContent = path === 'settle' ? `${said}: ${countsOf(answer as Record<string, number>)}` : said;
  } catch (error) {
    element('notice').textContent = `${said}: ${error instanceof Error ? error.message : String(error)}`;
  }
  await refresh();
}

function countsOf({ tendered = 0, accepted = 0, rejected = 0 }: Record<string, number>): string {
  return `${tendered} handed over, ${accepted} accepted, ${rejected} rejected`;
}

async function refresh(): Promise<void> {
  const [faults, sales] = await Promise.all([ask('faults', 'GET'), ask('ledger', 'GET')]);
  showFaults(faults as ArmedFault[]);
  showSales(sales as SaleLedger[]);
}

function showFaults(faults: readonly ArmedFault[]): void {
  const items = faults.map(({ kind, action, times }) =>
    make('li', `${kind}${action === undefined ? '' : ` of ${action}`}${times === 1 ? '' : `, ${times} times`}`),
  );
  replaceIfNew('armed', items.length > 0 ? items : [make('li', 'None')]);
}

function showSales(sales: readonly SaleLedger[]): void {
  const rows = [...sales].reverse().map(sale => {
    const row = make('tr', '');
    const doing = make('td', '');
    const button = (text: string, path: string, body: object) => {
      const made = make('button', text) as HTMLButtonElement;
      made.type = 'button';
      made.setAttribute('aria-label', `${text} ${sale.xref}`);
      made.addEventListener('click', () => void act(text, path, JSON.stringify({ xref: sale.xref, ...body })));
      doing.append(made);
    };
    button('Settle', 'settle', { outcome: 'accepted' });
    button('Reject', 'settle', { outcome: 'rejected' });
    button('Approve again', 'second-approval', {});
    row.append(
      make('td', sale.xref),
      make('td', sale.state),
      make('td', String(sale.takenMinor)),
      make('td', String(sale.returnedMinor)),
      doing,
    );
    return row;
  });
  replaceIfNew('sales', rows);
}

/** Only when it changed: a button that is replaced under the pointer cannot be pressed. */
function replaceIfNew(id: string, children: readonly HTMLElement[]): void {
  const place = element(id);
  const next = children.map(child => child.outerHTML).join('');
  if (place.dataset.shown === next) return;
  place.dataset.shown = next;
  place.replaceChildren(...children);
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-path]'))
  button.addEventListener('click', () => {
    void act(button.textContent ?? '', button.dataset.path ?? '', button.dataset.body ?? '{}');
  });
element('clear').addEventListener('click', () => void ask('faults', 'DELETE').then(refresh));
element('scroll').tabIndex = 0;
void refresh();
setInterval(() => {
  refresh().catch(() => {
    element('notice').textContent = 'The sandbox does not answer';
  });
}, refreshEveryMs);
