import { getDevice, listDevices } from '@florin/shared/contracts/api-v1/devices.ts';
import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { createKioskKey, revokeKioskKey } from '@florin/shared/contracts/api-v1/kiosk-keys.ts';
import {
  getTerminalSale,
  listTerminalSales,
  startTerminalSale,
} from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { followCommands, reportTerminalStatus } from '@florin/shared/contracts/device-v1/commands.ts';
import { authoriseSale, getSale, recordSale, reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { syncTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import {
  cancelKioskSale,
  followKioskSale,
  getKioskSale,
  getKioskTerminal,
  startKioskSale,
} from '@florin/shared/contracts/kiosk-v1/sales.ts';
import type { TerminalSaleRecord } from '@florin/shared/contracts/terminal-sales.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { aDrivenTerminal, commandIn, ready } from '../../../test/support/driven-terminal.ts';
import { anEventStream } from '../../../test/support/event-stream.ts';
import { aTill, sealedCard } from '../../../test/support/till.ts';
import type { DomainEvent } from '../../foundation/events/event.ts';
import { webhookBodyOf } from '../../messaging/webhooks/body.ts';

eachDatabase('terminal sales', database => {
  test('a sale is authorised by the terminal it was started on, and by no other', async () => {
    const { world, client, business, authorise, started, read } = await aDrivenTerminal(database);
    const { saleId } = await started();
    const other = await aTill(world, await business.key('devices:write'), { keySeed: 4, serial: 'SN-2' });
    const startedAt = new Date(world.clock.now()).toISOString();
    const body = { amountInCents: 1_000, currency: 'GBP', startedAt, card: sealedCard() };
    expect(await client.call(authoriseSale, { params: { saleId }, body }, { key: other.token })).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'sale_of_another_terminal' } } },
    });
    expect(world.sandbox?.control.ledger()).toEqual([]);
    expect(await read(saleId)).toMatchObject({ status: 'PENDING' });
    expect(await authorise(saleId)).toMatchObject({ status: 200, body: { status: 'unsettled' } });
    expect(world.sandbox?.control.ledger()).toHaveLength(1);
  });

  test('reach a connected terminal at once, and a disconnected one as soon as it reconnects', async () => {
    const { listen, started, acknowledge, read, client, token } = await aDrivenTerminal(database);
    const stream = await listen();
    const sale = await started();
    await stream.has(1);
    const [event] = stream.events;
    expect(event).toMatchObject({
      event: 'command',
      data: {
        kind: 'start_sale',
        saleId: sale.saleId,
        amountInCents: 1_000,
        requestedBy: 'test',
        reference: 'Order 7',
      },
    });
    stream.close();
    // Unacknowledged: sent again on the next connection, with the same id.
    const again = await listen();
    await again.has(1);
    expect(again.events).toEqual(stream.events);
    const commandId = commandIn(stream);
    // A terminal without a working stream gets it with its next sync.
    const synced = await client.call(syncTerminal, { body: { configurationVersion: null, entries: [] } }, token);
    expect(synced).toMatchObject({ status: 200, body: { commands: [{ commandId, saleId: sale.saleId }] } });
    expect(await acknowledge(commandId)).toMatchObject({ body: { proceed: true } });
    expect(await acknowledge(commandId)).toMatchObject({ body: { proceed: true } });
    expect(await read(sale.saleId)).toMatchObject({
      status: 'PROCESSING',
      statusReason: 'awaiting_reader',
      sequence: 2,
    });
    again.close();
    const last = await listen();
    expect(last.events).toEqual([]);
  });

  test('are sent through another process at once', async () => {
    if (database === 'sqlite') return;
    const { world, till, started } = await aDrivenTerminal(database);
    const other = await aBackend({ sharing: world });
    const stream = await anEventStream(`${other.url}${followCommands.path}`, { authorization: `Bearer ${till.token}` });
    const { saleId } = await started();
    await stream.has(1);
    expect(stream.events).toMatchObject([{ data: { saleId } }]);
  });

  test('state why nothing happens, and time out if the terminal does not reconnect', async () => {
    const { world, started, read, becomesInTime, listen, authorise, start } = await aDrivenTerminal(database);
    const sale = await started();
    expect(sale).toMatchObject({ status: 'PENDING', statusReason: 'terminal_unreachable', sequence: 1 });
    world.clock.advance({ minutes: 4 });
    expect(await read(sale.saleId)).toMatchObject({ status: 'PENDING' });
    expect(await start()).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'terminal_busy', saleId: sale.saleId } } },
    });
    await becomesInTime(sale.saleId, { status: 'TIMED_OUT', statusReason: 'terminal_unreachable', sequence: 2 });
    const stream = await listen();
    expect(await authorise(sale.saleId)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'sale_ended' } } },
    });
    expect(stream.events).toEqual([]);
    expect((await start()).status).toBe(201);
  });

  test('are read by the id in their webhook, also if they were keyed in at the terminal', async () => {
    const { authorise, complete, read, client, key } = await aDrivenTerminal(database);
    const saleId = 'sale_00000077';
    expect(await client.call(getTerminalSale, { params: { saleId } }, { key })).toMatchObject({ status: 404 });
    expect((await authorise(saleId)).status).toBe(200);
    const keyedIn = { saleId, serial: 'SN-1', type: 'sale', mode: 'card', rail: 'card', amountInCents: 1_000 };
    expect(await read(saleId)).toMatchObject({
      ...keyedIn,
      status: 'PROCESSING',
      statusReason: 'approved',
      sequence: 2,
    });
    await complete(saleId);
    expect(await read(saleId)).toMatchObject({
      ...keyedIn,
      status: 'COMPLETE',
      statusReason: 'completed',
      sequence: 3,
      metadata: { card: { lastFour: '0821' } },
    });
  });

  test('end with the bank’s decision, step by step, with an increasing sequence', async () => {
    const { taken, report, authorise, complete, becomes, read, sandbox } = await aDrivenTerminal(database);
    const { saleId } = await taken();
    expect(await report(saleId, 1, { stage: 'awaiting_card' })).toMatchObject({ body: { isOver: false } });
    expect(await read(saleId)).toMatchObject({ status: 'PROCESSING', statusReason: 'awaiting_card', rail: null });
    await report(saleId, 3, { stage: 'card_read' });
    // A report that arrives late changes nothing.
    await report(saleId, 2, { stage: 'awaiting_card' });
    expect(await read(saleId)).toMatchObject({ statusReason: 'card_read', sequence: 4 });
    expect((await authorise(saleId)).status).toBe(200);
    await becomes(saleId, { status: 'PROCESSING', statusReason: 'approved', rail: 'card' });
    // The terminal's report that it is done takes effect only with the sale's completion.
    await report(saleId, 4, { ended: 'completed' });
    expect(await read(saleId)).toMatchObject({ status: 'PROCESSING' });
    await complete(saleId);
    await becomes(saleId, { status: 'COMPLETE', statusReason: 'completed', sequence: 7 });
    expect(await report(saleId, 5, { ended: 'customer_cancelled' })).toMatchObject({ body: { isOver: true } });
    expect(await read(saleId)).toMatchObject({
      status: 'COMPLETE',
      sequence: 7,
      metadata: { card: { lastFour: '0821' } },
    });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_000 }]);
  });

  test('charged by a reader after their end become a discrepancy, and keep the state reported to callers', async () => {
    const { world, client, business, token, taken, cancel, read } = await aDrivenTerminal(database);
    const { saleId } = await taken();
    expect(await cancel(saleId)).toMatchObject({ status: 'CANCELLED' });
    const body = {
      amountInCents: 1_000,
      currency: 'GBP',
      takenAt: new Date(world.clock.now()).toISOString(),
      processorReference: 'R1',
      authorisationCode: '712345',
      card: { scheme: 'visa', lastFour: '0821', entryMode: 'chip' as const },
    };
    expect(await client.call(recordSale, { params: { saleId }, body }, token)).toMatchObject({ status: 200 });
    const key = await business.key('sales:read');
    const found = () => client.call(listDiscrepancies, { query: {} }, { key }).then(({ body: list }) => list);
    await expect.poll(found, { interval: 20 }).toMatchObject({
      items: [{ kind: 'sale_paid_after_end', status: 'open', recorded: { saleId, status: 'CANCELLED' } }],
    });
    expect(await read(saleId)).toMatchObject({ status: 'CANCELLED' });
  });

  test('can be cancelled until the authorisation is sent, and not afterwards', async () => {
    const { taken, started, cancel, acknowledge, authorise, read, listen, complete, becomes, sandbox } =
      await aDrivenTerminal(database);
    const waiting = await started();
    expect(await cancel(waiting.saleId)).toMatchObject({ status: 'CANCELLED', sequence: 2 });
    expect(await cancel(waiting.saleId)).toMatchObject({ status: 'CANCELLED', sequence: 2 });
    const stream = await listen();
    expect(stream.events).toEqual([]);
    stream.close();

    const shown = await taken();
    expect(await cancel(shown.saleId)).toMatchObject({ status: 'CANCELLED', statusReason: 'cancelled_by_caller' });
    await shown.stream.has(2);
    expect(shown.stream.events[1]).toMatchObject({ data: { kind: 'end_sale', saleId: shown.saleId } });
    expect(await acknowledge(commandIn(shown.stream, 1))).toMatchObject({
      status: 200,
    });
    // The card was read concurrently, too late.
    expect(await authorise(shown.saleId)).toMatchObject({ body: { error: { metadata: { reason: 'sale_ended' } } } });
    expect(sandbox.control.transactions()).toEqual([]);
    shown.stream.close();

    const paid = await taken();
    expect((await authorise(paid.saleId)).status).toBe(200);
    expect(await cancel(paid.saleId)).toMatchObject({ status: 'PROCESSING', statusReason: 'approved' });
    await complete(paid.saleId);
    await becomes(paid.saleId, { status: 'COMPLETE' });
    expect(await cancel(paid.saleId)).toMatchObject({ status: 'COMPLETE' });
    expect((await read(paid.saleId)).status).toBe('COMPLETE');
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_000 }]);
  });

  test('with a concurrent cancellation and card end consistently on every side', async () => {
    const { taken, cancel, authorise, complete, read, client, token, sandbox, becomes } =
      await aDrivenTerminal(database);
    for (let round = 0; round < 8; round += 1) {
      const { saleId, stream } = await taken();
      const before = sandbox.control.ledger().length;
      const [cancelled, authorised] = await Promise.all([cancel(saleId), authorise(saleId)]);
      const isCharged = authorised.status === 200;
      expect(cancelled.status).toBe(isCharged ? 'PROCESSING' : 'CANCELLED');
      expect(sandbox.control.ledger().length - before).toBe(isCharged ? 1 : 0);
      expect((await client.call(getSale, { params: { saleId } }, token)).status).toBe(isCharged ? 200 : 404);
      if (isCharged) {
        await complete(saleId);
        await becomes(saleId, { status: 'COMPLETE' });
      } else expect(await read(saleId)).toMatchObject({ status: 'CANCELLED' });
      stream.close();
    }
  });

  test('end with the bank’s outcome if the terminal does not reconnect', async () => {
    const { taken, authorise, becomes, becomesInTime, client, token, sandbox, start } = await aDrivenTerminal(database);
    const approved = await taken();
    await authorise(approved.saleId);
    await becomes(approved.saleId, { statusReason: 'approved' });
    await becomesInTime(approved.saleId, { status: 'COMPLETE', statusReason: 'completed' });
    const reversal = { params: { saleId: approved.saleId }, body: { reason: 'card_refused' as const } };
    expect(await client.call(reverseSale, reversal, token)).toMatchObject({ status: 409 });
    approved.stream.close();

    const silent = await taken();
    sandbox.control.addFault({ kind: 'loseReply', action: 'CARD_PRESENT', callback: false });
    expect(await authorise(silent.saleId)).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect(await start()).toMatchObject({ status: 409 });
    await becomesInTime(silent.saleId, { status: 'COMPLETE' });
    silent.stream.close();

    const nobody = await taken();
    await becomesInTime(nobody.saleId, { status: 'TIMED_OUT', statusReason: 'expired' });
    expect(await authorise(nobody.saleId)).toMatchObject({ status: 409 });
    expect(sandbox.control.ledger().map(({ takenMinor }) => takenMinor)).toEqual([1_000, 1_000]);
  });

  test('cancelled on the terminal, declined or refused by the card state the reason', async () => {
    const { key, taken, report, authorise, becomes, client, token, sandbox, acknowledge, listen, started, read } =
      await aDrivenTerminal(database);
    const left = await taken();
    await report(left.saleId, 1, { ended: 'customer_cancelled' });
    await becomes(left.saleId, { status: 'CANCELLED_REMOTE', statusReason: 'customer_cancelled' });
    expect(await authorise(left.saleId)).toMatchObject({ status: 409 });
    left.stream.close();

    const idle = await taken();
    await report(idle.saleId, 1, { ended: 'no_card' });
    await becomes(idle.saleId, { status: 'TIMED_OUT', statusReason: 'no_card' });
    idle.stream.close();

    const declined = await taken();
    sandbox.control.addFault({ kind: 'decline', action: 'CARD_PRESENT' });
    await authorise(declined.saleId);
    await becomes(declined.saleId, { status: 'ERROR', statusReason: 'declined', rail: 'card' });
    // It took no money, so there is nothing to refund: the amount is not the problem.
    const refund = { serial: 'SN-1', amountInCents: 1_000, currency: 'GBP', type: 'refund' } as const;
    expect(
      await client.call(startTerminalSale, { body: { ...refund, originalSaleId: declined.saleId } }, { key }),
    ).toMatchObject({ status: 409, body: { error: { metadata: { reason: 'sale_took_no_money' } } } });
    expect((await read(declined.saleId)).metadata.card).toMatchObject({
      scheme: 'Visa',
      lastFour: '0821',
      entryMode: 'chip',
      applicationId: 'A0000000031010',
    });
    declined.stream.close();

    const refused = await taken();
    await authorise(refused.saleId);
    await client.call(reverseSale, { params: { saleId: refused.saleId }, body: { reason: 'card_refused' } }, token);
    await becomes(refused.saleId, { status: 'ERROR', statusReason: 'card_refused' });
    refused.stream.close();

    const stream = await listen();
    const busy = await started();
    await stream.has(1);
    const commandId = commandIn(stream);
    expect(await acknowledge(commandId, 'busy')).toMatchObject({ body: { proceed: false } });
    await becomes(busy.saleId, { status: 'ERROR', statusReason: 'terminal_busy' });
    expect(await acknowledge(commandId)).toMatchObject({ body: { proceed: false } });
  });

  test('are started once per Idempotency-Key, in the currency of the terminal, on a terminal of the business', async () => {
    const { start, client, key } = await aDrivenTerminal(database);
    const [first, second] = await Promise.all([start({ idempotencyKey: 'k1' }), start({ idempotencyKey: 'k1' })]);
    expect(first.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(await start({ idempotencyKey: 'k1', amountInCents: 5 })).toMatchObject({ status: 409 });
    expect(await start({ currency: 'EUR' })).toMatchObject({
      status: 400,
      body: {
        error: {
          message: 'currency: must be the currency of this terminal',
          metadata: {
            reason: 'currency_differs',
            currency: 'GBP',
            issues: [{ path: 'currency', message: 'must be the currency of this terminal' }],
          },
        },
      },
    });
    expect(await start({ serial: 'SN-2' })).toMatchObject({ status: 404 });
    // Well-formed for a careless check, and an error in every browser that formats amounts with it.
    expect(await start({ language: 'de-12' })).toMatchObject({
      status: 400,
      body: { error: { metadata: { issues: [{ path: 'language' }] } } },
    });
    const saleId = first.status === 201 ? first.body.saleId : '';
    const listed = await client.call(listTerminalSales, { query: { status: 'PENDING', serial: 'SN-1' } }, { key });
    expect(listed).toMatchObject({ body: { items: [{ saleId }], nextCursor: null } });
    expect(await client.call(listTerminalSales, { query: { status: 'ERROR' } }, { key })).toMatchObject({
      body: { items: [] },
    });
  });

  test('are refused while the terminal is in use, and readiness states why', async () => {
    const { world, client, till, manager, token, listen, start } = await aDrivenTerminal(database);
    const readiness = async () => {
      const device = await client.call(getDevice, { params: { id: till.terminalId } }, { key: manager });
      if (device.status !== 200) throw new Error(JSON.stringify(device.body));
      expect((await client.call(listDevices, {}, { key: manager })).body).toMatchObject({ items: [device.body] });
      return { ...device.body, reader: device.body.reader?.connection };
    };
    const report = (body: Parameters<typeof client.call<typeof reportTerminalStatus>>[1]['body']) =>
      client.call(reportTerminalStatus, { body }, token);
    expect(await readiness()).toMatchObject({ online: false, readyForSale: false, whyNot: 'terminal_unreachable' });
    const stream = await listen();
    await report({ ...ready, reader: { ...ready.reader, connection: 'lost' } });
    expect(await readiness()).toMatchObject({ online: true, whyNot: 'reader_not_connected', reader: 'lost' });
    for (const activity of ['sale', 'awaiting_bank', 'awaiting_bitcoin', 'refund', 'staff_work'] as const) {
      world.clock.advance({ seconds: 1 });
      await report({ ...ready, activity });
      const since = new Date(world.clock.now()).toISOString();
      const busy = { doing: activity, startedBy: 'staff', since, saleId: null, statusReason: null };
      world.clock.advance({ seconds: 5 });
      // Reported again every fifteen seconds: it started with the first report.
      await report({ ...ready, activity });
      expect(await readiness()).toMatchObject({ online: true, readyForSale: false, whyNot: 'terminal_busy', busy });
      expect(await start()).toMatchObject({
        status: 409,
        body: { error: { metadata: { reason: 'terminal_busy', busy } } },
      });
    }
    await report(ready);
    expect(await readiness()).toMatchObject({
      online: true,
      readyForSale: true,
      whyNot: null,
      busy: null,
      reader: 'ready',
      appVersion: '1.0.0',
    });
    // Silent although the connection was never closed: the network was disconnected.
    world.clock.advance({ seconds: 41 });
    expect(await readiness()).toMatchObject({ online: false, whyNot: 'terminal_unreachable' });
    await report(ready);
    stream.close();
    await expect.poll(async () => (await readiness()).online).toBe(false);
  });

  test('refused by a busy terminal state its activity, and since when its bank is awaited', async () => {
    const { world, client, till, manager, sandbox, taken, report, authorise, start, becomesInTime } =
      await aDrivenTerminal(database);
    const { saleId, createdAt } = await taken();
    const refused = async () => {
      const [second, device] = await Promise.all([
        start(),
        client.call(getDevice, { params: { id: till.terminalId } }, { key: manager }),
      ]);
      if (second.status !== 409 || device.status !== 200) throw new Error(JSON.stringify([second, device]));
      const { reason, busy } = second.body.error.metadata as { reason: string; busy: object };
      expect(reason).toBe('terminal_busy');
      expect(device.body).toMatchObject({ readyForSale: false, whyNot: 'terminal_busy', busy });
      return busy;
    };
    const byCaller = { startedBy: 'software', saleId };
    world.clock.advance({ seconds: 2 });
    expect(await refused()).toEqual({ ...byCaller, doing: 'sale', since: createdAt, statusReason: 'awaiting_reader' });
    sandbox.control.addFault({ kind: 'loseReply', action: 'CARD_PRESENT', callback: false });
    const askedAt = new Date(world.clock.now()).toISOString();
    expect(await authorise(saleId)).toMatchObject({ status: 200, body: { status: 'pending' } });
    world.clock.advance({ seconds: 3 });
    await report(saleId, 1, { stage: 'unknown_outcome' });
    const awaited = { ...byCaller, doing: 'awaiting_bank', since: askedAt };
    expect(await refused()).toMatchObject(awaited);
    await becomesInTime(saleId, { status: 'COMPLETE' });
    expect((await start()).status).toBe(201);
  });

  test('are started by kiosks, each with its own key and on its own terminals', async () => {
    const { world, client, till, manager, token, authorise, complete, acknowledge, listen, becomes } =
      await aDrivenTerminal(database);
    const madeKey = async (deviceId: string, name = 'Foyer') => {
      const made = await client.call(createKioskKey, { body: { name, deviceIds: [deviceId] } }, { key: manager });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return { id: made.body.id, headers: { 'x-api-key': made.body.key ?? '' } };
    };
    const { id, headers } = await madeKey(till.terminalId);
    const elsewhere = await aTill(world, manager, { keySeed: 5, serial: 'SN-2' });
    const other = await madeKey(elsewhere.terminalId, 'Car park');
    const body = { serial: 'SN-1', amountInCents: 1_000, currency: 'GBP' };

    const terminal = await listen();
    await client.call(reportTerminalStatus, { body: ready }, token);
    const params = { serial: 'SN-1' };
    expect(await client.call(getKioskTerminal, { params }, { headers })).toMatchObject({
      body: { online: true, readyForSale: true, name: 'Till 1', business: { name: 'Corner Shop', currency: 'GBP' } },
    });
    expect(await client.call(getKioskTerminal, { params }, other)).toMatchObject({ status: 404 });
    expect(await client.call(startKioskSale, { body }, other)).toMatchObject({ status: 404 });
    const idempotencyKey = 'order-1';
    const made = await client.call(startKioskSale, { body }, { headers, idempotencyKey });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    expect(await client.call(startKioskSale, { body }, { ...other, idempotencyKey })).toMatchObject({ status: 404 });
    const successor = { ...(await madeKey(till.terminalId)), idempotencyKey };
    expect((await client.call(startKioskSale, { body }, successor)).body).toEqual(made.body);
    const { saleId } = made.body;
    for (const contract of [getKioskSale, cancelKioskSale])
      expect(await client.call(contract, { params: { saleId } }, other)).toMatchObject({ status: 404 });
    const address = `${world.url}${followKioskSale.path.replace('{saleId}', saleId)}`;
    expect((await anEventStream(address, other.headers)).status).toBe(404);

    const stream = await anEventStream(address, headers);
    await terminal.has(1);
    expect(terminal.events[0]).toMatchObject({ data: { requestedBy: 'Foyer' } });
    await acknowledge(commandIn(terminal));
    await stream.has(2);
    // After a disconnection the next stream continues after the last received event.
    stream.close();
    await authorise(saleId);
    await becomes(saleId, { statusReason: 'approved' });
    await complete(saleId);
    await becomes(saleId, { status: 'COMPLETE' });
    const resumed = await anEventStream(address, { ...headers, 'last-event-id': stream.events[1]?.id ?? '' });
    await resumed.ends();
    const sequences = [...stream.events, ...resumed.events].map(({ data }) => (data as TerminalSaleRecord).sequence);
    expect(sequences).toEqual([1, 2, 3, 4, 5]);
    expect(resumed.events.at(-1)).toMatchObject({ event: 'sale-changed', data: { status: 'COMPLETE' } });
    const late = await anEventStream(address, headers);
    await late.ends();
    expect(late.events).toMatchObject([{ event: 'open', data: { status: 'COMPLETE' } }]);

    expect(await client.call(revokeKioskKey, { params: { id } }, { key: manager })).toMatchObject({ status: 200 });
    expect(await client.call(getKioskSale, { params: { saleId } }, { headers })).toMatchObject({ status: 401 });
  });

  test('are sent to webhooks with their reference, charged or failed, but not if they were cancelled', async () => {
    const { world, taken, authorise, complete, cancel, started, becomes, becomesInTime } =
      await aDrivenTerminal(database);
    const seen: DomainEvent[] = [];
    const { businessId } = await world.backend.services.businesses
      .list()
      .then(([business]) => ({ businessId: business?.id ?? '' }));
    await world.backend.services.events.follow({ businessId }, event => void seen.push(event));
    const deliveries = async () => {
      const bodies = seen.map(event => world.backend.database.write(tx => webhookBodyOf(tx, event)));
      return (await Promise.all(bodies)).filter(body => body !== undefined);
    };
    const paid = await taken();
    await authorise(paid.saleId);
    await complete(paid.saleId);
    await becomes(paid.saleId, { status: 'COMPLETE' });
    paid.stream.close();
    await cancel((await started()).saleId);
    const left = await started();
    await becomesInTime(left.saleId, { status: 'TIMED_OUT' });
    await expect.poll(async () => (await deliveries()).length).toBe(2);
    expect(await deliveries()).toMatchObject([
      { eventType: 'terminal.sale.completed', checkoutId: paid.saleId, externalId: 'Order 7', status: 'COMPLETE' },
      { eventType: 'terminal.sale.failed', checkoutId: left.saleId, externalId: 'Order 7', status: 'TIMED_OUT' },
    ]);
  });
});
