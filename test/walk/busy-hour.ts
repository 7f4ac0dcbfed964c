import { seededNumbers } from '../simulation/seeded.ts';
import type { Counter } from './counter.ts';

type Hour = { readonly customers: number; readonly seed: number };
type Payment = { readonly status: string; readonly amountInCents: number };

/** Serves one customer after the other, some with a card that needs a PIN or is declined; returns what was taken. */
export async function busyHour(counter: Counter, { customers, seed }: Hour): Promise<string> {
  const { florin } = counter;
  const random = seededNumbers(seed);
  const before = await takenMinor(counter);
  const startedAtMs = performance.now();
  let takenHereMinor = 0;
  for (let customer = 1; customer <= customers; customer += 1) {
    const amountMinor = random.between(100, 8_999);
    const luck = random.unit();
    const isDeclined = luck < 0.08;
    if (isDeclined) await florin.controlBank('POST', '/faults', { kind: 'decline', action: 'CARD_PRESENT' });
    await counter.heading('Amount to charge');
    await counter.type(String(amountMinor));
    await counter.tap(/^Charge £/);
    if (luck < 0.2) await counter.present('Visa debit', 'Insert', '1234');
    else await counter.present(luck < 0.6 ? 'Visa credit' : 'Mastercard credit', 'Tap');
    await counter.heading(isDeclined ? 'Declined' : 'Approved');
    if (customer === Math.ceil(customers / 2)) await counter.picture('hour-middle');
    if (luck < 0.2) await counter.removeCard();
    if (!isDeclined) takenHereMinor += amountMinor;
    await counter.tap('New sale');
  }
  const minutes = (performance.now() - startedAtMs) / 60_000;
  await counter.tap('Recent sales');
  await counter.heading('Recent sales');
  await counter.picture('hour-recent-sales');
  await counter.tap('Day totals');
  await counter.heading('Day totals');
  await counter.picture('hour-day-totals');
  const after = await takenMinor(counter);
  const differences = { service: after.service - before.service, bank: after.bank - before.bank };
  if (differences.service !== takenHereMinor || differences.bank !== takenHereMinor)
    throw new Error(`${takenHereMinor} was taken at the terminal, but ${JSON.stringify(differences)} (seed ${seed})`);
  const each = (minutes * 60) / customers;
  return `Busy hour (seed ${seed}): ${customers} customers in ${minutes.toFixed(1)} minutes, ${each.toFixed(1)} s each; terminal, service and bank agree on £${(takenHereMinor / 100).toFixed(2)}.`;
}

/** The sum of what was taken and not voided, at the service and at the bank. */
async function takenMinor({ florin }: Counter): Promise<{ readonly service: number; readonly bank: number }> {
  let service = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = (await florin.get(`/api/v1/payments?limit=100${query}`)) as {
      readonly items: readonly Payment[];
      readonly nextCursor: string | null;
    };
    const taken = page.items.filter(({ status }) => status === 'unsettled' || status === 'settled');
    service += taken.reduce((sum, { amountInCents }) => sum + amountInCents, 0);
    cursor = page.nextCursor;
  }
  const bank = (await florin.ledger()).reduce((sum, sale) => sum + sale.takenMinor, 0);
  return { service, bank };
}
