import { createLinkPayment, getPaymentLink, type PaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { getPayment } from '@florin/shared/contracts/api-v1/payments.ts';
import {
  abandonLinkPayment,
  getPaymentPageState,
  payPaymentLink,
  skipBankMethod,
} from '@florin/shared/contracts/pages.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { aShop } from '../../../test/support/shop.ts';

const cardNumber = '4929421234600821';

/** A shop, and a customer's browser on the page of one of its links. */
async function aCustomer(database: DatabaseKind, amountInCents = 1_000, { expiresInMinutes = 0 } = {}) {
  const shop = await aShop(database);
  const { client, key, sandbox, world } = shop;
  const expiresAt = new Date(world.clock.now() + expiresInMinutes * 60_000).toISOString();
  const link = await shop.aLink(amountInCents, {
    externalReference: 'order-7',
    ...(expiresInMinutes > 0 ? { expiresAt } : {}),
  });
  let attempts = 0;

  /** A token of the gateway's card fields; the expiry month decides the bank's check. */
  async function token(expiryMonth: string): Promise<string> {
    const made = await fetch(sandbox.tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ cardNumber, cardExpiryMonth: expiryMonth, cardExpiryYear: '30', cardCVV: '356' }),
    });
    return ((await made.json()) as { paymentToken: string }).paymentToken;
  }

  function newAttempt(): string {
    attempts += 1;
    return String(attempts).padStart(32, '0');
  }

  async function pay(
    month: string,
    options: { attempt?: string; amountInCents?: number; method?: 'card' | 'apple_pay' } = {},
  ) {
    const { attempt = newAttempt(), amountInCents: shown = amountInCents, method = 'card' } = options;
    const body = {
      attempt,
      method,
      paymentToken: await token(month),
      amountInCents: shown,
      browser: { userAgent: 'Test', language: 'en-GB', timeZoneOffsetMinutes: -60, screen: '390x844x24' },
    };
    return { attempt, answer: await client.call(payPaymentLink, { params: { id: link.id }, body }) };
  }

  const open = async (attempt?: string) =>
    (await fetch(`${link.url}${attempt === undefined ? '' : `?attempt=${attempt}`}`)).text();

  /** Posts the page's form to the bank, as its script does; returns the form that comes back. */
  async function visitBank(attempt: string): Promise<{ action: string; fields: URLSearchParams; html: string }> {
    const form = formIn(await open(attempt));
    const answer = await fetch(form.action, { method: 'POST', body: form.fields });
    const html = await answer.text();
    return { ...formIn(html), html };
  }

  const goBack = ({ action, fields }: { action: string; fields: URLSearchParams }) =>
    fetch(action, { method: 'POST', body: fields, redirect: 'manual' });

  /** Up to the bank's page, where the customer confirms, declines, or cannot finish. */
  async function challenged() {
    const { attempt, answer } = await pay('12');
    expect(answer.status).toBe(200);
    await goBack(await visitBank(attempt));
    const challenge = await visitBank(attempt);
    async function choose(choice: 'Y' | 'N' | 'U') {
      const fields = new URLSearchParams([...challenge.fields, ['answer', choice]]);
      const answered = await fetch(new URL(challenge.action, sandbox.url), { method: 'POST', body: fields });
      return formIn(await answered.text());
    }
    return { attempt, choose };
  }

  const read = async (): Promise<PaymentLink> => {
    const found = await client.call(getPaymentLink, { params: { id: link.id } }, { key });
    if (found.status !== 200) throw new Error(JSON.stringify(found.body));
    return found.body;
  };
  const taken = () => sandbox.control.ledger().reduce((sum, sale) => sum + sale.takenMinor, 0);
  return { ...shop, world, link, pay, open, newAttempt, visitBank, goBack, challenged, read, taken };
}

function formIn(html: string): { action: string; fields: URLSearchParams } {
  const decoded = (text = '') => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const form = /<form[^>]*action="([^"]*)"[^>]*>/.exec(html);
  if (!form) throw new Error(`no form in ${html}`);
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return {
    action: decoded(form[1]),
    fields: new URLSearchParams(inputs.map(([, name, value]) => [decoded(name), decoded(value)])),
  };
}

/** The entries of the fact lists. */
function factsOn(page: string): Record<string, string> {
  const rows = page.matchAll(/<dt>([^<]*)<\/dt><dd[^>]*><bdi>([^<]*)<\/bdi>/g);
  return Object.fromEntries([...rows].map(([, name, value]) => [name, value]));
}

eachDatabase('paying a link by card', database => {
  test('that is approved takes the money once, however often the same attempt is sent', async () => {
    const { pay, visitBank, goBack, open, read, taken, link } = await aCustomer(database);
    const attempt = 'a'.repeat(32);
    const [first, second] = await Promise.all([pay('01', { attempt }), pay('01', { attempt })]);
    expect([first.answer.status, second.answer.status]).toEqual([200, 200]);
    const back = await visitBank(attempt);
    const [returned] = await Promise.all([goBack(back), goBack(back)]);
    expect(returned.status).toBe(200);
    expect(await open(attempt)).toContain('Payment successful');
    expect((await pay('01', { attempt })).answer.status).toBe(200);
    expect((await pay('01')).answer).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'payment_link_paid' } } },
    });
    expect(await read()).toMatchObject({ status: 'PAID', payments: [{ method: 'card', cardLastFour: '0821' }] });
    expect(taken()).toBe(link.amountInCents);
  });

  test.each([
    ['Y', 'Payment successful', 'PAID', 1_000],
    ['N', 'extra check failed', 'ACTIVE', 0],
    ['U', 'check could not be completed', 'ACTIVE', 0],
  ] as const)(
    'that the customer is asked to confirm ends as their bank says: %s',
    async (choice, words, status, minor) => {
      const { challenged, goBack, open, read, taken } = await aCustomer(database);
      const { attempt, choose } = await challenged();
      expect(await open(attempt)).toContain('Your bank asks you to confirm this payment');
      expect(await open()).toContain('waits for confirmation');
      const back = await choose(choice);
      const returned = await goBack(back);
      expect([returned.status, returned.headers.get('location')]).toEqual([
        303,
        `${new URL((await read()).url).pathname}?attempt=${attempt}`,
      ]);
      expect(await open(attempt)).toContain(words);
      expect(await read()).toMatchObject({ status, amountPaidInCents: minor });
      // The bank's result counts once.
      await goBack(back);
      expect([await open(attempt), taken()]).toEqual([expect.stringContaining(words), minor]);
    },
  );

  test('that was declined or not finished can be paid again', async () => {
    const { challenged, goBack, pay, visitBank, open, read } = await aCustomer(database);
    const { choose } = await challenged();
    await goBack(await choose('N'));
    const { attempt } = await pay('01', { method: 'apple_pay' });
    await goBack(await visitBank(attempt));
    expect(await open(attempt)).toContain('Payment successful');
    expect((await read()).payments.map(payment => [payment.method, payment.status])).toEqual([
      ['apple_pay', 'unsettled'],
      ['card', 'declined'],
    ]);
  });

  test('says that the bank refused the card', async () => {
    const { pay, visitBank, goBack, open } = await aCustomer(database, 12_000);
    const { attempt } = await pay('01');
    await goBack(await visitBank(attempt));
    expect(await open(attempt)).toContain('Your bank did not authorise the payment');
  });

  test('continues without the bank’s hidden page if it does not respond', async () => {
    const { pay, client, link, open } = await aCustomer(database);
    const { attempt } = await pay('01');
    const skipped = await client.call(skipBankMethod, { params: { id: link.id }, body: { attempt } });
    expect(skipped.status).toBe(200);
    expect(await open(attempt)).toContain('Payment successful');
  });

  test('that is not finished at the bank ends unpaid, and a late result changes nothing', async () => {
    const { challenged, goBack, open, read, taken, world } = await aCustomer(database);
    const { attempt, choose } = await challenged();
    world.clock.advance({ minutes: 16 });
    for (let turn = 0; turn < 100 && (await read()).payments[0]?.status === 'pending'; turn += 1)
      world.clock.advance({ seconds: 2 });
    expect((await read()).payments[0]?.status).toBe('declined');
    await goBack(await choose('Y'));
    expect(await open(attempt)).toContain('check could not be completed');
    expect([await read(), taken()]).toMatchObject([{ status: 'ACTIVE' }, 0]);
  });

  test('started before the link expires and confirmed after it counts, although the link is expired', async () => {
    const soon = { expiresInMinutes: 5 };
    const { challenged, goBack, open, read, taken, world, link, pay } = await aCustomer(database, 1_000, soon);
    const { attempt, choose } = await challenged();
    world.clock.advance({ minutes: 6 });
    expect(await open(attempt)).toContain('Your bank asks you to confirm this payment');
    await goBack(await choose('Y'));
    expect(await open(attempt)).toContain('Payment successful');
    expect(await open()).toContain('It was paid in full before. Nothing is left to pay.');
    expect(await read()).toMatchObject({ status: 'EXPIRED', amountPaidInCents: 1_000, balanceInCents: 0 });
    expect((await pay('01')).answer).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'payment_link_expired' } } },
    });
    expect(taken()).toBe(link.amountInCents);
  });

  test('can be started again by a customer who left the bank’s page', async () => {
    const { challenged, goBack, client, link, open, pay, visitBank, taken, newAttempt } = await aCustomer(database);
    const { attempt, choose } = await challenged();
    const give = (key?: string) =>
      client.call(abandonLinkPayment, { params: { id: link.id }, body: { attempt: key ?? '' } });
    expect((await pay('01')).answer).toMatchObject({
      body: { error: { metadata: { reason: 'payment_in_progress' } } },
    });
    // Other customers with the link cannot end it.
    expect([(await give(newAttempt())).status, (await give()).status]).toEqual([200, 400]);
    expect(await open()).toMatch(/ends by itself by \d+:\d\d (GMT|BST)/);
    expect(await open(attempt)).toContain('Your bank asks you to confirm this payment');
    expect((await give(attempt)).status).toBe(200);
    await goBack(await choose('Y'));
    expect(taken()).toBe(0);
    expect(await open(attempt)).toContain('check could not be completed');
    const again = await pay('01');
    await goBack(await visitBank(again.attempt));
    expect(taken()).toBe(link.amountInCents);
  });

  test('whose outcome is unknown says so until the gateway reports it, and is never sent twice', async () => {
    const { pay, visitBank, goBack, open, read, taken, world, sandbox, link, client } = await aCustomer(database);
    const { attempt } = await pay('01');
    sandbox.control.addFault({ kind: 'loseReply', action: '3DS', callback: false });
    await goBack(await visitBank(attempt));
    expect(await open(attempt)).toContain('Do not pay again');
    const before = await client.call(getPaymentPageState, { params: { id: link.id }, query: { attempt } });
    expect((await pay('01')).answer).toMatchObject({ status: 409 });
    for (let turn = 0; turn < 100 && (await read()).status === 'ACTIVE'; turn += 1) world.clock.advance({ seconds: 2 });
    expect(await open(attempt)).toContain('Payment successful');
    const after = await client.call(getPaymentPageState, { params: { id: link.id }, query: { attempt } });
    expect(after.body).not.toEqual(before.body);
    expect(taken()).toBe(link.amountInCents);
  });

  test('whose first reply is lost before the bank’s check ends as soon as the gateway reports it', async () => {
    const { pay, visitBank, goBack, open, read, taken, world, sandbox, link } = await aCustomer(database);
    sandbox.control.addFault({ kind: 'loseReply', action: 'SALE', callback: false });
    const { attempt } = await pay('01');
    expect(await open(attempt)).toContain('Do not pay again');
    const from = world.clock.now();
    while ((await read()).payments[0]?.status === 'pending' && world.clock.now() < from + 16 * 60_000)
      world.clock.advance({ seconds: 2 });
    expect(world.clock.now() - from).toBeLessThan(2 * 60_000);
    expect(await open(attempt)).toContain('The bank’s check could not be completed');
    expect([(await read()).status, taken()]).toEqual(['ACTIVE', 0]);
    const again = await pay('01');
    await goBack(await visitBank(again.attempt));
    expect(taken()).toBe(link.amountInCents);
  });

  test('refuses part amounts with the page’s message', async () => {
    const { pay, read, open, client, link, key, paymentToken, world, aLink } = await aCustomer(database);
    const unavailable = {
      status: 409,
      body: { error: { message: expect.stringContaining('Online part payment is not available') } },
    };
    expect((await pay('01', { amountInCents: 999 })).answer).toMatchObject(unavailable);
    expect((await read()).payments).toEqual([]);
    expect(await open()).toContain('id="card-fields"');
    const partly = await aLink(link.amountInCents, { allowPartPayment: true });
    const body = { paymentToken: await paymentToken(), amountInCents: 400 };
    await client.call(createLinkPayment, { params: { id: partly.id }, body }, { key });
    const page = await (await fetch(`${world.url}/pay/${partly.id}`)).text();
    for (const words of ['Online part payment is not available', '£4.00', '£6.00']) expect(page).toContain(words);
    expect(page).not.toContain('id="card-fields"');
  });

  test('gives its customer a confirmation, and shows the card’s last digits to no other customer', async () => {
    const { pay, visitBank, goBack, open, read, client, key, world } = await aCustomer(database);
    const { attempt } = await pay('01');
    expect(factsOn(await open())).toEqual({});
    await goBack(await visitBank(attempt));
    const [payment] = (await read()).payments;
    const kept = {
      'Paid to': 'Corner Shop',
      Reference: 'order-7',
      'Paid on': '21 November 2026 at 09:30 GMT',
      Amount: '£10.00',
      'Paid with': 'Visa\u00a0••••\u00a00821',
      Invoice: payment?.invoiceNumber,
      'Payment ID': payment?.id,
    };
    expect(Object.entries(factsOn(await open(attempt)))).toEqual(Object.entries(kept));
    expect(factsOn(await open())).toEqual({ ...kept, 'Paid with': 'Card' });
    const [, receipt = ''] = /href="([^"]+\/r\/\w{22})"/.exec(await open(attempt)) ?? [];
    await expect.poll(async () => (await fetch(receipt)).status).toBe(200);
    expect(await open()).not.toContain('/r/');
    world.clock.advance({ hours: 8 * 24 });
    expect(factsOn(await open(attempt))).toEqual(kept);
    const found = await client.call(getPayment, { params: { id: kept['Payment ID'] ?? '' } }, { key });
    expect(found).toMatchObject({ body: { invoiceNumber: kept.Invoice } });
  });

  test('that is partially approved shows the amount taken and where to pay the rest', async () => {
    const { pay, visitBank, goBack, open, read, sandbox } = await aCustomer(database);
    const { attempt } = await pay('01');
    sandbox.control.addFault({ kind: 'approvePartly', amountMinor: 600 });
    await goBack(await visitBank(attempt));
    expect(await read()).toMatchObject({ status: 'PARTIALLY_PAID', amountPaidInCents: 600, balanceInCents: 400 });
    const page = await open(attempt);
    expect(page).toContain('Only part of the amount was taken');
    expect(page).not.toContain('Nothing is left to pay');
    expect(factsOn(page)).toMatchObject({ Amount: '£6.00', 'Left to pay': '£4.00' });
  });

  test('that its business voids is not shown as declined, and the link accepts no other payment', async () => {
    const { pay, visitBank, goBack, open, read, refund, link } = await aCustomer(database);
    const { attempt } = await pay('01');
    await goBack(await visitBank(attempt));
    expect((await refund(link.id, { kind: 'CANCEL' })).status).toBe(201);
    for (const page of [await open(attempt), await open()]) {
      expect(page).toContain('The payment was cancelled');
      for (const words of ['declined', 'has received', 'id="pay-card"']) expect(page).not.toContain(words);
      expect(factsOn(page)).toEqual({});
    }
    expect((await pay('01')).answer).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'payment_link_paid' } } },
    });
    expect(await read()).toMatchObject({ status: 'PAID', amountPaidInCents: 0 });
  });

  test('that was paid in part and voided can be paid in full again', async () => {
    const { pay, visitBank, goBack, open, read, refund, link, sandbox } = await aCustomer(database);
    const { attempt } = await pay('01');
    sandbox.control.addFault({ kind: 'approvePartly', amountMinor: 600 });
    await goBack(await visitBank(attempt));
    expect((await refund(link.id, { kind: 'CANCEL' })).status).toBe(201);
    const page = await open(attempt);
    expect(page).toContain('The payment was cancelled');
    expect(page).toContain('id="pay-card"');
    const again = await pay('01');
    await goBack(await visitBank(again.attempt));
    expect(await open(again.attempt)).toContain('Payment successful');
    expect(await read()).toMatchObject({ status: 'PAID', amountPaidInCents: 1_000 });
  });

  test('that was declined shows when the link has expired', async () => {
    const { challenged, goBack, open, world } = await aCustomer(database, 1_000, { expiresInMinutes: 5 });
    const { attempt, choose } = await challenged();
    await goBack(await choose('N'));
    expect(await open(attempt)).toContain('extra check failed');
    world.clock.advance({ minutes: 6 });
    expect(await open(attempt)).toContain('This payment link has expired');
    expect(await open(attempt)).not.toContain('Try again');
  });

  test('leaves no card number in the database or the log', async () => {
    const { challenged, goBack, world, pay } = await aCustomer(database);
    const { choose } = await challenged();
    await goBack(await choose('Y'));
    await pay('01');
    const kept = JSON.stringify(await everythingIn(world.backend.database)) + world.logged();
    expect(kept).toContain('0821');
    for (const secret of [cardNumber, '4929 4212', '"356"']) expect(kept).not.toContain(secret);
  });

  test('refuses forms of other sites', async () => {
    const { link } = await aCustomer(database);
    const posted = await fetch(`${link.url}/payments`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', origin: 'https://evil.example' },
      body: '{}',
    });
    expect([posted.status, posted.headers.get('access-control-allow-origin')]).toEqual([415, null]);
  });
});
