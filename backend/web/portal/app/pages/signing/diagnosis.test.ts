import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { diagnoseRedirect, diagnoseWebhook } from './diagnosis.ts';

const secret = 'whsec_4Jd8sK2m';
const body = '{"eventType":"payment.completed","amount":1250}';
const at = 1_795_000_000;
const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');
const header = `t=${at},v1=${hmac(secret, `${at}.${body}`)}`;
const now = at * 1_000 + 20_000;

describe('the diagnosis of a webhook', () => {
  test('accepts what was signed with this secret', async () => {
    expect(await diagnoseWebhook({ secret, header, body }, now)).toEqual({
      kind: 'checked',
      signedAtMs: at * 1_000,
      age: 'accepted',
      signed: `${at}.${body}`,
      expected: hmac(secret, `${at}.${body}`),
      hint: undefined,
    });
  });

  test('accepts either of two signatures, as during a rotation', async () => {
    const both = `t=${at},v1=${hmac('whsec_other', `${at}.${body}`)},v1=${hmac(secret, `${at}.${body}`)}`;
    expect(await diagnoseWebhook({ secret, header: both, body }, now)).toMatchObject({ hint: undefined });
  });

  test.each([
    ['trimmedSecret', { secret: ` ${secret}\n` }],
    ['wholeSecret', { secret: '4Jd8sK2m' }],
    ['trimmedBody', { body: `${body}\n` }],
    ['compactBody', { body: JSON.stringify(JSON.parse(body), undefined, 2) }],
    ['apiKey', { secret: 'florin_api_live_4Jd8sK2m' }],
    ['none', { secret: 'whsec_other' }],
    ['none', { body: body.replace('1250', '1') }],
  ])('names the mistake: %s', async (hint, mistaken) => {
    expect(await diagnoseWebhook({ secret, header, body, ...mistaken }, now)).toMatchObject({ hint });
  });

  test('says that a line break at the end was cut', async () => {
    const whole = `${body}\n`;
    const ofWhole = `t=${at},v1=${hmac(secret, `${at}.${whole}`)}`;
    expect(await diagnoseWebhook({ secret, header: ofWhole, body }, now)).toMatchObject({ hint: 'lineEnds' });
  });

  test('says that it is too old, or ahead of the clock', async () => {
    expect(await diagnoseWebhook({ secret, header, body }, now + 300_000)).toMatchObject({ age: 'old' });
    expect(await diagnoseWebhook({ secret, header, body }, now - 400_000)).toMatchObject({ age: 'ahead' });
  });

  test.each([
    ['noTime', ''],
    ['noTime', 'v1=abc'],
    ['noSignature', `t=${at}`],
    ['notSeconds', 't=soon,v1=abc'],
    ['milliseconds', `t=${at}000,v1=abc`],
    ['spaces', `t= ${at},v1=abc`],
    ['spaces', `t=${at} v1=abc`],
    ['headerName', `X-Webhook-Signature: t=${at},v1=abc`],
  ])('says what is wrong with a header: %s', async (fault, given) => {
    expect(await diagnoseWebhook({ secret, header: given, body }, now)).toEqual({ kind: 'header', fault });
  });

  test('accepts spaces around its parts', async () => {
    const spaced = ` ${header.replace(',', ', ')} `;
    expect(await diagnoseWebhook({ secret, header: spaced, body }, now)).toMatchObject({ hint: undefined });
  });
});

describe('the diagnosis of a return', () => {
  const key = 'chks_1';
  const signed = 'businessId=biz_1&checkoutId=chk_1&status=COMPLETE';
  const address = `https://shop.example/thanks?${signed}&signature=${hmac(key, signed)}`;

  test('accepts what was signed with this key', async () => {
    expect(await diagnoseRedirect(address, key)).toEqual({
      kind: 'checked',
      signed,
      expected: hmac(key, signed),
      matches: true,
    });
  });

  test('refuses another outcome, another key and a parameter given twice', async () => {
    expect(await diagnoseRedirect(address.replace('COMPLETE', 'EXPIRED'), key)).toMatchObject({ matches: false });
    expect(await diagnoseRedirect(address, 'chks_2')).toMatchObject({ matches: false });
    expect(await diagnoseRedirect(`${address}&status=COMPLETE`, key)).toEqual({ kind: 'parameters' });
    expect(await diagnoseRedirect('https://shop.example/thanks', key)).toEqual({ kind: 'parameters' });
  });
});
