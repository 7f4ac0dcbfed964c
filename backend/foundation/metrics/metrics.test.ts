import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contract } from '@florin/shared/contracts/contract.ts';
import { json } from '@florin/shared/contracts/responses.ts';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { aBackend, type BackendWorld, eachDatabase } from '../../../test/support/backend.ts';
import { aShop, merchant } from '../../../test/support/shop.ts';
import type { EventConsumer } from '../events/dispatcher.ts';
import { route } from '../http/route.ts';

/** The value of one line, such as `florin_refunds_pending` or `…_count{operation="listSales",status="200"}`. */
async function scrape(world: BackendWorld): Promise<(line: string) => number | undefined> {
  const reply = await fetch(world.metricsUrl ?? '');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  const values = new Map(
    (await reply.text())
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))] as const),
  );
  return line => values.get(line);
}

const fails = contract({
  name: 'fails',
  method: 'GET',
  path: '/api/v1/test/fails',
  authentication: ['none'],
  tag: 'Test',
  responses: { 200: json(z.strictObject({})) },
  summary: 'Fails',
});
const failing = route(fails, async () => {
  throw new Error('planted');
});

const backendOptions = { env: { METRICS_PORT: '0' } };

eachDatabase('metrics', database => {
  test('count requests and gateway calls, and time what the database does', async () => {
    const { world, aLink, pay, refund, sandbox } = await aShop(database, merchant, backendOptions);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 400 });
    await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 900 });
    await fetch(`${world.url}/nowhere`);
    const value = await scrape(world);
    const requests = (operation: string, status: number) =>
      value(`florin_http_request_duration_seconds_count{operation="${operation}",status="${status}"}`);
    expect(requests('createCardRefund', 201)).toBe(1);
    expect(requests('createCardRefund', 409)).toBe(1);
    expect(requests('none', 404)).toBe(1);
    const calls = (operation: string, outcome: string) =>
      value(`florin_gateway_call_duration_seconds_count{operation="${operation}",outcome="${outcome}"}`);
    expect(calls('authoriseEcommerce', 'approved')).toBe(1);
    expect(calls('refundSale', 'approved')).toBe(1);
    expect(calls('paymentState', 'found')).toBeGreaterThanOrEqual(1);
    expect(value('florin_database_write_duration_seconds_count')).toBeGreaterThan(5);
    expect(value('florin_database_write_wait_seconds_count')).toBe(
      value('florin_database_write_duration_seconds_count'),
    );
    expect(value('florin_database_up')).toBe(1);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  });

  test('show backlogs: pending refunds by age, open discrepancies, unhandled events by consumer', async () => {
    let isBroken = true;
    const consumer: EventConsumer = {
      name: 'test',
      async handle() {
        if (isBroken) throw new Error('not now');
      },
    };
    const shop = await aShop(database, merchant, { ...backendOptions, consumers: [consumer] });
    const { world, aLink, pay, refund, sandbox } = shop;
    const quiet = await scrape(world);
    expect(quiet('florin_refunds_pending')).toBe(0);
    expect(quiet('florin_discrepancies_open')).toBe(0);
    const link = await aLink(1_000);
    await pay(link.id);
    sandbox.control.settle();
    sandbox.control.addFault({ kind: 'dropRequest', action: 'REFUND_SALE' });
    expect(await refund(link.id, { kind: 'REFUND_SALE', amountInCents: 400 })).toMatchObject({ status: 202 });
    await expect.poll(() => world.logged()).toContain('an event consumer failed');
    sandbox.control.addFault({ kind: 'unavailable', action: 'QUERY', times: 100 });
    world.clock.advance({ minutes: 2 });
    const waiting = await scrape(world);
    expect(waiting('florin_refunds_pending')).toBe(1);
    expect(waiting('florin_refunds_pending_oldest_age_seconds')).toBe(120);
    expect(waiting('florin_payments_pending')).toBe(0);
    expect(waiting('florin_reversals_pending')).toBe(0);
    expect(waiting('florin_withdrawals_pending')).toBe(0);
    expect(waiting('florin_events_oldest_undelivered_age_seconds{consumer="test"}')).toBe(120);
    isBroken = false;
    const undeliveredLater = async () => {
      world.clock.advance({ seconds: 1 });
      return (await scrape(world))('florin_events_oldest_undelivered_age_seconds{consumer="test"}');
    };
    await expect.poll(undeliveredLater).toBe(0);
  });

  test('count the requests that were answered with 500 from zero on, and say when a backup was last proven', async () => {
    const DATA = mkdtempSync(join(tmpdir(), 'florin-metrics-'));
    onTestFinished(() => rmSync(DATA, { recursive: true }));
    const world = await aBackend({ database, env: { METRICS_PORT: '0', DATA }, extraRoutes: [failing] });
    const before = await scrape(world);
    expect(before('florin_http_server_errors_total')).toBe(0);
    expect(before('florin_backup_proven_timestamp_seconds')).toBe(0);
    expect((await fetch(`${world.url}${fails.path}`)).status).toBe(500);
    expect((await fetch(`${world.url}/nowhere`)).status).toBe(404);
    const file = join(DATA, 'backup-proven');
    writeFileSync(file, '');
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    const after = await scrape(world);
    expect(after('florin_http_server_errors_total')).toBe(1);
    expect(after('florin_backup_proven_timestamp_seconds')).toBe(1_700_000_000);
  });

  test('are not served on the public port, and only if a metrics port is configured', async () => {
    const { world } = await aShop(database, merchant, backendOptions);
    expect((await fetch(`${world.url}/metrics`)).status).toBe(404);
    expect(world.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect((await fetch((world.metricsUrl ?? '').replace('/metrics', '/'))).status).toBe(404);
    const { world: without } = await aShop(database);
    expect(without.metricsUrl).toBeUndefined();
  });
});
