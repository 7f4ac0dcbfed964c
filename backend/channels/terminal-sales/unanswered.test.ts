import { getDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { listDiscrepancies } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { reportTerminalStatus, type TerminalCommand } from '@florin/shared/contracts/device-v1/commands.ts';
import { completeSale, getSale, reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aDrivenTerminal, ready } from '../../../test/support/driven-terminal.ts';

eachDatabase('a terminal sale whose bank does not answer', database => {
  /** The bank has approved the sale, or never received it, and neither the service nor its terminal knows which. */
  async function anUnansweredSale({ isReceived = true } = {}) {
    const driven = await aDrivenTerminal(database);
    const { client, token, taken, sandbox, authorise, report, becomes, till, manager } = driven;
    const { saleId, stream } = await taken();
    await client.call(reportTerminalStatus, { body: ready }, token);
    sandbox.control.addFault({
      kind: isReceived ? 'loseReply' : 'dropRequest',
      action: 'CARD_PRESENT',
      callback: false,
    });
    sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 10_000 });
    expect(await authorise(saleId)).toMatchObject({ body: { status: 'pending' } });
    await report(saleId, 1, { stage: 'unknown_outcome' });
    await becomes(saleId, { status: 'PROCESSING', statusReason: 'unknown_outcome' });
    const readiness = async () =>
      (await client.call(getDevice, { params: { id: till.terminalId } }, { key: manager })).body;
    expect(await readiness()).toMatchObject({ readyForSale: false, busy: { doing: 'awaiting_bank', saleId } });
    const reverse = () => client.call(reverseSale, { params: { saleId }, body: { reason: 'outcome_unknown' } }, token);
    const sale = async () => (await client.call(getSale, { params: { saleId } }, token)).body;
    return { ...driven, saleId, stream, readiness, reverse, sale };
  }

  const ended = { status: 'ERROR', statusReason: 'bank_timeout' } as const;

  test('is cancelled on the terminal, which is free at once, and the approval is reversed', async () => {
    const driven = await anUnansweredSale();
    const { saleId, reverse, readiness, becomes, read, start, report, sandbox, sale, world } = driven;
    expect(await reverse()).toMatchObject({
      status: 200,
      body: { status: 'pending', reversal: { reason: 'outcome_unknown', status: 'awaiting_outcome' } },
    });
    await becomes(saleId, ended);
    const first = await read(saleId);
    await expect.poll(readiness).toMatchObject({ readyForSale: true, busy: null });
    await report(saleId, 2, { ended: 'staff_cancelled' });
    expect((await start()).status).toBe(201);
    expect(await reverse()).toMatchObject({ status: 200 });

    sandbox.control.clearFaults();
    const later = () => {
      world.clock.advance({ seconds: 20 });
      return sale();
    };
    await expect
      .poll(later, { timeout: 30_000 })
      .toMatchObject({ status: 'cancelled', reversal: { status: 'voided' } });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 0, returnedMinor: 0 }]);
    expect(await read(saleId)).toEqual(first);
    driven.stream.close();
  });

  test('stays cancelled if the bank never received it, and nothing is returned', async () => {
    const { saleId, reverse, becomes, sandbox, sale, world, stream } = await anUnansweredSale({ isReceived: false });
    await reverse();
    await becomes(saleId, ended);
    sandbox.control.clearFaults();
    const later = () => {
      world.clock.advance({ seconds: 20 });
      return sale();
    };
    await expect.poll(later, { timeout: 30_000 }).toMatchObject({ reversal: { status: 'not_needed' } });
    await becomes(saleId, ended);
    expect(sandbox.control.ledger()).toEqual([]);
    stream.close();
  });

  test('is cancelled by its caller: the terminal is notified, and a later completion does not complete it', async () => {
    const driven = await anUnansweredSale();
    const { saleId, cancel, readiness, start, sandbox, stream, client, token, sale, world } = driven;
    const asked = await cancel(saleId);
    expect(asked).toMatchObject(ended);
    expect(await cancel(saleId)).toEqual(asked);
    expect(await readiness()).toMatchObject({ readyForSale: true, busy: null });
    const ends = () =>
      stream.events.filter(({ data }) => {
        const command = data as TerminalCommand;
        return command.kind === 'end_sale' && command.saleId === saleId;
      });
    await expect.poll(ends).toHaveLength(1);
    expect((await start()).status).toBe(201);
    expect(await sale()).toMatchObject({ reversal: { reason: 'outcome_unknown', status: 'awaiting_outcome' } });

    const completion = await client.call(completeSale, { params: { saleId } }, token);
    expect(completion.body).toMatchObject({ reversal: { reason: 'outcome_unknown' } });
    sandbox.control.clearFaults();
    const later = () => {
      world.clock.advance({ seconds: 20 });
      return sale();
    };
    await expect
      .poll(later, { timeout: 30_000 })
      .toMatchObject({ status: 'cancelled', reversal: { status: 'voided' } });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 0, returnedMinor: 0 }]);
    stream.close();
  });

  test('stays completed if its terminal cancelled it too late without a connection, and becomes a discrepancy', async () => {
    const driven = await anUnansweredSale();
    const { saleId, reverse, becomesInTime, business, client, sandbox, stream } = driven;
    // Staff cancelled it without a connection: the approval counts before the service learns of that.
    sandbox.control.clearFaults();
    await becomesInTime(saleId, { status: 'COMPLETE' });
    for (const attempt of [reverse, reverse])
      expect(await attempt()).toMatchObject({
        status: 409,
        body: { error: { metadata: { reason: 'sale_completed' } } },
      });
    const listed = await client.call(listDiscrepancies, { query: {} }, { key: await business.key('sales:read') });
    expect(listed.body).toMatchObject({
      items: [
        {
          kind: 'sale_reversed_too_late',
          needs: 'acknowledgement',
          recorded: { saleId, terminalReported: 'outcome_unknown' },
        },
      ],
    });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_000, returnedMinor: 0 }]);
    stream.close();
  });

  test('is not cancelled by its caller once the bank’s answer is known, which its terminal may act on', async () => {
    const driven = await aDrivenTerminal(database);
    const { taken, authorise, cancel, complete, becomes, sandbox, report } = driven;
    const { saleId, stream } = await taken();
    await authorise(saleId);
    await becomes(saleId, { statusReason: 'approved' });
    await report(saleId, 1, { stage: 'unknown_outcome' });
    expect(await cancel(saleId)).toMatchObject({ status: 'PROCESSING', statusReason: 'approved' });
    await complete(saleId);
    await becomes(saleId, { status: 'COMPLETE' });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_000, returnedMinor: 0 }]);
    stream.close();
  });
});
