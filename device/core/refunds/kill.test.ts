import { afterEach, expect, test } from 'vitest';
import { isInPart } from '../../../test/support/part.ts';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const password = 'correct horse';

const supervisor = 'battery staple';

type Scenario = {
  readonly name: string;
  readonly kind: 'void' | 'refund';
  /** Number 31 asks, and number 17 approves. */
  readonly isApproved?: true;
  readonly prepare?: () => void;
};
const scenarios: Scenario[] = [
  { name: 'a void', kind: 'void' },
  { name: 'a refund', kind: 'refund' },
  { name: 'an approved refund', kind: 'refund', isApproved: true },
  {
    name: 'an approved refund whose reply is lost',
    kind: 'refund',
    isApproved: true,
    prepare: () => world.service.fault('createTerminalRefund', 'lose_reply'),
  },
  {
    name: 'a refund whose reply is lost',
    kind: 'refund',
    prepare: () => world.service.fault('createTerminalRefund', 'lose_reply'),
  },
  {
    name: 'a refund that the bank declines',
    kind: 'refund',
    prepare: () => (world.service.refundOutcome = 'declined'),
  },
];

async function askApprover(): Promise<void> {
  await world.send({ name: 'enter_password', password: supervisor });
  await world.screen('staff_id', screen => screen.notice !== null);
  await world.send({ name: 'enter_staff_number', staffNumber: '17' });
  await world.screen('staff_password', screen => screen.staffName === 'Staff 17' && !screen.busy);
}

test.each(scenarios)(
  'after a kill at any step of $name, terminal and service agree on the outcome',
  async ({ kind, isApproved, prepare }) => {
    world = await TerminalWorld.begin({ speed: 300 });
    await world.service.addStaff({ staffNumber: '17', password });
    await world.service.addStaff({ staffNumber: '31', password: supervisor, may: false });
    await world.enrol();
    let step = 1;
    for (; ; step += 1) {
      if (!isInPart(step, 3)) continue;
      world.service.refundOutcome = 'approved';
      const saleId = await world.approvedSale(1_000 + step);
      if (kind === 'refund') world.service.settleAll();
      const staffNumber = isApproved ? '31' : '17';
      await world.toPassword({ saleId, staffNumber, ...(kind === 'refund' ? { amountMinor: 500 } : {}) });
      if (isApproved) await askApprover();
      prepare?.();
      const before = new Set(world.service.refunds.keys());
      world.crashAt(world.steps + step);
      await world.send({ name: 'enter_password', password });
      await world.until(
        'death or a result',
        () => world.hasCrashed || world.terminal.view().screen.name === 'return_result',
      );
      const survived = !world.hasCrashed;
      if (survived) world.crashAt(Number.POSITIVE_INFINITY);
      else world.restart();
      const shown = await world.until('a result, or the keypad', () => {
        const { screen } = world.terminal.view();
        return screen.name === 'return_result' || screen.name === 'keypad' ? screen : undefined;
      });
      const made = [...world.service.refunds.entries()].filter(([requestId]) => !before.has(requestId));
      expect(made.length).toBeLessThanOrEqual(1);
      const [requestId, held] = made[0] ?? [];
      if (requestId) expect(world.service.moneyMoves.get(requestId)).toBe(1);
      // The screen must agree with the service; a keypad is correct only if nothing was ever sent.
      if (shown.name === 'return_result') expect(shown.outcome).toBe(held ? held.refund.status : 'failed');
      else expect(held).toBeUndefined();
      await world.send({ name: 'show_keypad' });
      await world.screen('keypad');
      world.service.clearFaults();
      if (survived) break;
      await world.until('the connection', () => world.terminal.view().header.service === 'online');
    }
    expect(step).toBeGreaterThan(8);
  },
);
