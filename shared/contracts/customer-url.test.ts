import { expect, test } from 'vitest';
import { createCheckout } from './api-v1/checkouts.ts';
import { createPaymentLink } from './api-v1/payment-links.ts';
import { customerUrlProblem } from './customer-url.ts';

const hostile = [
  '//evil.example/',
  '/\\\\evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'https:\\\\evil.example',
  'https://shop.example\\@evil.example/',
  'https://shop.example@evil.example/',
  'https://a:b@shop.example/',
  'https://:@shop.example/',
  'http://shop.example/',
  'javascript:alert(1)',
  'JavaScript:alert(1)//https://shop.example',
  'java\tscript:alert(1)',
  'https://shop.example/\nhttps://evil.example/',
  '\u0000https://shop.example/',
  ' https://shop.example/',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://shop.example/7',
  'https://evil\u3002example/',
  'https://shop.example\u2044@evil.example/',
  'https://\u202eelpmaxe.live/',
  'https://',
  'https://%00/',
  'ftp://shop.example/',
];

test.each(hostile)('customers are not redirected to %j', url => {
  const link = { description: 'Chairs', amountInCents: 100, currency: 'GBP', successUrl: url };
  expect(createPaymentLink.body.safeParse(link).success).toBe(false);
  const checkout = { amount: 100, currency: 'GBP', orderId: '7', successUrl: url };
  const isRefused =
    !createCheckout.body.safeParse(checkout).success || customerUrlProblem(url, { allowLoopback: true }) !== undefined;
  expect(isRefused).toBe(true);
});

test.each(['https://shop.example', 'https://shop.example:8443/thanks?order=7#top', 'HTTPS://xn--bcher-kva.example/'])(
  'customers are redirected to %s',
  url => {
    const link = { description: 'Chairs', amountInCents: 100, currency: 'GBP', successUrl: url };
    expect(createPaymentLink.body.safeParse(link).success).toBe(true);
    expect(customerUrlProblem(url, { allowLoopback: false })).toBeUndefined();
  },
);
