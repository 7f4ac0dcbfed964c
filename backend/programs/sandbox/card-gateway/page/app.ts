import { ask, controlPage, make, showFaults, showRows } from '../../page/common.ts';
import type { ReadableSale } from '../control.ts';

/** The bank's control page: each button is a request to the control interface; lists are refreshed every second. */
type ArmedFault = { kind: string; action?: string; times: number };

const page = controlPage(refresh, (path, content) => {
  if (path !== 'settle') return 'done';
  const { tendered = 0, accepted = 0, rejected = 0 } = content as Record<string, number>;
  return `${tendered} handed over, ${accepted} accepted, ${rejected} rejected`;
});

async function refresh(): Promise<void> {
  const [faults, sales] = await Promise.all([ask('faults', 'GET'), ask('ledger', 'GET')]);
  showFaults((faults as ArmedFault[]).map(({ kind, action: about, times }) => ({ kind, about, times })));
  showRows('sales', [...(sales as ReadableSale[])].reverse().map(saleRow));
}

function saleRow({ xref, state, taken, returned }: ReadableSale): HTMLElement {
  const row = make('tr', '');
  const actions = make('td', '');
  actions.append(
    page.button('Settle', xref, 'settle', { xref, outcome: 'accepted' }),
    page.button('Reject', xref, 'settle', { xref, outcome: 'rejected' }),
    page.button('Approve again', xref, 'second-approval', { xref }),
  );
  row.append(make('td', xref), make('td', state), make('td', taken), make('td', returned), actions);
  return row;
}

page.start();
