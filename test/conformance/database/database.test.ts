import { KeyTaken, readingAgain, statement, type Transaction } from '@florin/backend/foundation/database/database.ts';
import { untouchedPayment } from '@florin/backend/money/payments/authorisation.ts';
import type { PaymentRow } from '@florin/backend/money/payments/rows.ts';
import { expect, test } from 'vitest';
import { aDatabase, eachDatabase } from '../../support/backend.ts';
import { addOne, find, insert, open, slot, update, valueIn } from './counters.ts';

eachDatabase('the database', kind => {
  test('keeps two hundred concurrent read-modify-writes exact', async () => {
    const database = await open(await aDatabase(kind));
    await database.write(tx => tx.run(insert, { ...slot, value: 0 }));
    const responses = await Promise.all(Array.from({ length: 200 }, () => database.write(addOne)));
    expect(await valueIn(database)).toBe(200);
    expect(new Set(responses).size).toBe(200);
  });

  test('a body that throws rolls back only its own writes', async () => {
    const database = await open(await aDatabase(kind));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        database.write(async tx => {
          await tx.run(insert, { businessId: 'biz_1', name: `n${index}`, value: index });
          if (index % 2 === 1) throw new Error(`body ${index}`);
          return index;
        }),
      ),
    );
    for (const [index, outcome] of outcomes.entries()) {
      expect(outcome.status).toBe(index % 2 === 1 ? 'rejected' : 'fulfilled');
      const kept = await database.first(find, { businessId: 'biz_1', name: `n${index}` });
      expect(kept?.value).toBe(index % 2 === 1 ? undefined : index);
    }
  });

  test('a statement that fails inside a body rolls back only that body', async () => {
    const database = await open(await aDatabase(kind));
    await database.write(tx => tx.run(insert, { ...slot, value: 1 }));
    const [failed, fine] = await Promise.allSettled([
      database.write(async tx => {
        await tx.run(insert, { businessId: 'biz_1', name: 'mine', value: 1 });
        await tx.run(insert, { ...slot, value: 2 });
      }),
      database.write(tx => tx.run(insert, { businessId: 'biz_1', name: 'yours', value: 1 })),
    ]);
    expect([failed.status, fine.status]).toEqual(['rejected', 'fulfilled']);
    expect(failed).toMatchObject({ reason: expect.any(KeyTaken) });
    expect(await database.first(find, { businessId: 'biz_1', name: 'mine' })).toBeUndefined();
    expect((await database.first(find, { businessId: 'biz_1', name: 'yours' }))?.value).toBe(1);
  });

  test('a body that did not wait for its insert finds the row of a taken unique key at its next run', async () => {
    const database = await open(await aDatabase(kind));
    await database.write(tx => tx.run(insert, { ...slot, value: 1 }));
    let runs = 0;
    const value = await readingAgain(() =>
      database.write(async tx => {
        runs += 1;
        const found = runs > 1 ? await tx.first(find, slot) : undefined;
        if (!found) tx.send(insert, { ...slot, value: 2 });
        return found?.value;
      }),
    );
    expect([runs, value]).toEqual([2, 1]);
  });

  test('keeps constants of a statement unchanged, including quotes', async () => {
    const database = await open(await aDatabase(kind));
    const insertConstant = statement<object, unknown>(({ db }) =>
      db.insertInto('counters').values({ businessId: 'biz_1', name: `it's "one" ? $1`, value: 7 }),
    );
    const findConstant = statement<{ value: number }, { name: string }>(({ db }, arg) =>
      db.selectFrom('counters').select('name').where('name', '=', `it's "one" ? $1`).where('value', '=', arg('value')),
    );
    await database.write(tx => tx.run(insertConstant, {}));
    expect(await database.first(findConstant, { value: 7 })).toEqual({ name: `it's "one" ? $1` });
  });

  test('runs statements that are sent without waiting in their order, and commits them with the rest', async () => {
    const database = await open(await aDatabase(kind));
    const seen = await database.write(async tx => {
      tx.send(insert, { ...slot, value: 1 });
      const before = await tx.first(find, slot);
      tx.send(update, { ...slot, value: 2 });
      tx.send(insert, { businessId: 'biz_1', name: 'last', value: 3 });
      return before?.value;
    });
    expect([seen, await valueIn(database)]).toEqual([1, 2]);
    expect((await database.first(find, { businessId: 'biz_1', name: 'last' }))?.value).toBe(3);
    await database.write(async tx => tx.send(update, { ...slot, value: 4 }));
    expect(await valueIn(database)).toBe(4);
  });

  test('answers each of several concurrent statements, in the order of their calls', async () => {
    const database = await open(await aDatabase(kind));
    const responses = await database.write(tx =>
      Promise.all([
        tx.run(insert, { ...slot, value: 1 }),
        tx.first(find, slot),
        tx.run(update, { ...slot, value: 2 }),
        tx.all(find, slot),
        tx.run(update, { businessId: 'biz_1', name: 'nobody', value: 2 }),
      ]),
    );
    expect(responses).toEqual([1, { value: 1 }, 1, [{ value: 2 }], 0]);
  });

  const mine = { businessId: 'biz_1', name: 'mine', value: 1 };
  const again = { ...slot, value: 2 };
  test.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['sent last', async tx => tx.send(insert, again)],
    ['sent before another', async tx => [tx.send(insert, again), await tx.first(find, slot)]],
    ['sent with others', tx => Promise.all([tx.first(find, slot), tx.run(insert, again), tx.first(find, slot)])],
  ])('a statement that fails, %s, rolls back the body with its error', async (_, fail) => {
    const database = await open(await aDatabase(kind));
    await database.write(tx => tx.run(insert, { ...slot, value: 1 }));
    const failed = database.write(async tx => {
      await tx.run(insert, mine);
      return fail(tx);
    });
    await expect(failed).rejects.toThrow(/unique/i);
    expect(await database.first(find, mine)).toBeUndefined();
    expect(await valueIn(database)).toBe(1);
  });

  test('statements that a body sent are rolled back when it throws, and its own error is thrown', async () => {
    const database = await open(await aDatabase(kind));
    const failed = database.write(async tx => {
      tx.send(insert, mine);
      throw new Error('the body');
    });
    await expect(failed).rejects.toThrow('the body');
    expect(await database.first(find, mine)).toBeUndefined();
    await database.write(tx => tx.run(insert, mine));
  });

  test('a write resolves only once others can see it', async () => {
    const place = await aDatabase(kind);
    const database = await open(place);
    const other = await open(place);
    for (let value = 0; value < 20; value += 1) {
      await database.write(tx => tx.run(insert, { businessId: 'biz_1', name: `n${value}`, value }));
      expect((await other.first(find, { businessId: 'biz_1', name: `n${value}` }))?.value).toBe(value);
    }
  });

  test('readers never see the writes of a body in progress', async () => {
    const database = await open(await aDatabase(kind));
    const seen = await database.write(async tx => {
      await tx.run(insert, { ...slot, value: 1 });
      return database.first(find, slot);
    });
    expect(seen).toBeUndefined();
    expect(await valueIn(database)).toBe(1);
  });

  test('a statement that failed at its first use works at its second', async () => {
    const place = await aDatabase(kind);
    await (await open(place)).write(tx => tx.run(insert, { ...slot, value: 1 }));
    const database = await open(place);
    await expect(database.write(tx => tx.run(insert, { ...slot, value: 2 }))).rejects.toThrow(/unique/i);
    await database.write(tx => tx.run(insert, mine));
    expect((await database.first(find, mine))?.value).toBe(1);
  });

  test('refuses a transaction used after its body ended', async () => {
    const database = await open(await aDatabase(kind));
    let kept: Transaction | undefined;
    await database.write(async tx => {
      kept = tx;
    });
    await expect(kept?.run(insert, { ...slot, value: 1 })).rejects.toThrow();
    expect(() => kept?.send(insert, { ...slot, value: 1 })).toThrow();
    expect(await valueIn(database)).toBeUndefined();
  });

  test('keeps safe integers exactly', async () => {
    const database = await open(await aDatabase(kind));
    await database.write(tx => tx.run(insert, { ...slot, value: Number.MAX_SAFE_INTEGER }));
    expect(await valueIn(database)).toBe(Number.MAX_SAFE_INTEGER);
  });

  test.each<Partial<PaymentRow>>([
    { refundedMinor: 600, reservedMinor: 401 },
    { approvedMinor: 500, refundedMinor: 501 },
    { approvedMinor: 1001 },
    { approvedMinor: 0 },
    { amountMinor: 0 },
    { amountMinor: -1 },
    { tipMinor: -1 },
    { tipMinor: 1001 },
    { refundedMinor: -1 },
    { reservedMinor: -1 },
    { creditedMinor: -1 },
    { contestedMinor: -1 },
    { refundedSats: -1 },
    { refundedSats: 1 },
    { amountSats: 5, refundedSats: 6 },
  ])('the checks of the table refuse a payment with %o', async wrong => {
    const database = await open(await aDatabase(kind));
    const overdraw = statement<Record<string, never>, unknown>(({ db }) =>
      db.insertInto('payments').values({
        ...untouchedPayment,
        id: 'pay_1',
        businessId: 'biz_1',
        paymentLinkId: null,
        terminalId: null,
        saleId: null,
        invoiceNumber: '1',
        method: 'card',
        amountMinor: 1000,
        currency: 'GBP',
        status: 'settled',
        uniqueReference: null,
        entryMode: null,
        applicationId: null,
        reference: null,
        nextPollAt: null,
        sentAt: null,
        createdAt: 0,
        ...wrong,
      }),
    );
    await expect(database.write(tx => tx.run(overdraw, {}))).rejects.toThrow(/check constraint/i);
  });
});
