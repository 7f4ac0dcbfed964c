import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { expect as expectOnce, type Page, test } from '@playwright/test';
import { z } from 'zod';
import { codeOn } from '../pages/payer.ts';
import { byHand } from '../support/typing.ts';
import { Caller } from './caller.ts';
import { type Florin, startFlorin } from './florin.ts';
import { look as lookAt } from './look.ts';

/**
 * Software starts sales on the terminal: first a till with a cashier, then a kiosk without one. Each sale is followed by
 * event stream and by polling, and reader, terminal, backend, bank and caller must report the same outcome.
 */
test.describe.configure({ mode: 'serial' });
test.use({ trace: 'off' });
const expect = expectOnce.configure({ timeout: 30_000 });

let florin: Florin;
let caller: Caller;
let terminal: Page;
const restarted: ChildProcess[] = [];

test.beforeAll(async ({ browser }) => {
  florin = await startFlorin();
  caller = new Caller(florin);
  terminal = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await terminal.goto(florin.terminalUrl);
  await terminal.getByRole('textbox', { name: 'Enrolment code' }).fill(florin.enrolmentCode);
  await terminal.keyboard.press('Enter');
  await shows('Amount to charge');
  await expect.poll(async () => JSON.stringify(await florin.get('/api/v1/devices'))).toContain('"serial":"');
  await caller.connect();
  await expect.poll(() => caller.readiness()).toMatchObject({ readyForSale: true, whyNot: null });
});
test.afterAll(async () => {
  for (const { pid } of restarted) if (pid !== undefined) endGroup(pid, 'SIGTERM');
  await florin?.stop();
});

const heading = (name: string | RegExp) => terminal.getByRole('heading', { name });
const shows = (name: string | RegExp) => expect(heading(name)).toBeVisible();
const button = (name: string | RegExp) => terminal.getByRole('button', { name, exact: typeof name === 'string' });
const password = 'harbour lights at nine';
const till = '/api/v1/terminal';
const kiosk = '/kiosk/v1';

const look = (name: string) => lookAt(terminal, 'driven', name);

/** Performs an action at the simulated reader. */
async function atReader(...actions: object[]): Promise<void> {
  for (const action of actions) {
    const done = async () =>
      (
        await fetch(`${florin.readerUrl}/api/actions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(action),
        })
      ).status;
    await expect.poll(done).toBe(200);
  }
}
const tap = { do: 'tap', card: 'visa' };

const readerState = z.object({
  transactions: z.array(z.object({ txn: z.string(), outcome: z.string().nullable() })),
});
async function readerOutcome(saleId: string): Promise<string | null | undefined> {
  const answer = await fetch(`${florin.readerUrl}/api/state`);
  const state = z
    .object({ state: readerState })
    .or(readerState)
    .parse(await answer.json());
  const { transactions } = 'state' in state ? state.state : state;
  // On the line, long runs of digits are broken up, so that nothing looks like a card number.
  return transactions.find(({ txn }) => txn.replaceAll('.', '') === saleId)?.outcome;
}

function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Runs a line that the program printed, unchanged. */
async function again(line: string): Promise<number> {
  const child = spawn('sh', ['-c', line], { cwd: florin.directory, detached: true, stdio: 'ignore' });
  restarted.push(child);
  return child.pid ?? 0;
}

const bank = async () => (await florin.ledger()).filter(({ takenMinor }) => takenMinor > 0).map(one => one.takenMinor);

/** Checks that caller, backend, bank and reader agree whether the sale was paid. */
async function expectConsistentRecords(
  saleId: string,
  { amountMinor, isPaid }: { amountMinor: number; isPaid: boolean },
) {
  const answered = async () => {
    const { status, rail } = await caller.read(saleId);
    return [status === 'COMPLETE', rail];
  };
  // Again where the limit of the key was reached, which following a sale comes near.
  await expect(async () => expect(await answered()).toEqual([isPaid, isPaid ? 'card' : null])).toPass();
  const payments = (await florin.get('/api/v1/payments?limit=100')) as {
    items: { saleId?: string | null; amountInCents: number; status: string }[];
  };
  const taken = payments.items.filter(
    one => one.amountInCents === amountMinor && ['unsettled', 'settled'].includes(one.status),
  );
  expect(taken).toHaveLength(isPaid ? 1 : 0);
  expect((await bank()).filter(one => one === amountMinor)).toHaveLength(isPaid ? 1 : 0);
  await expect.poll(async () => (await readerOutcome(saleId)) === 'approved').toBe(isPaid);
}

const identify = async (number: string) => {
  const field = terminal.getByLabel('Your staff ID');
  await field.fill(number);
  await field.press('Enter');
};
const give = async (password: string) => {
  await terminal.getByRole('textbox', { name: /^Password for / }).fill(password);
  await terminal.keyboard.press('Enter');
};

/** Closes the result. The terminal reports that to the service, which refuses sales as `terminal_busy` until then. */
async function next(): Promise<void> {
  await button('Done').click();
  await shows('Amount to charge');
  await expect.poll(() => caller.readiness()).toMatchObject({ readyForSale: true });
}

test('software starts a sale, a card pays it, and every side reports the same', async () => {
  const saleId = await caller.start(till, 1_250, { reference: 'Order 1042' });
  const ended = await caller.follow(saleId, async () => {
    await shows('Present card');
    await expect(terminal.getByText('Requested by Demo')).toBeVisible();
    await expect(terminal.getByText('Order 1042')).toBeVisible();
    await look('till-present-card');
    await caller.becomes(saleId, { statusReason: 'awaiting_card' });
    await atReader(tap);
  });
  expect(ended).toMatchObject({
    status: 'COMPLETE',
    statusReason: 'completed',
    metadata: { card: { lastFour: '0821' } },
  });
  await shows('Approved');
  await look('till-approved');
  await expectConsistentRecords(saleId, { amountMinor: 1_250, isPaid: true });
  await next();
});

test('a caller that crashes and repeats the request with the same Idempotency-Key has started one sale', async () => {
  const key = 'order-1043';
  const wanted = { reference: 'Order 1043' };
  await caller.crashWhileStarting(640, wanted, key);
  const retried = await caller.startOnce(till, 640, wanted, key);
  expect(retried.status).toBe(201);
  const saleId = String(retried.body.saleId);
  const ended = await caller.follow(saleId, async () => {
    await caller.becomes(saleId, { statusReason: 'awaiting_card' });
    await atReader(tap);
  });
  expect(ended.status).toBe('COMPLETE');
  expect((await caller.list()).filter(({ reference }) => reference === 'Order 1043')).toHaveLength(1);
  await expectConsistentRecords(saleId, { amountMinor: 640, isPaid: true });
  await next();
});

test('a cable pulled before the card is read ends the sale without a charge, and the next sale is paid', async () => {
  const saleId = await caller.start(till, 710);
  const ended = await caller.follow(saleId, async () => {
    await caller.becomes(saleId, { statusReason: 'awaiting_card' });
    await atReader({ do: 'unplug' });
    await expect.poll(() => caller.readiness()).toMatchObject({ readyForSale: false });
    await atReader({ do: 'replug' });
  });
  expect(ended.status).toBe('ERROR');
  await expectConsistentRecords(saleId, { amountMinor: 710, isPaid: false });
  await next();
});

test('after a power loss of the terminal, or of the backend, every side has the same outcome', async () => {
  const lost = await caller.start(till, 720);
  let terminalLine = '';
  const ended = await caller.follow(lost, async () => {
    await caller.becomes(lost, { statusReason: 'awaiting_card' });
    await atReader({ do: 'insert', card: 'visa-debit' });
    await shows('Enter PIN');
    await promisify(execFile)('sh', ['-c', florin.printed(/(kill -9 \d+)$/m)]);
    terminalLine = await florin.printedLine(/^ {2}(\S?.*npm run terminal -- .*)$/);
    await again(terminalLine);
  });
  expect(ended).toMatchObject({ status: 'ERROR', statusReason: 'interrupted' });
  await shows(/Interrupted|Cancelled|Reader disconnected/);
  await look('till-after-power-loss');
  await expectConsistentRecords(lost, { amountMinor: 720, isPaid: false });
  await atReader({ do: 'remove' });
  await next();

  const saleId = await caller.start(till, 730);
  const paid = await caller.follow(saleId, async () => {
    await caller.becomes(saleId, { statusReason: 'awaiting_card' });
    await promisify(execFile)('sh', ['-c', florin.printed(/(kill \d+)$/m)]);
    const line = await florin.printedLine(/^ {2}(\S.* npm run backend -- .*)$/);
    await expect(terminal.getByRole('banner')).toContainText('Offline');
    await again(line);
    await expect(terminal.getByRole('banner')).toContainText('Online');
    await atReader(tap);
  });
  expect(paid.status).toBe('COMPLETE');
  await expectConsistentRecords(saleId, { amountMinor: 730, isPaid: true });
  await next();
});

/** The customer's wallet, which scans the code on the screen and pays. */
async function scanAndPay(over: 'lightning' | 'onchain'): Promise<void> {
  await expect(terminal.locator('.qr-code')).toBeVisible();
  const uri = new URL(await codeOn(terminal, '.qr-code'));
  const wallet = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const url = `${florin.printed(/Sandbox wallet +(\S+)/)}/control${path}`;
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(200);
  };
  if (over === 'lightning') return wallet('/pay', { bolt11: uri.searchParams.get('lightning') ?? '' });
  const amountSats = Math.round(Number(uri.searchParams.get('amount')) * 1e8);
  await wallet('/chain/pay', { address: uri.pathname.toLowerCase(), amountSats });
}

test('a cashier takes bitcoin: the code is scanned and paid, or the sale is changed to card', async () => {
  await terminal.keyboard.type('450', byHand);
  await button('Bitcoin').click();
  await shows('Scan to pay');
  await expect(terminal.getByText(/^[\d,]+ sats$/)).toBeVisible();
  await look('till-bitcoin');
  await scanAndPay('lightning');
  await shows('Approved');
  await expect(terminal.getByText('Bitcoin, Lightning')).toBeVisible();
  await look('till-bitcoin-approved');
  const [sale] = await caller.list();
  expect(sale).toMatchObject({ status: 'COMPLETE', rail: 'bitcoin', amountInCents: 450 });
  await button('View sale').click();
  await expect(terminal.getByText('Bitcoin is returned by hand.')).toBeVisible();
  await look('till-bitcoin-detail');
  await button('Back').click();
  await shows('Recent sales');
  await button('Back').click();
  await shows('Amount to charge');

  const saleId = await caller.start(till, 460);
  await shows('Present card');
  await button('Pay with bitcoin').click();
  await shows('Scan to pay');
  await caller.becomes(saleId, { statusReason: 'awaiting_payment', rail: null });
  await button('Pay by card').click();
  await shows('Present card');
  await atReader(tap);
  await shows('Approved');
  await caller.becomes(saleId, { status: 'COMPLETE', rail: 'card' });
  expect((await bank()).filter(one => one === 460)).toHaveLength(1);
  await next();
});

test('in kiosk mode a customer pays in their language, and the terminal returns to its idle screen', async () => {
  await button('Kiosk mode').click();
  await identify('101');
  await give(florin.staff['101']?.temporaryPassword ?? '');
  await terminal.getByRole('textbox', { name: 'New password', exact: true }).fill(password);
  await terminal.getByRole('textbox', { name: 'New password again' }).fill(password);
  await terminal.keyboard.press('Enter');
  await shows('Harbour Street Coffee');
  await expect.poll(() => caller.readiness()).toMatchObject({ mode: 'kiosk', readyForSale: true });
  await look('kiosk-idle');
  await expect(terminal.getByRole('button')).toHaveCount(2);
  const saleId = await caller.start(kiosk, 1_990, { language: 'de', reference: 'Order 2001', shouldPrint: true });
  const ended = await caller.follow(saleId, async () => {
    await shows('Karte bitte');
    await expect(terminal.getByText('19,90\u00a0£')).toBeVisible();
    await look('kiosk-present-card');
    await caller.becomes(saleId, { statusReason: 'awaiting_card' });
    await atReader(tap);
  });
  expect(ended.status).toBe('COMPLETE');
  await shows('Zahlung erfolgreich');
  await expect(terminal.getByText('Referenz Order 2001')).toBeVisible();
  await look('kiosk-approved');
  await expectConsistentRecords(saleId, { amountMinor: 1_990, isPaid: true });
  await shows('Harbour Street Coffee');

  const cancelled = await caller.start(kiosk, 300, { language: 'fr' });
  await shows('Présentez votre carte');
  await button('Annuler le paiement').click();
  await caller.becomes(cancelled, { status: 'CANCELLED_REMOTE', statusReason: 'customer_cancelled' });
  await shows('Paiement annulé');
  await button('Terminé').click();
  await shows('Harbour Street Coffee');
});

test('in kiosk mode a customer pays in bitcoin, and may leave before a payment on chain is confirmed', async () => {
  const saleId = await caller.start(kiosk, 2_120, { mode: 'bitcoin', language: 'fr', reference: 'Order 2002' });
  const ended = await caller.follow(saleId, async () => {
    await shows('Scannez pour payer');
    await look('kiosk-bitcoin');
    await expect(button('Payer par carte')).toHaveCount(0);
    await scanAndPay('lightning');
  });
  expect(ended).toMatchObject({
    status: 'COMPLETE',
    rail: 'bitcoin',
    metadata: { bitcoin: { network: 'lightning' } },
  });
  await shows('Paiement accepté');
  await look('kiosk-bitcoin-approved');
  await button('Terminé').click();

  const onChain = await caller.start(kiosk, 2_130, { mode: 'bitcoin', language: 'de' });
  await shows('Zum Zahlen scannen');
  await scanAndPay('onchain');
  await shows('Zahlung gefunden');
  await look('kiosk-bitcoin-seen');
  await caller.becomes(onChain, { status: 'PROCESSING', statusReason: 'payment_seen' });
  await button('Fertig').click();
  await shows('Harbour Street Coffee');
  await expect.poll(() => caller.readiness()).toMatchObject({ readyForSale: true });
});

test('a refund waits for a staff member, can be cancelled, and is made only with their password', async () => {
  await florin.settle();
  const paid = (await caller.list()).find(({ amountInCents }) => amountInCents === 1_990);
  const wanted = { type: 'refund', originalSaleId: paid?.saleId };
  const calledOff = await caller.start(kiosk, 500, wanted);
  await shows('Your staff ID');
  await expect(terminal.getByText(/^Cancels itself in 4:\d\d$/)).toBeVisible();
  await look('kiosk-refund');
  expect((await caller.cancel(calledOff)).status).toBe('CANCELLED');
  await button('Done').click();
  await shows('Harbour Street Coffee');

  const saleId = await caller.start(kiosk, 500, wanted);
  const ended = await caller.follow(saleId, async () => {
    await identify('101');
    await give(password);
    await shows('Refunded');
  });
  expect(ended).toMatchObject({ status: 'COMPLETE', type: 'refund' });
  await button('Done').click();
  await shows('Harbour Street Coffee');
  expect((await florin.ledger()).filter(({ returnedMinor }) => returnedMinor > 0)).toMatchObject([
    { takenMinor: 1_990, returnedMinor: 500 },
  ]);
});

test('only a manager can leave kiosk mode', async () => {
  await button('Staff').click();
  await identify('103');
  await give(florin.staff['103']?.temporaryPassword ?? '');
  await expect(terminal.getByText('Only a manager may enter or leave kiosk mode', { exact: true })).toBeVisible();
  await identify('101');
  await give('a guess');
  await expect(terminal.getByText('Incorrect password', { exact: true })).toBeVisible();
  await look('kiosk-leave');
  await give(password);
  await shows('Amount to charge');
  expect(await florin.get(`/api/v1/devices/${caller.deviceId}`)).toMatchObject({ mode: 'staff' });
});
