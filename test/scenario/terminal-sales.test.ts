import { systemTimers } from '@florin/device/main/platform/system.ts';
import { operator } from '@florin/shared/actor.ts';
import { createDevice, getDevice, removeDevice, updateDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { createStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { wait } from '@florin/shared/ports.ts';
import { expect, test } from 'vitest';
import { seededNumbers } from '../simulation/seeded.ts';
import { eachDatabase } from '../support/backend.ts';
import { aTillProgram } from '../support/till-program.ts';

const pause = (delayMs: number) => wait(systemTimers, delayMs);

eachDatabase('a sale that software starts', database => {
  test('appears on the terminal and is paid with a card, and terminal, service and bank agree', async () => {
    const { terminal, sandbox, started, becomes, read } = await aTillProgram(database);
    terminal.reader.presentsByItself = false;
    const sale = await started(1_250);
    expect(sale).toMatchObject({ status: 'PENDING', statusReason: 'awaiting_terminal', sequence: 1, rail: null });
    const shown = await terminal.shows('sale');
    expect(shown).toMatchObject({
      amount: { amountMinor: 1_250, currency: 'GBP' },
      requestedBy: { name: 'test', reference: 'Order 7' },
    });
    await becomes(sale.saleId, { status: 'PROCESSING', statusReason: 'awaiting_card' });
    terminal.reader.present();
    await becomes(sale.saleId, { status: 'COMPLETE', statusReason: 'completed', rail: 'card' });
    // Staff see what they see of a sale that they keyed in.
    const { outcome, receipt } = await terminal.shows('sale_result');
    expect(outcome).toBe('approved');
    expect(receipt.map(({ label }) => label)).toEqual(expect.arrayContaining(['Terminal', 'Card', 'Authorisation']));
    expect(receipt).toContainEqual({ label: 'Reference', value: 'Order 7' });
    const { metadata, sequence } = await read(sale.saleId);
    expect(metadata.card).toMatchObject({ lastFour: '0821', invoiceNumber: 'INV-000001' });
    expect(sequence).toBeGreaterThan(3);
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_250 }]);
  });

  test('tells the software that the card of the previous sale is still in the reader', async () => {
    const { terminal, started, becomes } = await aTillProgram(database);
    terminal.reader.presentsByItself = false;
    terminal.reader.isCardLeft = true;
    const { saleId } = await started(1_250);
    await becomes(saleId, { status: 'PROCESSING', statusReason: 'awaiting_card_removal' });
    expect(await terminal.shows('sale')).toMatchObject({ stage: 'remove_previous_card' });
    terminal.reader.removeCard();
    await becomes(saleId, { statusReason: 'awaiting_card' });
    terminal.reader.present();
    await becomes(saleId, { status: 'COMPLETE' });
  });

  test('is cancelled by the software, and the next one replaces its result on the screen', async () => {
    const { terminal, sandbox, started, cancel, becomes } = await aTillProgram(database);
    terminal.reader.presentsByItself = false;
    const sale = await started(1_250);
    await becomes(sale.saleId, { statusReason: 'awaiting_card' });
    expect(await cancel(sale.saleId)).toMatchObject({
      body: { status: 'CANCELLED', statusReason: 'cancelled_by_caller' },
    });
    expect(await terminal.shows('sale_result')).toMatchObject({
      outcome: 'cancelled',
      notice: { message: 'Cancelled', detail: 'test cancelled the sale. Nothing was charged.' },
    });
    await terminal.send({ name: 'show_keypad' });
    const next = await started(300);
    await becomes(next.saleId, { statusReason: 'awaiting_card' });
    terminal.reader.present();
    await becomes(next.saleId, { status: 'COMPLETE' });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 300 }]);
  });

  test('waits behind a result until it has been read, cancelled, expired or lost with the power', async () => {
    const { world, terminal, sandbox, started, cancel, becomes, read } = await aTillProgram(database);
    const paid = await started(1_250);
    await becomes(paid.saleId, { status: 'COMPLETE' });
    terminal.reader.presentsByItself = false;
    const waits = async () => {
      const { saleId } = await started(300);
      await becomes(saleId, { status: 'PROCESSING', statusReason: 'awaiting_reader' });
      expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'approved' });
      const refused = await terminal.send({ name: 'start_sale', amountMinor: 500 });
      expect(refused).toEqual({ kind: 'sale_starting', requestedBy: 'test' });
      return saleId;
    };
    // A restart keeps who requested it.
    await terminal.kill();
    terminal.start();
    expect(await terminal.shows('sale_result')).toMatchObject({ requestedBy: { name: 'test', reference: 'Order 7' } });
    const cancelled = await waits();
    await cancel(cancelled);
    await becomes(cancelled, { status: 'CANCELLED' });
    // Started in the same instant: the terminal may not have received the cancellation yet.
    const expired = await waits();
    const later = () => {
      world.clock.advance({ seconds: 30 });
      return read(expired);
    };
    await expect.poll(later, { interval: 10, timeout: 30_000 }).toMatchObject({ status: 'TIMED_OUT' });
    const lost = await waits();
    await terminal.kill();
    terminal.start();
    await becomes(lost, { status: 'ERROR', statusReason: 'interrupted' });
    await terminal.shows('sale_result');
    const seen = await waits();
    expect(await terminal.send({ name: 'show_keypad' })).toEqual({ kind: 'accepted' });
    await becomes(seen, { statusReason: 'awaiting_card' });
    terminal.reader.present();
    await becomes(seen, { status: 'COMPLETE' });
    expect(sandbox.control.ledger().map(({ takenMinor }) => takenMinor)).toEqual([1_250, 300]);
  });

  test('has the same outcome on every side if it is cancelled at the moment the card is read', async () => {
    const { terminal, sandbox, started, cancel, becomes, read } = await aTillProgram(database);
    terminal.reader.presentsByItself = false;
    const seed = Number(process.env.SEED ?? 7);
    const numbers = seededNumbers(seed);
    for (let round = 0; round < 20; round += 1) {
      const { saleId } = await started(1_250);
      await becomes(saleId, { statusReason: 'awaiting_card' });
      const before = sandbox.control.ledger().length;
      // The card up to 12 ms before the cancellation, or after it.
      const card = pause(numbers.between(0, 12)).then(() => terminal.reader.present());
      const [answer] = await Promise.all([pause(numbers.between(0, 12)).then(() => cancel(saleId)), card]);
      const result = await terminal.shows('sale_result');
      const isCharged = sandbox.control.ledger().length > before;
      expect([seed, round, result.outcome === 'approved']).toEqual([seed, round, isCharged]);
      // CANCELLED guarantees to the caller that no card will be charged.
      if (answer.status === 200 && answer.body.status === 'CANCELLED') expect(isCharged).toBe(false);
      await becomes(saleId, { status: isCharged ? 'COMPLETE' : 'CANCELLED' });
      expect((await read(saleId)).rail).toBe(isCharged ? 'card' : null);
      await terminal.send({ name: 'show_keypad' });
    }
  });

  test('can be cancelled at the terminal, and is refused while staff use the terminal', async () => {
    const { terminal, started, start, becomes } = await aTillProgram(database);
    terminal.reader.presentsByItself = false;
    const left = await started(500);
    await becomes(left.saleId, { statusReason: 'awaiting_card' });
    await terminal.send({ name: 'cancel_sale' });
    await becomes(left.saleId, { status: 'CANCELLED_REMOTE', statusReason: 'staff_cancelled' });

    await terminal.send({ name: 'start_sale', amountMinor: 700 });
    await terminal.shows('sale');
    await expect.poll(async () => (await start(500)).status).toBe(409);
  });

  test('at a kiosk, Cancel on the screen is the customer’s, and the caller’s cancellation is its own', async () => {
    const { terminal, started, cancel, becomes } = await aTillProgram(database, 'kiosk');
    terminal.reader.presentsByItself = false;
    const left = await started(500);
    await becomes(left.saleId, { statusReason: 'awaiting_card' });
    await terminal.send({ name: 'cancel_sale' });
    await becomes(left.saleId, { status: 'CANCELLED_REMOTE', statusReason: 'customer_cancelled' });
    terminal.skip({ ms: 60_000 });
    await terminal.shows('kiosk_idle');

    const withdrawn = await started(500);
    await becomes(withdrawn.saleId, { statusReason: 'awaiting_card' });
    await cancel(withdrawn.saleId);
    await becomes(withdrawn.saleId, { status: 'CANCELLED', statusReason: 'cancelled_by_caller' });
  });

  test('replaces the list of sales on the screen, but not a refund in progress', async () => {
    const { terminal, started, start, becomes } = await aTillProgram(database);
    const { saleId } = await started(900);
    await becomes(saleId, { status: 'COMPLETE' });
    terminal.reader.presentsByItself = false;
    await terminal.send({ name: 'show_recent_sales' });
    const shown = await terminal.shows('recent_sales');
    const found = shown.sales[0]?.saleId ?? '';
    await terminal.send({ name: 'show_sale', saleId: found });
    await terminal.shows('sale_detail');
    const over = await started(500);
    await becomes(over.saleId, { statusReason: 'awaiting_card' });
    await terminal.send({ name: 'cancel_sale' });
    await becomes(over.saleId, { status: 'CANCELLED_REMOTE' });

    await terminal.send({ name: 'show_recent_sales' });
    await terminal.send({ name: 'show_sale', saleId: found });
    await terminal.send({ name: 'return_money', saleId: found });
    await expect.poll(async () => (await start(500)).status).toBe(409);
  });

  test('whose terminal loses power, before or after the bank decided, ends with the bank’s outcome', async () => {
    const { terminal, sandbox, started, start, becomes, read } = await aTillProgram(database);
    terminal.reader.presentsByItself = false;
    const waiting = await started(500);
    await becomes(waiting.saleId, { statusReason: 'awaiting_card' });
    await terminal.kill();
    terminal.start();
    await becomes(waiting.saleId, { status: 'ERROR', statusReason: 'interrupted' });

    // The bank has approved, and its reply is lost.
    await terminal.shows('sale_result');
    await terminal.send({ name: 'show_keypad' });
    terminal.reader.unplugsAt = 'answered';
    const paid = await started(900);
    await becomes(paid.saleId, { statusReason: 'awaiting_card' });
    terminal.reader.present();
    await becomes(paid.saleId, { statusReason: 'approved' });
    await terminal.kill();
    expect(await start(100)).toMatchObject({ status: 409 });
    terminal.reader.replug();
    terminal.start();
    await becomes(paid.saleId, { status: 'COMPLETE' });
    expect((await terminal.shows('sale_result')).outcome).toBe('approved');
    expect((await read(paid.saleId)).amountInCents).toBe(900);
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 900 }]);
  });

  test('ends at the terminal as soon as the service learns the outcome from a slow bank', async () => {
    const { terminal, sandbox, started, becomes, read } = await aTillProgram(database);
    terminal.reader.presentsByItself = false;
    const sale = await started(1_250);
    await becomes(sale.saleId, { statusReason: 'awaiting_card' });
    // The bank's reply is lost, and its callback tells the service the outcome.
    sandbox.control.addFault({ kind: 'hang', applied: true, action: 'CARD_PRESENT' });
    terminal.reader.present();
    await becomes(sale.saleId, { statusReason: 'approved' });
    const { sequence } = await read(sale.saleId);
    await expect.poll(() => terminal.screen().name, { interval: 5, timeout: 10_000 }).toBe('sale_result');
    expect(terminal.screen()).toMatchObject({ outcome: 'approved' });
    await becomes(sale.saleId, { status: 'COMPLETE', sequence: sequence + 1 });
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_250 }]);
  });

  test('whose terminal is removed and enrolled again during it has the outcome that the terminal reports', async () => {
    const { client, business, terminal, sandbox, started, becomes } = await aTillProgram(database);
    const manager = await business.key('devices:write');
    terminal.reader.presentsByItself = false;
    const sale = await started(1_250);
    await becomes(sale.saleId, { statusReason: 'awaiting_card' });
    const removed = await client.call(removeDevice, { params: { id: terminal.deviceId } }, { key: manager });
    expect(removed.status).toBe(200);
    terminal.reader.present();
    expect(await terminal.shows('sale_result')).toMatchObject({ outcome: 'failed' });
    await terminal.send({ name: 'show_keypad' });
    await terminal.shows('enrolment');
    const made = await client.call(createDevice, { body: { name: 'Till 1', mode: 'staff' } }, { key: manager });
    const code = made.status === 201 ? (made.body.enrolment?.code ?? '') : '';
    await terminal.send({ name: 'enrol', code });
    await terminal.shows('keypad');
    await becomes(sale.saleId, { status: 'ERROR', statusReason: 'failed' });
    expect(sandbox.control.ledger()).toEqual([]);
  });

  test('starts once if it is requested twice with one Idempotency-Key', async () => {
    const { terminal, sandbox, start, becomes } = await aTillProgram(database);
    const [first, again] = await Promise.all([
      start(640, { idempotencyKey: 'order-7' }),
      start(640, { idempotencyKey: 'order-7' }),
    ]);
    expect(again.body).toEqual(first.body);
    if (first.status !== 201) throw new Error(JSON.stringify(first.body));
    await becomes(first.body.saleId, { status: 'COMPLETE' });
    expect((await start(640, { idempotencyKey: 'order-7' })).headers['idempotency-replayed']).toBe('true');
    await terminal.shows('sale_result');
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 640 }]);
  });
});

eachDatabase('a terminal in kiosk mode', database => {
  test('takes sales that software starts, and none that a customer keys in', async () => {
    const { terminal, sandbox, started, becomes } = await aTillProgram(database, 'kiosk');
    terminal.reader.presentsByItself = false;
    await terminal.shows('kiosk_idle');
    for (const action of [
      { name: 'start_sale', amountMinor: 500 },
      { name: 'show_recent_sales' },
      { name: 'back' },
    ] as const)
      expect(await terminal.send(action)).toEqual({ kind: 'not_now' });
    const sale = await started(1_250, { language: 'de-AT', shouldPrint: true });
    expect(await terminal.shows('sale')).toMatchObject({ requestedBy: { language: 'de-AT' } });
    await becomes(sale.saleId, { statusReason: 'awaiting_card' });
    terminal.reader.present();
    await becomes(sale.saleId, { status: 'COMPLETE' });
    const result = await terminal.shows('sale_result');
    expect(result).toMatchObject({ customerOutcome: 'approved' });
    // The customer reads it in the language of the sale.
    expect(result.receipt).toContainEqual({ label: 'Referenz', value: 'Order 7' });
    for (const action of [
      { name: 'show_sale', saleId: sale.saleId },
      { name: 'start_sale', amountMinor: 500 },
    ] as const)
      expect(await terminal.send(action)).toEqual({ kind: 'not_now' });
    await terminal.send({ name: 'show_keypad' });
    await terminal.shows('kiosk_idle');
    await terminal.kill();
    terminal.start();
    await terminal.shows('kiosk_idle');
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 1_250 }]);
  });
});

eachDatabase('the mode of a terminal', database => {
  async function aKiosk() {
    const till = await aTillProgram(database, 'kiosk');
    const { client, business, terminal } = till;
    const manager = await business.key('team:write', 'devices:read', 'devices:write');
    const addStaff = async (staffNumber: string, mayManageTerminals: boolean) => {
      const body = { staffNumber, name: `Staff ${staffNumber}`, mayRefundAndVoid: true, mayManageTerminals };
      const created = await client.call(createStaff, { body }, { key: manager });
      if (created.status !== 201) throw new Error(JSON.stringify(created.body));
      return created.body.temporaryPassword ?? '';
    };
    const identify = async (staffNumber: string) => {
      await terminal.send({ name: 'enter_staff_number', staffNumber });
      await terminal.shows('staff_password');
    };
    const give = (password: string) => terminal.send({ name: 'enter_password', password });
    const chooses = async (password: string) => {
      await terminal.shows('new_password');
      await terminal.send({ name: 'choose_password', password, repeated: password });
    };
    const device = async () => {
      const found = await client.call(getDevice, { params: { id: terminal.deviceId } }, { key: manager });
      if (found.status !== 200) throw new Error(JSON.stringify(found.body));
      return found.body;
    };
    return { ...till, manager, addStaff, identify, give, chooses, device };
  }

  test('is changed at the terminal only with a manager’s staff ID and password, and survives a restart', async () => {
    const { terminal, addStaff, identify, give, chooses, device } = await aKiosk();
    const [managers, others] = [await addStaff('101', true), await addStaff('104', false)];
    await terminal.send({ name: 'change_mode' });
    expect(await terminal.shows('staff_id')).toMatchObject({ authorised: { kind: 'LEAVE_KIOSK' } });
    await identify('104');
    await give(others);
    const refused = await terminal.shows('staff_id');
    expect(refused.notice?.message).toBe('Only a manager may enter or leave kiosk mode');
    await identify('101');
    await give('a wrong password');
    await expect
      .poll(() => terminal.screen())
      .toMatchObject({ busy: false, notice: { message: 'Incorrect password' } });
    expect(await device()).toMatchObject({ mode: 'kiosk' });
    await give(managers);
    await chooses('a word of my own');
    await terminal.shows('keypad');
    expect(await device()).toMatchObject({ mode: 'staff' });
    await terminal.kill();
    terminal.start();
    await terminal.shows('keypad');

    await terminal.send({ name: 'change_mode' });
    expect(await terminal.shows('staff_id')).toMatchObject({ authorised: { kind: 'ENTER_KIOSK' } });
    await identify('101');
    await give('a word of my own');
    await terminal.shows('kiosk_idle');
    expect(await device()).toMatchObject({ mode: 'kiosk' });
    await terminal.kill();
    terminal.start();
    await terminal.shows('kiosk_idle');
  });

  test('cannot be left while the service is unreachable, or if a sale starts meanwhile', async () => {
    const { world, terminal, addStaff, started, becomes } = await aKiosk();
    await addStaff('101', true);
    terminal.reader.presentsByItself = false;
    await terminal.send({ name: 'change_mode' });
    await terminal.shows('staff_id');
    const sale = await started(500);
    await becomes(sale.saleId, { statusReason: 'awaiting_card' });
    await terminal.send({ name: 'cancel_sale' });
    await becomes(sale.saleId, { status: 'CANCELLED_REMOTE' });
    await terminal.send({ name: 'show_keypad' });
    await terminal.shows('kiosk_idle');
    await world.stop();
    await terminal.send({ name: 'change_mode' });
    await terminal.send({ name: 'enter_staff_number', staffNumber: '101' });
    await expect
      .poll(() => terminal.screen(), { timeout: 30_000 })
      .toMatchObject({ name: 'staff_id', busy: false, notice: { message: 'Could not reach the server!' } });
    await terminal.send({ name: 'back' });
    await terminal.shows('kiosk_idle');
  });

  test('is busy once a manager is identified, so that their password cannot go into a refund', async () => {
    const { terminal, addStaff, identify, start } = await aKiosk();
    await addStaff('101', true);
    await terminal.send({ name: 'change_mode' });
    await identify('101');
    await expect.poll(async () => (await start(500)).status).toBe(409);
    expect(await terminal.shows('staff_password')).toMatchObject({ authorised: { kind: 'LEAVE_KIOSK' } });
  });

  test('is changed over the API too, and the terminal follows at once', async () => {
    const { client, terminal, manager, device } = await aKiosk();
    const params = { id: terminal.deviceId };
    const changed = await client.call(updateDevice, { params, body: { mode: 'staff' } }, { key: manager });
    expect(changed).toMatchObject({ status: 200, body: { mode: 'staff', name: 'Till 1' } });
    // Well before the next sync, which is due after thirty seconds.
    await terminal.shows('keypad');
    expect(await device()).toMatchObject({ mode: 'staff' });
    await client.call(updateDevice, { params, body: { mode: 'kiosk' } }, { key: manager });
    await terminal.shows('kiosk_idle');
  });
});

eachDatabase('a void that comes too late', database => {
  test('is answered with the offer of a refund', async () => {
    const { world, business, terminal, sandbox, started, becomes } = await aTillProgram(database);
    await world.backend.services.businesses.switchSetting(
      business.id,
      'passwordProtectRefundsAndVoids',
      false,
      operator,
    );
    const { saleId } = await started(2_000);
    await becomes(saleId, { status: 'COMPLETE' });
    await terminal.send({ name: 'show_keypad' });
    await terminal.kill();
    terminal.start();
    await terminal.shows('keypad');
    await terminal.send({ name: 'show_recent_sales' });
    await expect.poll(() => terminal.screen()).toMatchObject({ name: 'recent_sales', busy: false });
    await terminal.send({ name: 'show_sale', saleId });
    await terminal.shows('sale_detail');
    // The setting arrives with a sync, which may happen later.
    const askedFor = async () => {
      await terminal.send({ name: 'return_money', saleId });
      const { name } = terminal.screen();
      if (name === 'staff_id') await terminal.send({ name: 'back' });
      return name;
    };
    await expect.poll(askedFor).toBe('confirm_return');
    sandbox.control.settle();
    world.clock.advance({ minutes: 10 });
    await terminal.send({ name: 'confirm_return' });
    expect(await terminal.shows('return_result')).toMatchObject({ outcome: 'refused', sale: { action: 'refund' } });
    expect(await terminal.send({ name: 'return_money', saleId })).toEqual({ kind: 'accepted' });
    // Of everything, which is confirmed; one step back the amount can be changed.
    const returning = { kind: 'REFUND_SALE', amountMinor: 2_000, sale: { saleId } };
    expect(await terminal.shows('confirm_return')).toMatchObject({ returning });
    await terminal.send({ name: 'back' });
    expect(await terminal.shows('refund_amount')).toMatchObject({ sale: { saleId } });
    await terminal.send({ name: 'back' });
    await terminal.shows('sale_detail');
    expect(sandbox.control.ledger()).toMatchObject([{ takenMinor: 2_000, returnedMinor: 0 }]);
  });
});
