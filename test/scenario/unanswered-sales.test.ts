import { expect, test } from 'vitest';
import { eachDatabase } from '../support/backend.ts';
import { aTillProgram } from '../support/till-program.ts';

eachDatabase('a sale whose bank does not answer', database => {
  /** Takes a sale that the bank approved, unknown to the service and the terminal. */
  async function anUnansweredSale(mode: 'staff' | 'kiosk') {
    const program = await aTillProgram(database, mode);
    const { world, terminal, sandbox, start, started, becomes } = program;
    sandbox.control.addFault({ kind: 'loseReply', action: 'CARD_PRESENT', callback: false });
    sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 10_000 });
    const { saleId } = await started(1_250);
    await becomes(saleId, { status: 'PROCESSING', statusReason: 'authorising' });
    const isChecking = async () => {
      terminal.skip({ ms: 5_000 });
      const screen = terminal.screen();
      return screen.name === 'sale' && screen.stage === 'checking';
    };
    await expect.poll(isChecking, { interval: 20, timeout: 30_000 }).toBe(true);
    await becomes(saleId, { status: 'PROCESSING', statusReason: 'unknown_outcome' });
    const isGivenBack = () => {
      const left = () => {
        world.clock.advance({ seconds: 20 });
        return sandbox.control.ledger().map(({ takenMinor, returnedMinor }) => takenMinor - returnedMinor);
      };
      return expect.poll(left, { interval: 20, timeout: 30_000 }).toEqual([0, 300]);
    };
    const nextIsPaid = async () => {
      await expect.poll(async () => (await start(300, { idempotencyKey: 'next' })).status).toBe(201);
      const next = await started(300, { idempotencyKey: 'next' });
      await becomes(next.saleId, { status: 'COMPLETE' });
    };
    return { ...program, saleId, nextIsPaid, isGivenBack };
  }
  const ended = { status: 'ERROR', statusReason: 'bank_timeout' };

  test('is cancelled by staff who stop waiting: the next sale is paid at once, and the late approval is reversed', async () => {
    const { terminal, sandbox, saleId, start, read, nextIsPaid, isGivenBack } = await anUnansweredSale('staff');
    expect((await start(300)).body).toMatchObject({
      error: { metadata: { reason: 'terminal_busy', busy: { doing: 'awaiting_bank', saleId } } },
    });
    terminal.skip({ ms: 5_000 });
    await expect.poll(terminal.screen).toMatchObject({ cancellable: true });
    await terminal.send({ name: 'cancel_sale' });
    expect(await terminal.shows('sale_result')).toMatchObject({
      outcome: 'cancelled',
      notice: { message: 'Not paid', detail: expect.stringContaining('Keep the goods') },
    });
    await terminal.send({ name: 'show_keypad' });
    await nextIsPaid();
    expect(await read(saleId)).toMatchObject(ended);

    sandbox.control.clearFaults();
    await isGivenBack();
  });

  test('is cancelled by a kiosk after ninety seconds, and the kiosk serves the next customer', async () => {
    const { terminal, sandbox, saleId, read, nextIsPaid, isGivenBack } = await anUnansweredSale('kiosk');
    terminal.skip({ ms: 90_000 });
    expect(await terminal.shows('sale_result')).toMatchObject({ customerOutcome: 'being_returned' });
    terminal.skip({ ms: 60_000 });
    await terminal.shows('kiosk_idle');
    await nextIsPaid();

    sandbox.control.clearFaults();
    await isGivenBack();
    expect(await read(saleId)).toMatchObject(ended);
  });
});
