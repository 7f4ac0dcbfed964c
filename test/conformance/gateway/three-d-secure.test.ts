import type { EcommerceSale, ThreeDSecureStep } from '@florin/backend/gateways/gateway.ts';
import { describe, expect, test } from 'vitest';
import { aGatewayWorldEach, aSale, gbp, visa } from './world.ts';

const world = aGatewayWorldEach();

const browser = {
  returnUrl: 'http://127.0.0.1:9/pay/pl_1/bank-return',
  remoteAddress: '192.0.2.10',
  identity: 'Mozilla/5.0 (X11; Linux x86_64)',
  timeZoneOffsetMinutes: -60,
  capabilities: 'javascript,java',
  screenResolution: '1920x1080x24',
  acceptContent: 'text/html,application/xhtml+xml',
  acceptLanguage: 'en-GB,en;q=0.9',
};

function saleWithCheck(expiryMonth: number, amountMinor = 1250): EcommerceSale {
  return aSale(gbp(amountMinor), { browser, card: { ...visa, expiryMonth } });
}

function stepOf(outcome: { kind: string }): ThreeDSecureStep {
  expect(outcome.kind).toBe('three_d_secure');
  return outcome as ThreeDSecureStep;
}

/** Posts the step's fields to the bank as a browser does, and returns the form that the bank answers. */
async function visit(url: string, fields: Record<string, string>) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  const html = await reply.text();
  const action = unescapeHtml(/action="([^"]+)"/.exec(html)?.[1] ?? '');
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return {
    status: reply.status,
    html,
    action,
    fields: Object.fromEntries(inputs.map(([, name, value]) => [name ?? '', unescapeHtml(value ?? '')])),
  };
}

function unescapeHtml(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** Everything that a returning browser sends: the posted fields and the parameters of the address. */
function returned(page: { action: string; fields: Record<string, string> }): Record<string, string> {
  return { ...Object.fromEntries(new URL(page.action).searchParams), ...page.fields };
}

async function throughMethod(sale: EcommerceSale) {
  const first = stepOf(await world.gateway.authoriseEcommerce(sale));
  expect(first.step).toBe('method');
  expect(first.url).toBe(`${world.sandbox.url}/acs/method`);
  const page = await visit(first.url, first.fields);
  expect(page.action).toContain(browser.returnUrl);
  return {
    first,
    next: await world.gateway.continueThreeDSecure({
      ...sale,
      threeDSecureReference: first.threeDSecureReference,
      response: returned(page),
    }),
  };
}

async function throughChallenge(sale: EcommerceSale, choice: 'Y' | 'N' | 'U') {
  const { next } = await throughMethod(sale);
  const challenge = stepOf(next);
  expect(challenge.step).toBe('challenge');
  const page = await visit(challenge.url, challenge.fields);
  expect(page.html).toContain('Check could not complete');
  const back = await visit(`${world.sandbox.url}${page.action}`, { ...page.fields, answer: choice });
  expect(back.action).toContain(browser.returnUrl);
  return {
    challenge,
    outcome: await world.gateway.continueThreeDSecure({
      ...sale,
      threeDSecureReference: challenge.threeDSecureReference,
      response: returned(back),
    }),
  };
}

describe('a challenged customer', () => {
  test('who confirms is approved under the same reference, with a new reference for each step', async () => {
    const sale = saleWithCheck(12);
    const { challenge, outcome } = await throughChallenge(sale, 'Y');
    expect(outcome).toMatchObject({
      kind: 'approved',
      gatewayReference: challenge.gatewayReference,
      amount: gbp(1250),
    });
    expect(world.sandbox.control.ledger()).toMatchObject([{ takenMinor: 1250 }]);
  });

  test('who declines is declined', async () => {
    const { outcome } = await throughChallenge(saleWithCheck(12), 'N');
    expect(outcome).toMatchObject({ kind: 'declined', code: '65803', threeDSecure: 'declined' });
    expect(world.sandbox.control.ledger()).toMatchObject([{ takenMinor: 0 }]);
  });

  test('whose check could not complete is declined as incomplete', async () => {
    const { outcome } = await throughChallenge(saleWithCheck(12), 'U');
    expect(outcome).toMatchObject({ kind: 'declined', code: '65803', threeDSecure: 'incomplete' });
  });

  test('whose confirmation the browser forged is not approved', async () => {
    const sale = saleWithCheck(12);
    const challenge = stepOf((await throughMethod(sale)).next);
    const cres = Buffer.from(JSON.stringify({ messageType: 'CRes', transStatus: 'Y' })).toString('base64url');
    const outcome = await world.gateway.continueThreeDSecure({
      ...sale,
      threeDSecureReference: challenge.threeDSecureReference,
      response: { cres },
    });
    expect(outcome).toMatchObject({ kind: 'declined', threeDSecure: 'incomplete' });
  });

  test('who confirms an amount that the bank declines is declined by the bank', async () => {
    const { outcome } = await throughChallenge(saleWithCheck(12, 25000), 'Y');
    expect(outcome).toMatchObject({ kind: 'declined', code: '5' });
    expect(outcome).not.toHaveProperty('threeDSecure');
  });
});

describe('the check without a challenge', () => {
  test.each([
    [1, { kind: 'approved' }],
    [4, { kind: 'approved' }],
    [2, { kind: 'declined', threeDSecure: 'declined' }],
    [6, { kind: 'declined', threeDSecure: 'declined' }],
    [3, { kind: 'declined', threeDSecure: 'incomplete' }],
    [5, { kind: 'declined', threeDSecure: 'incomplete' }],
    [8, { kind: 'declined', threeDSecure: 'incomplete' }],
    [10, { kind: 'declined', threeDSecure: 'incomplete' }],
  ])('for expiry month %i ends in %o', async (month, expected) => {
    expect((await throughMethod(saleWithCheck(month))).next).toMatchObject(expected);
  });

  test('allows the approval of an amount that requires it', async () => {
    expect((await throughMethod(saleWithCheck(1, 20000))).next).toMatchObject({ kind: 'approved' });
  });

  test('continues if the browser did not respond in time', async () => {
    const sale = saleWithCheck(1);
    const first = stepOf(await world.gateway.authoriseEcommerce(sale));
    const outcome = await world.gateway.continueThreeDSecure({
      ...sale,
      threeDSecureReference: first.threeDSecureReference,
      response: { threeDSMethodData: 'timeout' },
    });
    expect(outcome).toMatchObject({ kind: 'approved' });
  });
});

describe('a step reference', () => {
  test('that is not the latest is refused', async () => {
    const sale = saleWithCheck(12);
    const { first } = await throughMethod(sale);
    const again = { ...sale, threeDSecureReference: first.threeDSecureReference, response: {} };
    expect((await world.gateway.continueThreeDSecure(again)).kind).not.toBe('approved');
    expect(world.sandbox.control.ledger()).toMatchObject([{ takenMinor: 0 }]);
  });

  test('that is posted twice at once takes the payment once', async () => {
    const sale = saleWithCheck(1);
    const first = stepOf(await world.gateway.authoriseEcommerce(sale));
    const go = () =>
      world.gateway.continueThreeDSecure({
        ...sale,
        threeDSecureReference: first.threeDSecureReference,
        response: { threeDSMethodData: 'timeout' },
      });
    const outcomes = await Promise.all([go(), go()]);
    expect(outcomes.filter(one => one.kind === 'approved')).toHaveLength(1);
    expect(world.sandbox.control.ledger()).toMatchObject([{ takenMinor: 1250 }]);
  });

  test('whose last reply is lost belongs to a sale that a lookup finds approved', async () => {
    const sale = saleWithCheck(1);
    const first = stepOf(await world.gateway.authoriseEcommerce(sale));
    expect(await world.gateway.lookup({ operation: 'authorise', ...sale, sentAt: Date.now() })).toEqual({
      kind: 'inProgress',
      awaitsCustomer: true,
    });
    world.sandbox.control.addFault({ kind: 'loseReply', action: '3DS' });
    const outcome = await world.gateway.continueThreeDSecure({
      ...sale,
      threeDSecureReference: first.threeDSecureReference,
      response: { threeDSMethodData: 'timeout' },
    });
    expect(outcome).toMatchObject({ kind: 'unknown' });
    expect(await world.gateway.lookup({ operation: 'authorise', ...sale, sentAt: Date.now() })).toMatchObject({
      kind: 'approved',
    });
  });
});

describe('the pages of the bank', () => {
  test.each([
    ['/acs/method', { threeDSMethodData: 'not base64 JSON' }],
    [
      '/acs/method',
      {
        threeDSMethodData: Buffer.from('{"threeDSMethodNotificationURL":"javascript:alert(1)"}').toString('base64url'),
      },
    ],
    ['/acs/challenge', { creq: '' }],
    ['/acs/answer', { transaction: 'nobody', answer: 'Y' }],
    ['/acs/answer', { transaction: 'nobody', answer: 'perhaps' }],
  ])('%s refuses %o', async (path, fields) => {
    expect((await visit(`${world.sandbox.url}${path}`, fields as Record<string, string>)).status).toBe(400);
  });

  test('let the customer answer once', async () => {
    const sale = saleWithCheck(12);
    const challenge = stepOf((await throughMethod(sale)).next);
    const page = await visit(challenge.url, challenge.fields);
    await visit(`${world.sandbox.url}/acs/answer`, { ...page.fields, answer: 'N' });
    await visit(`${world.sandbox.url}/acs/answer`, { ...page.fields, answer: 'Y' });
    const outcome = await world.gateway.continueThreeDSecure({
      ...sale,
      threeDSecureReference: challenge.threeDSecureReference,
      response: {},
    });
    expect(outcome).toMatchObject({ kind: 'declined', threeDSecure: 'declined' });
  });
});
