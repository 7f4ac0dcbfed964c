import { operator } from '@florin/shared/actor.ts';
import {
  changeNotificationRecipient,
  type NotificationKind,
} from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { getOverview, type OverviewRecord } from '@florin/shared/contracts/api-v1/overview.ts';
import { formatMoney, money } from '@florin/shared/money.ts';
import { expect, test } from 'vitest';
import { aBackend, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShopWithMailbox, publicUrl } from '../../../test/support/mailbox-shop.ts';
import { dailyReport } from './daily-report.ts';
import { letterForms } from './letter.ts';

/** A shop in New York, where it is half past four on 21 November 2026, whose recipients get daily reports. */
async function aReportedShop(database: DatabaseKind) {
  const shop = await aShopWithMailbox(database);
  const { world, business, client, key, aLink, pay, mails, passes } = shop;
  await world.backend.services.businesses.settings.change(business.id, { timeZone: 'America/New_York' }, operator);
  const reports = () => mails().map(({ to, subject }) => `${to.join()}: ${subject}`);
  const soon = async (process = world) => {
    await passes(1, process);
    return reports().toSorted();
  };
  const sells = async (amountInCents: number) => {
    const link = await aLink(amountInCents);
    await pay(link.id);
    return link.id;
  };
  async function overview(): Promise<OverviewRecord> {
    const read = await client.call(getOverview, { query: { days: 3 } }, { key });
    if (read.status !== 200) throw new Error(JSON.stringify(read.body));
    return read.body;
  }
  const kinds: NotificationKind[] = ['daily_report'];
  const recipient = (email: string) => shop.recipient(email, { kinds });
  /** Lets so many hours pass, and whatever is due then happen. */
  const later = async (hours: number, process = world) => {
    world.clock.advance({ hours });
    await passes(10, process);
  };
  return { ...shop, reports, soon, sells, overview, recipient, later };
}

const gbp = (amountMinor: number) => formatMoney(money(amountMinor, 'GBP'), 'en-GB');
const one = 'books@shop.example: Corner Shop: report for Saturday, 21 November 2026';
const next = 'books@shop.example: Corner Shop: report for Sunday, 22 November 2026';

eachDatabase('the daily report', database => {
  test('has the figures of the overview, after the midnight of the business, once with several processes', async () => {
    const { world, business, env, refund, sandbox, sells, recipient, overview, later, reports, soon, mails } =
      await aReportedShop(database);
    await aBackend({ sharing: world, env: { ...env, OUTBOUND_ALLOW_LOOPBACK: 'true' } });
    await recipient('books@shop.example');
    await recipient('owner@shop.example');
    const sold = await sells(1_000);
    await refund(await sells(700), { kind: 'CANCEL' });
    sandbox.control.settle();
    expect(await refund(sold, { kind: 'REFUND_SALE', amountInCents: 250 })).toMatchObject({ status: 201 });
    // At one minute to midnight.
    world.clock.advance({ hours: 19, minutes: 29 });
    await expect.poll(async () => (await overview()).isComplete).toBe(true);
    expect(reports()).toEqual([]);
    await later(0);
    await expect.poll(() => soon()).toEqual([one, one.replace('books', 'owner')]);
    const [rail] = (await overview()).days[1]?.rails ?? [];
    expect(rail).toMatchObject({ takenInCents: 1_700, voidedInCents: 700, refundedInCents: 250, netInCents: 750 });
    const { text = '', html } = mails()[0] ?? {};
    const words = text.replace(/ {2,}/g, ' ');
    expect(words).toContain(`Cards\n 2 payments ${gbp(rail?.takenInCents ?? 0)}\n`);
    expect(words).toContain(`\n 1 void ${gbp(-(rail?.voidedInCents ?? 0))}\n`);
    expect(words).toContain(`\n 1 refund ${gbp(-(rail?.refundedInCents ?? 0))}\n`);
    expect(words).toContain(`\n Net ${gbp(rail?.netInCents ?? 0)}\n`);
    expect(words).toContain('There are no open problems.');
    expect([text, html]).toEqual(Array(2).fill(expect.stringContaining(`${publicUrl}/portal/${business.id}`)));
    await later(24);
    expect(mails()).toHaveLength(2);
  });

  test('is of the last day only after an interruption, and of no day without business', async () => {
    const { world, env, sells, recipient, later, reports, soon } = await aReportedShop(database);
    const another = () => aBackend({ sharing: world, env: { ...env, OUTBOUND_ALLOW_LOOPBACK: 'true' } });
    await recipient('books@shop.example');
    await later(24);
    expect(reports()).toEqual([]);
    await sells(1_000);
    await world.stop();
    world.clock.advance({ hours: 24 });
    const second = await another();
    await expect.poll(() => soon(second)).toEqual([next]);
    await second.stop();
    const third = await another();
    await later(48, third);
    expect(reports()).toEqual([next]);
  });

  test('begins with the day on which a recipient chose it', async () => {
    const { world, sells, recipient, later, reports, soon, client, key } = await aReportedShop(database);
    await sells(1_000);
    await later(24);
    const { id } = await recipient('books@shop.example');
    await later(0);
    expect(reports()).toEqual([]);
    const choose = (kinds: NotificationKind[]) =>
      client.call(changeNotificationRecipient, { params: { id }, body: { kinds } }, { key });
    await choose(['problem']);
    await sells(1_000);
    await later(24);
    await choose(['problem', 'daily_report']);
    await later(0);
    expect(reports()).toEqual([]);
    await sells(1_000);
    await later(24);
    await expect.poll(() => soon()).toEqual(['books@shop.example: Corner Shop: report for Monday, 23 November 2026']);
    expect(world.logged()).not.toContain('background work failed');
  });
});

test('a report of several rails and currencies adds up what has one currency, and lists what needs a person', () => {
  const sums = {
    voidedInCents: 0,
    rejectedInCents: 0,
    refundedInCents: 0,
    paymentCount: 1,
    voidCount: 0,
    rejectedCount: 0,
    refundCount: 0,
    tipInCents: 0,
    tipCount: 0,
  };
  const card = {
    ...sums,
    currency: 'GBP',
    takenInCents: 1_000,
    rejectedInCents: 300,
    rejectedCount: 1,
    netInCents: 700,
  };
  const lightning = { ...sums, currency: 'GBP', takenInCents: 500, netInCents: 500 };
  const tips = { ...sums, currency: 'BTC', takenInCents: 2_000, netInCents: 2_000, tipInCents: 2_000, tipCount: 1 };
  const problem = {
    id: 'terminal_silent:dev_1',
    kind: 'terminal_silent',
    severity: 'watch',
    title: 'Till 1 is silent',
    message: '',
    subject: { kind: 'device', id: 'dev_1', name: 'Till 1', paymentId: null },
    since: null,
    action: null,
  } as const;
  const { letter } = dailyReport(
    {
      day: {
        day: '2026-11-21',
        rails: [
          { rail: 'card', ...card },
          { rail: 'lightning', ...tips },
          { rail: 'lightning', ...lightning },
        ],
        totals: [{ ...card, takenInCents: 1_500, paymentCount: 2, netInCents: 1_200 }, tips],
      },
      problems: Array.from({ length: 12 }, () => problem),
    },
    {
      name: 'Corner Shop',
      language: 'en',
      locale: 'en-GB',
      timeZone: 'UTC',
      page: path => `https://pay.example${path}`,
    },
  );
  expect(letterForms(letter).text).toMatchInlineSnapshot(`
    "What was taken and returned that day. A refund or void of an earlier payment counts on the day it was made.

    Total (GBP)
      2 payments              £15.00
      0 voids                  £0.00
      1 rejected by the bank  −£3.00
      0 refunds                £0.00
      Net                     £12.00

    Cards (GBP)
      1 payment               £10.00
      0 voids                  £0.00
      1 rejected by the bank  −£3.00
      0 refunds                £0.00
      Net                      £7.00

    Lightning (BTC)
      1 payment          2,000 sats
      0 voids                0 sats
      0 refunds              0 sats
      Net                2,000 sats
      of which tips (1)  2,000 sats

    Lightning (GBP)
      1 payment  £5.00
      0 voids    £0.00
      0 refunds  £0.00
      Net        £5.00

    Open problems
      To watch  Till 1 is silent
      To watch  Till 1 is silent
      To watch  Till 1 is silent
      To watch  Till 1 is silent
      To watch  Till 1 is silent
      To watch  Till 1 is silent
      To watch  Till 1 is silent
      To watch  Till 1 is silent
      To watch  Till 1 is silent
      To watch  Till 1 is silent

    And 2 more.

    Open the overview
    https://pay.example

    Florin"
  `);
});
