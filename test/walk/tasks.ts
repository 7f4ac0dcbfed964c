import type { Counter } from './counter.ts';
import { password, staffId } from './first-minutes.ts';

/** The paper, and the page that its code leads a customer's phone to. */
async function asCustomer(counter: Counter): Promise<void> {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'en-GB' } as const;
  const page = await counter.open(`${new URL(counter.florin.readerUrl).origin}/printer`, phone);
  const code = page.getByRole('img', { name: /^QR code: / }).first();
  await code.waitFor();
  await counter.picture('task-paper', page);
  const [, url = ''] = /^QR code: (.*)$/.exec((await code.getAttribute('alt')) ?? '') ?? [];
  await page.goto(url);
  await page.getByRole('heading').first().waitFor();
  await counter.picture('task-receipt-page', page);
  await page.context().close();
}

/** What staff do every day, each task from the keypad and back to it. */
export async function everydayTasks(counter: Counter): Promise<void> {
  const { florin } = counter;
  await counter.task('sale by contactless card', async () => {
    await counter.type('480');
    await counter.tap('Charge £4.80');
    await counter.present('Visa credit', 'Tap');
    await counter.heading('Approved');
    await counter.tap('New sale');
  });
  await counter.task('declined, then paid by another card', async () => {
    await florin.controlBank('POST', '/faults', { kind: 'decline', action: 'CARD_PRESENT' });
    await counter.type('2300');
    await counter.tap('Charge £23.00');
    await counter.present('Visa credit', 'Tap');
    await counter.heading('Declined');
    await counter.picture('task-declined');
    await counter.tap('Try again £23.00');
    await counter.present('Mastercard credit', 'Tap');
    await counter.heading('Approved');
    await counter.tap('New sale');
  });
  await counter.task('print the receipt of the last sale', async () => {
    await counter.tap('Recent sales');
    await counter.tap(/Mastercard/);
    await counter.tap('Receipt');
    await counter.tap('Print');
    await counter.picture('task-receipt');
    await counter.tap('Back');
    await counter.tap('Back');
    await counter.tap('Back');
  });
  await asCustomer(counter);
  await counter.task('void with password', async () => {
    await counter.tap('Recent sales');
    await counter.heading('Recent sales');
    await counter.picture('task-recent-sales');
    await counter.tap(/Mastercard/);
    await counter.tap('Void sale');
    await staffId(counter, '101');
    await counter.heading(/^Password for /);
    await counter.type(password);
    await counter.tap('Void sale');
    await counter.heading('Voided');
    await counter.tap('New sale');
  });
  await florin.settle();
  await counter.task('find an old sale by its amount, and refund a part with password', async () => {
    await counter.tap('Recent sales');
    await counter.tap('Find a sale');
    await counter.picture('task-find-sale');
    await counter.type('4.80');
    await counter.tap('Search');
    await counter.tap(/£4\.80/);
    await counter.tap('Refund');
    await counter.heading('Amount to refund');
    await counter.type('200');
    await counter.picture('task-refund-amount');
    await counter.tap('Refund £2.00');
    await staffId(counter, '101');
    await counter.heading(/^Password for /);
    await counter.type(password);
    await counter.tap('Refund');
    await counter.heading('Refunded');
    await counter.picture('task-refunded');
    await counter.tap('New sale');
  });
  await counter.task('end of day: the totals, on paper', async () => {
    await counter.tap('Recent sales');
    await counter.tap('Day totals');
    await counter.heading('Day totals');
    await counter.tap('Print');
    await counter.picture('task-day-totals');
    await counter.tap('Back');
    await counter.tap('Back');
  });
}
