import { createStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { startTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../support/backend.ts';
import { aTillProgram } from '../support/till-program.ts';
import { receivedTraces } from '../support/traces.ts';

eachDatabase('a refund that software requests', database => {
  async function aPaidSale() {
    const till = await aTillProgram(database);
    const { client, terminal, started, becomes, sandbox, key, serial, business } = till;
    const { saleId } = await started(2_000);
    await becomes(saleId, { status: 'COMPLETE' });
    await terminal.send({ name: 'show_keypad' });
    sandbox.control.settle();
    const refund = (amountInCents: number) =>
      client.call(
        startTerminalSale,
        { body: { serial, amountInCents, currency: 'GBP', type: 'refund', originalSaleId: saleId } },
        { key },
      );
    const manager = await business.key('team:write');
    const created = await client.call(
      createStaff,
      { body: { staffNumber: '104', name: 'Nadia', mayRefundAndVoid: true } },
      { key: manager },
    );
    if (created.status !== 201) throw new Error(JSON.stringify(created.body));
    return { ...till, saleId, refund, password: created.body.temporaryPassword ?? '' };
  }

  test('is linked to its payment and capped by it, and is made only with a staff member’s ID and password', async () => {
    const { terminal, becomes, refund, password, sandbox, started, saleId } = await aPaidSale();
    const traces = receivedTraces();
    await expect
      .poll(async () => (await refund(2_001)).body)
      .toMatchObject({
        error: { metadata: { reason: 'refund_exceeds_payment', remaining: 2_000 } },
      });
    const asked = await refund(500);
    if (asked.status !== 201) throw new Error(JSON.stringify(asked.body));
    const shown = await terminal.shows('staff_id');
    expect(shown).toMatchObject({
      authorised: {
        kind: 'REFUND_SALE',
        amountMinor: 500,
        requestedBy: { name: 'test' },
        cancelsAt: expect.any(Number),
      },
    });
    await terminal.send({ name: 'enter_staff_number', staffNumber: '104' });
    await terminal.shows('staff_password');
    await terminal.send({ name: 'enter_password', password });
    await terminal.shows('new_password');
    await terminal.send({ name: 'choose_password', password: 'a word of my own', repeated: 'a word of my own' });
    expect(await terminal.shows('return_result')).toMatchObject({ outcome: 'approved' });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 2_000, returnedMinor: 500 }]);
    // Its trace is its own, and that of the sale is another one.
    expect(traces.at(sandbox.url, '/direct').join()).toContain(asked.body.saleId.replace('sale_', ''));
    await becomes(asked.body.saleId, {
      status: 'COMPLETE',
      type: 'refund',
      metadata: { refund: { refundId: expect.stringMatching(/^ref_/) } },
    });
    // The next sale replaces the result once it has been on the screen long enough to be read.
    const next = await started(300);
    await terminal.shows('return_result');
    terminal.skip({ ms: 60_000 });
    await becomes(next.saleId, { status: 'COMPLETE' });
    await terminal.send({ name: 'show_recent_sales' });
    await terminal.send({ name: 'show_sale', saleId });
    await terminal.send({ name: 'return_money', saleId });
    await terminal.shows('refund_amount');
  });

  test('whose outcome is unknown frees the terminal for the next sale once staff have left its screen', async () => {
    const { world, terminal, becomes, read, refund, password, sandbox, started, start } = await aPaidSale();
    const becomesInTime = (id: string, wanted: object) => {
      const readLater = () => {
        world.clock.advance({ seconds: 20 });
        return read(id);
      };
      return expect.poll(readLater, { interval: 20, timeout: 30_000 }).toMatchObject(wanted);
    };
    const asked = await refund(500);
    if (asked.status !== 201) throw new Error(JSON.stringify(asked.body));
    const { saleId } = asked.body;
    sandbox.control.addFault({ kind: 'loseReply', action: 'REFUND_SALE', callback: false });
    sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 10_000 });
    await terminal.shows('staff_id');
    await terminal.send({ name: 'enter_staff_number', staffNumber: '104' });
    await terminal.shows('staff_password');
    await terminal.send({ name: 'enter_password', password });
    await terminal.shows('new_password');
    await terminal.send({ name: 'choose_password', password: 'a word of my own', repeated: 'a word of my own' });
    await expect.poll(() => terminal.shows('return_progress')).toMatchObject({ mayLeave: true });
    await becomes(saleId, { status: 'PROCESSING', statusReason: 'authorising' });
    expect((await start(300)).body).toMatchObject({
      error: { metadata: { reason: 'terminal_busy', busy: { doing: 'awaiting_bank', saleId } } },
    });

    await terminal.send({ name: 'back' });
    expect(await terminal.shows('return_result')).toMatchObject({ outcome: 'pending' });
    await terminal.send({ name: 'show_keypad' });
    await expect.poll(async () => (await start(300, { idempotencyKey: 'next' })).status).toBe(201);
    const next = await started(300, { idempotencyKey: 'next' });
    await becomes(next.saleId, { status: 'COMPLETE' });
    await becomes(saleId, { status: 'PROCESSING' });
    sandbox.control.clearFaults();
    await becomesInTime(saleId, { status: 'COMPLETE', type: 'refund' });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 2_000, returnedMinor: 500 }, { takenMinor: 300 }]);
  });

  test('moves no money if it is cancelled at the terminal or by the software', async () => {
    const { terminal, becomes, refund, cancel, sandbox, saleId } = await aPaidSale();
    const asked = async () => {
      const made = await refund(500);
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      await terminal.shows('staff_id');
      await becomes(made.body.saleId, { status: 'PROCESSING', statusReason: 'awaiting_staff' });
      return made.body.saleId;
    };
    const left = await asked();
    await terminal.send({ name: 'back' });
    await becomes(left, { status: 'CANCELLED_REMOTE', statusReason: 'staff_cancelled' });
    await terminal.shows('keypad');
    const cancelled = await asked();
    await cancel(cancelled);
    await becomes(cancelled, { status: 'CANCELLED' });
    expect(await terminal.shows('return_result')).toMatchObject({
      outcome: 'withdrawn',
      notice: { message: expect.stringMatching(/^Cancelled by /), detail: expect.stringContaining('No money moved.') },
    });
    await terminal.send({ name: 'show_keypad' });
    const expired = await asked();
    await terminal.send({ name: 'enter_staff_number', staffNumber: '104' });
    await terminal.shows('staff_password');
    terminal.skip({ ms: 300_000 });
    await becomes(expired, { status: 'TIMED_OUT', statusReason: 'expired' });
    expect(await terminal.shows('return_result')).toMatchObject({
      outcome: 'withdrawn',
      notice: { message: 'Request expired', detail: expect.stringContaining('No money moved.') },
    });
    expect(await terminal.send({ name: 'enter_password', password: 'too late' })).toMatchObject({ kind: 'not_now' });
    await becomes(saleId, { status: 'COMPLETE' });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 2_000, returnedMinor: 0 }]);
  });
});
