import { cancelTerminalSale } from '@florin/shared/contracts/api-v1/terminal-sales.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { clientOf } from '../../../test/support/client.ts';
import { aDrivenTerminal } from '../../../test/support/driven-terminal.ts';

eachDatabase('cancellations of one terminal sale in the same instant', database => {
  test('all get the same response, whatever the sale’s state, and take effect once', async () => {
    const driven = await aDrivenTerminal(database);
    const { world, client, key, started, taken, report, authorise, announceReader, read } = driven;
    const other = database === 'postgres' ? await aBackend({ sharing: world }) : undefined;
    const clients = [client, other ? clientOf(other.url) : client];
    const cancelled = { status: 'CANCELLED', statusReason: 'cancelled_by_caller' };
    const inState = async (reach: (saleId: string) => Promise<unknown>) => {
      const sale = await taken();
      await reach(sale.saleId);
      sale.stream.close();
      return sale;
    };
    const unanswered = { status: 'ERROR', statusReason: 'bank_timeout' };
    /** The bank has approved it, which the service does not know yet. */
    const beUnanswered = async (saleId: string) => {
      world.clock.advance({ seconds: 1 });
      driven.sandbox.control.addFault({ kind: 'loseReply', action: 'CARD_PRESENT', callback: false });
      driven.sandbox.control.addFault({ kind: 'unavailable', action: 'REPORT', times: 10_000 });
      await authorise(saleId);
      await report(saleId, 1, { stage: 'unknown_outcome' });
    };
    const atReader = { status: 'PROCESSING', statusReason: 'cancel_requested' };
    const states = {
      waiting: { begin: started, answer: cancelled },
      taken: { begin: () => inState(async () => {}), answer: cancelled },
      card_read: { begin: () => inState(id => report(id, 1, { stage: 'card_read' })), answer: cancelled },
      at_reader: { begin: () => inState(announceReader), answer: atReader },
      paid: { begin: () => inState(authorise), answer: { status: 'PROCESSING', statusReason: 'approved' } },
      unanswered: { begin: () => inState(beUnanswered), answer: unanswered },
    };
    for (const [name, { begin, answer }] of Object.entries(states))
      for (let round = 0; round < 4; round += 1) {
        const { saleId } = await begin();
        const before = await read(saleId);
        const keys = [undefined, undefined, `${saleId}-one`, `${saleId}-one`, `${saleId}-two`, undefined];
        const answers = await Promise.all(
          keys.map((idempotencyKey, index) =>
            (clients[index % 2] ?? client).call(
              cancelTerminalSale,
              { params: { saleId } },
              { key, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) },
            ),
          ),
        );
        expect(
          answers.map(({ status }) => status),
          name,
        ).toEqual(keys.map(() => 200));
        expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size, name).toBe(1);
        expect(answers[0]?.body, name).toMatchObject(answer);
        const after = await read(saleId);
        expect(after, name).toEqual(answers[0]?.body);
        expect(after.sequence - before.sequence, name).toBeLessThanOrEqual(1);
        if (name === 'at_reader') await report(saleId, 9, { ended: 'staff_cancelled' });
        if (name === 'paid') await driven.complete(saleId);
        const ended = { paid: 'COMPLETE', unanswered: 'ERROR' } as Partial<Record<string, string>>;
        if (name === 'unanswered') driven.sandbox.control.clearFaults();
        await (name === 'unanswered' ? driven.becomesInTime : driven.becomes)(saleId, {
          status: ended[name] ?? 'CANCELLED',
        });
      }
  });
});
