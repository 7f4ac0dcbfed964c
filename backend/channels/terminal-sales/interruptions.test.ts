import { removeDevice, renewEnrolmentCode } from '@florin/shared/contracts/api-v1/devices.ts';
import { createKioskKey, revokeKioskKey } from '@florin/shared/contracts/api-v1/kiosk-keys.ts';
import { followCommands, reportSaleProgress } from '@florin/shared/contracts/device-v1/commands.ts';
import { enrolTerminal } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { getPrintableReceipt } from '@florin/shared/contracts/device-v1/receipts.ts';
import { authoriseSale, completeSale, getSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { followKioskSale } from '@florin/shared/contracts/kiosk-v1/sales.ts';
import type { TerminalSaleRecord } from '@florin/shared/contracts/terminal-sales.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { aBackend, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aDrivenTerminal } from '../../../test/support/driven-terminal.ts';
import { anEventStream } from '../../../test/support/event-stream.ts';
import { aTill, sealedCard, signedEnrolment } from '../../../test/support/till.ts';
import { startOfSale } from './store.ts';

/** A kiosk that follows the sales of a terminal. */
async function aKiosk(database: DatabaseKind) {
  const driven = await aDrivenTerminal(database);
  const { world, client, manager, till } = driven;
  const body = { name: 'Foyer', deviceIds: [till.terminalId] };
  const made = await client.call(createKioskKey, { body }, { key: manager });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const headers = { 'x-api-key': made.body.key ?? '' };
  const follow = (saleId: string, lastEventId?: string, url = world.url) =>
    anEventStream(`${url}${followKioskSale.path.replace('{saleId}', saleId)}`, {
      ...headers,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    });
  const revoke = () => client.call(revokeKioskKey, { params: { id: made.body.id } }, { key: manager });
  return { ...driven, follow, revoke };
}

eachDatabase('a driven sale that is interrupted', database => {
  test('is sent in its current state to a stream that resumes after an event of another or no sale', async () => {
    const { taken, cancel, follow } = await aKiosk(database);
    const sale = await taken();
    const before = await follow(sale.saleId);
    await before.has(1);
    await cancel(sale.saleId);
    await before.ends();
    const ofAnother = before.events.at(-1)?.id ?? '';
    expect(ofAnother).toMatch(/^\d+$/);
    sale.stream.close();

    const next = await taken();
    for (const lastEventId of [ofAnother, '999999999', '0', 'nonsense']) {
      const stream = await follow(next.saleId, lastEventId);
      await stream.has(1);
      expect(stream.events[0]).toMatchObject({ event: 'open', data: { saleId: next.saleId, status: 'PROCESSING' } });
      stream.close();
    }
    // No event of the earlier sale is omitted or repeated.
    const again = await follow(sale.saleId, ofAnother);
    await again.ends();
    expect(again.events.filter(({ event }) => event === 'sale-changed')).toEqual([]);
  });

  test('is followed on from the last event at another process, after the one that served the stream was killed', async () => {
    const { world, till, taken, follow, announceReader } = await aKiosk(database);
    const { saleId } = await taken();
    const before = await follow(saleId);
    await before.has(1);
    await announceReader(saleId);
    await before.has(2);
    const seen = before.events.at(-1);
    await world.kill();

    const other = await aBackend({ sharing: world });
    const after = await follow(saleId, seen?.id, other.url);
    const body = { sequence: 1, report: { kind: 'ended', reason: 'no_card' } } as const;
    await other.client.call(reportSaleProgress, { params: { saleId }, body }, { key: till.token });
    await after.ends();
    const sequences = [...before.events, ...after.events].map(({ data }) => (data as TerminalSaleRecord).sequence);
    expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index));
    expect(after.events.at(-1)).toMatchObject({ event: 'sale-changed', data: { status: 'TIMED_OUT' } });
  });

  test('has the language that its customer chose last, however late an earlier report arrives', async () => {
    const { world, client, till, taken } = await aKiosk(database);
    const { saleId } = await taken();
    const reports = (sequence: number, language: string) => {
      const body = { sequence, report: { kind: 'stage', stage: 'awaiting_card' }, language } as const;
      return client.call(reportSaleProgress, { params: { saleId }, body }, { key: till.token });
    };
    const language = async () =>
      JSON.parse((await world.backend.database.first(startOfSale, { saleId }))?.bodyJson ?? '{}').language as unknown;
    await reports(1, 'de');
    expect(await language()).toBe('de');
    await reports(3, 'fr');
    await reports(2, 'de');
    expect(await language()).toBe('fr');
  });

  test('is not sent to a kiosk whose key was revoked while its stream was open', async () => {
    const { taken, cancel, follow, revoke } = await aKiosk(database);
    const { saleId } = await taken();
    const stream = await follow(saleId);
    await stream.has(1);
    await revoke();
    await cancel(saleId);
    await stream.ends();
    expect(stream.events).toHaveLength(1);
  });

  test('is not followed by a kiosk whose key was revoked, even if nothing happens to the sale', async () => {
    const { world, taken, follow, revoke } = await aKiosk(database);
    const { saleId } = await taken();
    const stream = await follow(saleId);
    await stream.has(1);
    await revoke();
    world.clock.advance({ seconds: 5 });
    await stream.ends();
    expect(stream.events).toHaveLength(1);
  });

  test('is not sent to a terminal that was removed, or whose place another machine took: its stream ends at once', async () => {
    const { world, client, manager, till, listen, started } = await aDrivenTerminal(database);
    const other = await aTill(world, manager, { keySeed: 9, serial: 'SN-9' });
    const elsewhere = await aBackend({ sharing: world });
    const channel = `${elsewhere.url}${followCommands.path}`;
    const removed = await anEventStream(channel, { authorization: `Bearer ${other.token}` });
    const { channels } = world.backend.services.terminalSales;
    await expect.poll(async () => (await channels.of(other.terminalId))?.isOnline, { interval: 5 }).toBe(true);
    const replaced = await listen();
    await client.call(removeDevice, { params: { id: other.terminalId } }, { key: manager });
    const renewed = await client.call(renewEnrolmentCode, { params: { id: till.terminalId } }, { key: manager });
    const code = (renewed.status === 201 && renewed.body.code) || '';
    await client.call(enrolTerminal, {
      body: signedEnrolment({ code, serial: 'SN-1', keys: keyPairOf(Buffer.alloc(32, 8)) }),
    });
    await replaced.ends();
    await removed.ends();
    await started();
    expect([...replaced.events, ...removed.events]).toEqual([]);
  });

  test('takes the reports that follow one whose number no terminal can reach', async () => {
    const { client, till, taken, report } = await aDrivenTerminal(database);
    const { saleId } = await taken();
    const body = { sequence: Number.MAX_SAFE_INTEGER, report: { kind: 'stage', stage: 'awaiting_card' } } as const;
    const refused = await client.call(reportSaleProgress, { params: { saleId }, body }, { key: till.token });
    expect(refused.status).toBe(400);
    expect(await report(saleId, 1, { ended: 'no_card' })).toMatchObject({ status: 200, body: { isOver: true } });
  });

  test('is ended by its machine after it was enrolled again during the card dialogue', async () => {
    const { world, client, manager, taken, announceReader, read } = await aDrivenTerminal(database);
    const { saleId } = await taken();
    await announceReader(saleId);
    const other = await aTill(world, manager, { keySeed: 9, serial: 'SN-9' });
    const again = await aTill(world, manager);
    const body = { sequence: 1, report: { kind: 'ended', reason: 'no_card' } } as const;
    const report = (token: string) => client.call(reportSaleProgress, { params: { saleId }, body }, { key: token });
    expect(await report(other.token)).toMatchObject({ status: 404 });
    expect(await report(again.token)).toMatchObject({ status: 200, body: { isOver: true } });
    expect(await read(saleId)).toMatchObject({ status: 'TIMED_OUT', statusReason: 'no_card' });
  });

  test('ends with the bank’s outcome if its machine was enrolled again before or after the card was read', async () => {
    const { world, client, manager, taken, authorise, becomes, sandbox, till } = await aDrivenTerminal(database);
    const startedAt = new Date(world.clock.now()).toISOString();
    const body = { amountInCents: 1_000, currency: 'GBP', startedAt, card: sealedCard() };
    const authoriseAs = (token: string, saleId: string) =>
      client.call(authoriseSale, { params: { saleId }, body }, { key: token });
    const completeAs = (token: string, saleId: string) =>
      client.call(completeSale, { params: { saleId } }, { key: token });

    // The card is read afterwards: only the same machine may continue.
    const before = await taken();
    const other = await aTill(world, manager, { keySeed: 9, serial: 'SN-9' });
    const again = await aTill(world, manager);
    expect(await authoriseAs(other.token, before.saleId)).toMatchObject({
      status: 409,
      body: { error: { metadata: { reason: 'sale_of_another_terminal' } } },
    });
    expect(await authoriseAs(again.token, before.saleId)).toMatchObject({ status: 200, body: { status: 'unsettled' } });
    await becomes(before.saleId, { statusReason: 'approved' });
    expect(await completeAs(other.token, before.saleId)).toMatchObject({ status: 404 });
    expect(await completeAs(again.token, before.saleId)).toMatchObject({ status: 200 });
    await becomes(before.saleId, { status: 'COMPLETE', rail: 'card' });
    before.stream.close();
    expect(await client.call(removeDevice, { params: { id: again.terminalId } }, { key: manager })).toMatchObject({
      status: 200,
    });
    expect(await client.call(removeDevice, { params: { id: other.terminalId } }, { key: manager })).toMatchObject({
      status: 200,
    });

    // The terminal is removed during the authorisation, whose approval arrives as a callback.
    const during = await taken();
    sandbox.control.addFault({ kind: 'loseReply', action: 'CARD_PRESENT' });
    expect((await authorise(during.saleId)).status).toBe(200);
    await becomes(during.saleId, { statusReason: 'approved' });
    expect(await client.call(removeDevice, { params: { id: till.terminalId } }, { key: manager })).toMatchObject({
      status: 200,
    });
    const third = await aTill(world, manager);
    expect(await client.call(getSale, { params: { saleId: during.saleId } }, { key: third.token })).toMatchObject({
      status: 200,
      body: { status: 'unsettled' },
    });
    expect(await authoriseAs(third.token, during.saleId)).toMatchObject({ status: 200, body: { status: 'unsettled' } });
    expect(await completeAs(third.token, during.saleId)).toMatchObject({ status: 200 });
    await becomes(during.saleId, { status: 'COMPLETE' });
    expect(sandbox.control.ledger().map(({ takenMinor }) => takenMinor)).toEqual([1_000, 1_000]);
    during.stream.close();
  });

  test('is never shown on another machine that took the place of its terminal', async () => {
    const { world, client, manager, till, started, becomesInTime } = await aDrivenTerminal(database);
    const { saleId } = await started();
    const renewed = await client.call(renewEnrolmentCode, { params: { id: till.terminalId } }, { key: manager });
    const code = (renewed.status === 201 && renewed.body.code) || '';
    const keys = keyPairOf(Buffer.alloc(32, 9));
    const enrolled = await client.call(enrolTerminal, { body: signedEnrolment({ code, serial: 'SN-9', keys }) });
    if (enrolled.status !== 201) throw new Error(JSON.stringify(enrolled.body));
    const authorization = `Bearer ${enrolled.body.deviceToken}`;
    const stream = await anEventStream(`${world.url}${followCommands.path}`, { authorization });
    await becomesInTime(saleId, { status: 'TIMED_OUT', statusReason: 'terminal_unreachable' });
    expect(stream.events).toEqual([]);
    stream.close();
  });

  test('is paid on a terminal with a clock error of an hour', async () => {
    const { world, client, token, taken, complete, becomes } = await aDrivenTerminal(database);
    for (const offMs of [-3_600_000, 3_600_000]) {
      const { saleId, stream } = await taken();
      const startedAt = new Date(world.clock.now() + offMs).toISOString();
      const body = { amountInCents: 1_000, currency: 'GBP', startedAt, card: sealedCard() };
      expect(await client.call(authoriseSale, { params: { saleId }, body }, token)).toMatchObject({ status: 200 });
      await complete(saleId);
      await becomes(saleId, { status: 'COMPLETE' });
      stream.close();
    }
  });

  test('is acknowledged as often as its terminal asks, until its command is deleted after the retention', async () => {
    const driven = await aDrivenTerminal(database, { RETENTION_DAYS: '1' });
    const { world, client, token, taken, authorise, complete, becomes, read, acknowledge, started, listen } = driven;
    const { saleId, commandId, stream } = await taken();
    await authorise(saleId);
    await complete(saleId);
    await becomes(saleId, { status: 'COMPLETE' });
    stream.close();
    world.clock.advance({ hours: 23 });
    expect((await acknowledge(commandId)).status).toBe(200);
    const acknowledgedLater = async () => {
      world.clock.advance({ minutes: 10 });
      return (await acknowledge(commandId)).status;
    };
    await expect.poll(acknowledgedLater, { interval: 5 }).toBe(404);
    // What the command said of the sale is still on its receipt.
    const url = (await read(saleId)).receipt?.url ?? '';
    const params = { token: url.split('/').at(-1) ?? '' };
    const printed = await client.call(getPrintableReceipt, { params, query: {} }, token);
    expect(printed.status).toBe(200);
    expect(JSON.stringify(printed.body)).toContain('Order 7');
    const next = await started();
    const again = await listen();
    await again.has(1);
    expect(again.events).toMatchObject([{ data: { kind: 'start_sale', saleId: next.saleId } }]);
  });
});
