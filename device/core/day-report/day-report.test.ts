import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const linesOf = (sections: readonly { lines: readonly { label: string; value: string }[] }[]) =>
  sections.flatMap(({ lines }) => lines.map(({ label, value }) => `${label}: ${value}`));

test('the totals of today and of the days before are the service’s, for this terminal or the business', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  await world.approvedSale(2_000);
  await world.send({ name: 'show_day_report', scope: 'terminal' });
  const today = await world.screen('day_report', screen => !screen.busy);
  expect(today).toMatchObject({ date: '2026-11-21', isToday: true, notice: null });
  expect(linesOf(today.sections)).toEqual([
    'Day: Saturday, 21 November 2026',
    'For: Till 1',
    expect.stringMatching(/^As of: \d\d:\d\d$/),
    '1 sale: £20.00',
    'Net: £20.00',
  ]);
  await world.send({ name: 'show_day_report', scope: 'business', date: '2026-11-20' });
  const before = await world.screen('day_report', screen => screen.date === '2026-11-20' && !screen.busy);
  expect(before).toMatchObject({ isToday: false, scope: 'business' });
  expect(linesOf(before.sections)).toContain('For: The whole business');
  await world.send({ name: 'back' });
  await world.screen('recent_sales');
});

test('offline the report is the last that the service sent, says since when, and what was not sent yet', async () => {
  world = await TerminalWorld.begin();
  await world.service.addStaff({ staffNumber: '17', password: 'correct horse' });
  await world.enrol();
  const saleId = await world.approvedSale(2_000);
  await world.send({ name: 'show_day_report', scope: 'terminal' });
  await world.screen('day_report', screen => !screen.busy);
  await world.service.stop();
  await world.toPassword({ saleId, staffNumber: '17' });
  await world.send({ name: 'enter_password', password: 'wrong horse' });
  await world.until('the check to be recorded', () => world.store.outboxSize() === 1);
  await world.until('offline', () => world.terminal.view().header.service === 'offline');
  await world.send({ name: 'show_keypad' });
  await world.send({ name: 'show_day_report', scope: 'terminal' });
  const report = await world.screen('day_report', screen => !screen.busy);
  expect(report.notice?.message).toMatch(/^As of \d\d:\d\d\. Offline since \d\d:\d\d\.$/);
  const lines = linesOf(report.sections);
  expect(lines).toContain('1 sale: £20.00');
  expect(lines).toContainEqual(expect.stringMatching(/^Offline since: \d\d:\d\d$/));
  expect(lines).toContain('1 staff check: ');

  // A day that was never received is not guessed, also after a restart.
  await world.send({ name: 'show_day_report', scope: 'terminal', date: '2026-11-19' });
  expect(await world.screen('day_report', screen => !screen.busy)).toMatchObject({
    sections: [],
    notice: { message: 'Could not reach the server!' },
  });
  world.restart();
  await world.screen('keypad');
  await world.send({ name: 'show_day_report', scope: 'terminal' });
  const again = await world.screen('day_report', screen => !screen.busy);
  expect(again.notice?.message).toMatch(/^As of \d\d:\d\d\. Offline now\.$/);
  expect(linesOf(again.sections)).toContain('1 sale: £20.00');
  await world.service.start();
  await world.screen('day_report', screen => screen.notice === null && !screen.busy);
});

test('the report is printed as it is shown, and says why it was not', async () => {
  world = await TerminalWorld.begin();
  world.printer.becomes('ready');
  await world.enrol();
  await world.approvedSale(2_000);
  await world.send({ name: 'show_day_report', scope: 'terminal' });
  const shown = await world.screen('day_report', screen => !screen.busy);
  expect(shown.print).toBe('possible');
  world.printer.outcome = { kind: 'not_printed', why: 'out_of_paper' };
  await world.send({ name: 'print_day_report' });
  const failed = await world.screen('day_report', screen => screen.print === 'failed');
  expect(failed.notice?.message).toBe('The printer is out of paper');
  world.printer.outcome = { kind: 'printed' };
  world.printer.holds();
  await world.send({ name: 'print_day_report' });
  expect(await world.send({ name: 'print_day_report' })).toBe('not_now');
  world.printer.release();
  const printed = await world.screen('day_report', screen => screen.print === 'printed');
  expect(printed.notice).toBeNull();
  const [paper] = world.printer.texts();
  expect(world.printer.texts()).toHaveLength(1);
  for (const line of linesOf(shown.sections)) expect(paper).toContain(line);
  expect(paper).toContain('Day totals');
  await world.send({ name: 'show_day_report', scope: 'business' });
  expect((await world.screen('day_report', screen => screen.scope === 'business')).print).toBe('possible');
});
