import { readFileSync } from 'node:fs';
import type { Language } from '@florin/shared/languages.ts';
import { expect, test } from 'vitest';
import type { EventType } from '../../foundation/events/catalogue.ts';
import type { DomainEvent } from '../../foundation/events/event.ts';
import { letterForms } from './letter.ts';
import { notificationOf, notifiedEvents, type Place } from './messages.ts';

/** The paths of the portal's pages: its program itself runs in browsers only. */
const source = readFileSync(new URL('../../web/portal/app/pages.ts', import.meta.url), 'utf8');
const paths = Array.from(source.matchAll(/\bpath: '(\/[^']*)'/g), ([, path = '']) => path);

/** The facts of every event that recipients are told of. */
const payload = {
  url: 'https://shop.example/hooks',
  eventType: 'payment.completed',
  failedInARow: 5,
  discrepancyId: 'dis_1',
  kind: 'settlement_rejected_late',
  paymentId: 'pay_1',
  refundId: null,
  purpose: 'paymentLink',
  purposeId: 'pl_1',
  amountSats: 6_000,
  destination: 'customer@wallet.example',
  name: 'Ada',
  staffNumber: '104',
  terminalName: 'Till 1',
  lockedUntil: Date.UTC(2026, 10, 21, 9, 35),
};
const involved = {
  payment: { invoiceNumber: 'INV-000042', amountMinor: 123_450, currency: 'EUR' },
  refund: { amountMinor: 500, currency: 'EUR' },
};
const places: Readonly<Record<Language, Place>> = {
  en: { ...aPlace(), language: 'en', locale: 'en-GB' },
  de: { ...aPlace(), language: 'de', locale: 'de-DE' },
};

function aPlace() {
  return { name: 'Corner Shop', timeZone: 'Europe/Berlin', page: (path: string) => `https://pay.example${path}` };
}

function toldIn(language: Language, type: EventType) {
  const event = { type, subjectId: 'record_1', payload } as unknown as DomainEvent;
  const { letter } = notificationOf(event, places[language], involved) ?? {};
  if (!letter) throw new Error(`${type} is not told`);
  return { letter, ...letterForms(letter) };
}

test.each(notifiedEvents)('the e-mail about %s links to a page of the portal', type => {
  const { pathname } = new URL(toldIn('en', type).letter.action?.url ?? '');
  const patterns = paths.map(path => new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`));
  expect(patterns.filter(pattern => pattern.test(pathname))).toHaveLength(1);
});

test.each(notifiedEvents)('the e-mail about %s is German for German readers', type => {
  const { subject, text, html } = toldIn('de', type);
  expect(subject).not.toBe(toldIn('en', type).subject);
  expect(html).toContain('<html lang="de">');
  for (const form of [subject, text]) expect(form).not.toMatch(/\b(the|is|are|were|your|and|of)\b/i);
});

test('a discrepancy is told with the number and the amounts of its payment, as the reader writes them', () => {
  expect(toldIn('en', 'discrepancy.found').subject).toBe('Payment INV-000042 of €1,234.50 needs your attention');
  const { subject, text } = toldIn('de', 'discrepancy.found');
  expect(subject).toBe('Die Zahlung INV-000042 über 1.234,50\u00a0€ braucht Ihre Aufmerksamkeit');
  expect(text).toContain('Zahlung     INV-000042\n  Betrag      1.234,50\u00a0€\n  Erstattung  5,00\u00a0€\n');
  expect(toldIn('de', 'staff.locked').text).toContain('Gesperrt bis  21. November 2026 um 10:35\n');
});
