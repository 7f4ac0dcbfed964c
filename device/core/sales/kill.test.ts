import { afterEach, expect, test } from 'vitest';
import { isInPart } from '../../../test/support/part.ts';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

/** The watch for lost requests runs for minutes and has nothing to report. */
const nothingPending = () => world.store.pendingReports().every(report => report.kind === 'watch');

/** Waits for the screen; if the bank does not answer, staff stop waiting. */
function stoppingToWait() {
  const { screen } = world.terminal.view();
  if (screen.name === 'sale' && screen.stage === 'checking' && screen.cancellable)
    void world.send({ name: 'cancel_sale' });
  return screen;
}

/** Once everything has settled, the service, the bank, the reader and the screen must agree on the sale. */
async function expectConsistentRecords(saleId: string | undefined): Promise<void> {
  const shown = await world.until('a result or the keypad', () => {
    const screen = stoppingToWait();
    return screen.name === 'sale_result' || screen.name === 'keypad' ? screen : undefined;
  });
  await world.until('all reports to be delivered', nothingPending);
  if (saleId === undefined) return;
  const sale = world.service.sales.get(saleId);
  if (sale?.record.status === 'pending') world.service.bankDecides(saleId, 'unsettled');
  const completions = world.reader.completions.get(saleId) ?? 0;
  expect(world.service.bankCalls.get(saleId) ?? 0).toBeLessThanOrEqual(1);
  expect(completions).toBeLessThanOrEqual(1);
  const isCharged = sale?.record.status === 'unsettled';
  expect(sale?.completed ?? false).toBe(isCharged);
  if (completions === 1) expect(isCharged).toBe(true);
  // After a kill, a keypad is correct only if the sale never started.
  if (shown.name === 'keypad') expect(sale).toBeUndefined();
  else expect(shown.outcome === 'approved').toBe(isCharged);
}

type Scenario = { readonly name: string; readonly prepare?: () => void; readonly isUnanswered?: true };

const scenarios: Scenario[] = [
  { name: 'an approved sale' },
  { name: 'a sale the bank declines', prepare: () => (world.service.bankOutcome = 'declined') },
  { name: 'a sale the card refuses after approval', prepare: () => (world.reader.afterApproval = 'declined') },
  {
    name: 'a sale whose authorisation reply is lost',
    prepare: () => world.service.fault('authoriseSale', 'lose_reply'),
  },
  {
    name: 'a sale that staff cancel because the bank does not answer',
    isUnanswered: true,
    prepare() {
      world.service.bankOutcome = 'pending';
      world.service.fault('authoriseSale', 'lose_reply', 'lose_request', 'lose_request', 'lose_request');
      world.service.fault('getSale', ...Array.from({ length: 4 }, () => 'fail' as const));
    },
  },
];

test.each(scenarios)(
  'killed at every step of $name, a restart ends in one truth',
  async ({ prepare, isUnanswered }) => {
    world = await TerminalWorld.begin({ speed: 300 });
    await world.enrol();
    let steps = 0;
    for (let step = 1; ; step += 1) {
      if (!isInPart(step, 3)) continue;
      world.reader.afterApproval = 'approved';
      world.service.bankOutcome = 'approved';
      world.service.clearFaults();
      prepare?.();
      const before = new Set([...world.service.sales.keys(), ...world.reader.known()]);
      world.crashAt(world.steps + step);
      await world.send({ name: 'start_sale', amountMinor: 100 + step });
      const crashed = await world.until('death or a settled result', () => {
        if (world.hasCrashed) return 'died';
        const screen = stoppingToWait();
        return screen.name === 'sale_result' && nothingPending() ? 'lived' : undefined;
      });
      if (world.hasCrashed) world.restart();
      else world.crashAt(Number.POSITIVE_INFINITY);
      const saleId = [...world.service.sales.keys(), ...world.reader.known()].find(id => !before.has(id));
      await expectConsistentRecords(saleId);
      await world.send({ name: 'show_keypad' });
      await world.screen('keypad');
      if (crashed === 'lived') {
        steps = step;
        break;
      }
      world.restart();
      await world.until('the connection', () => world.terminal.view().header.service === 'online');
    }
    if (isUnanswered) {
      const reasons = [...world.service.sales.values()].map(({ record }) => record.reversal?.reason);
      expect(reasons.filter(reason => reason === 'outcome_unknown').length).toBeGreaterThan(10);
    }
    // A much lower count would mean that the test no longer covers the terminal's steps.
    expect(steps).toBeGreaterThan(20);
  },
);
