import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../test/support/terminal/terminal-world.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const password = 'correct horse';
const header = () => world.terminal.view().header;
const plain = (text: string | null | undefined) => text?.replaceAll(/\s/g, ' ');

test('staff choose the language of the terminal, and it stays through a restart', async () => {
  world = await TerminalWorld.begin();
  await world.screen('enrolment');
  expect(header()).toMatchObject({ language: 'en', locale: 'en-GB' });
  expect(await world.send({ name: 'choose_language', language: 'de' })).toBe('accepted');
  expect(header()).toMatchObject({ language: 'de', locale: 'de-DE' });
  await world.enrol();
  expect(header()).toMatchObject({ language: 'de', locale: 'de-DE' });
  world.kill();
  world.restart();
  await world.screen('keypad');
  expect(header()).toMatchObject({ language: 'de', locale: 'de-DE' });
});

test('results, receipts, amounts and times are in the language of the terminal', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  await world.send({ name: 'choose_language', language: 'de' });
  await world.send({ name: 'start_sale', amountMinor: 2_450 });
  const result = await world.screen('sale_result', screen => screen.receipt.length > 0);
  expect(result.notice.message).toBe('Genehmigt');
  const lines = result.receipt.map(({ label, value }) => plain(`${label}: ${value}`));
  expect(lines).toContain('Betrag: 24,50 £');
  expect(lines.find(line => line?.startsWith('Datum'))).toMatch(/^Datum: \d{1,2}\. \p{L}+\.? \d{4}, \d{2}:\d{2}$/u);
});

test('without a choice the language is that of the business, and English where there are no words for it', async () => {
  world = await TerminalWorld.begin();
  world.service.setLocale('fr-CA');
  await world.enrol();
  expect(header()).toMatchObject({ language: 'fr', locale: 'fr-CA' });
  world.service.setLocale('ja-JP');
  await world.send({ name: 'start_sale', amountMinor: 100 });
  await world.screen('sale_result');
  await world.send({ name: 'show_keypad' });
  world.kill();
  world.restart();
  await world.until('the new configuration', () => header().language === 'en');
  expect(header().locale).toBe('en-GB');
});

test('the language changes at the start, not in the middle of a refund', async () => {
  world = await TerminalWorld.begin();
  await world.service.addStaff({ staffNumber: '17', password });
  await world.enrol();
  const saleId = await world.approvedSale(1_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  expect(await world.send({ name: 'choose_language', language: 'es' })).toBe('not_now');
  expect(header().language).toBe('en');
});

test('a refund stored with an English notice continues in another language', async () => {
  world = await TerminalWorld.begin();
  await world.service.addStaff({ staffNumber: '17', password });
  await world.enrol();
  const saleId = await world.approvedSale(1_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  world.service.fault('createTerminalRefund', 'lose_reply');
  world.service.fault('getTerminalRefund', 'lose_reply');
  await world.send({ name: 'enter_password', password });
  const checking = await world.screen(
    'return_progress',
    ({ stage, notice }) => stage === 'checking' && notice !== null,
  );
  expect(checking.notice?.message).toBe('Checking');
  world.kill();
  const database = new Database(world.databaseFile);
  database.exec("INSERT OR REPLACE INTO settings (name, value) VALUES ('language', 'de')");
  database.close();
  world.service.clearFaults();
  world.restart();
  const result = await world.screen('return_result', ({ outcome }) => outcome === 'approved');
  expect(result.notice.message).toBe('Storniert');
});

test('the specification’s messages are translated with their meaning', async () => {
  world = await TerminalWorld.begin();
  await world.service.addStaff({ staffNumber: '17', password });
  await world.enrol();
  await world.send({ name: 'choose_language', language: 'es' });
  const saleId = await world.approvedSale(1_000);
  await world.toPassword({ saleId, staffNumber: '17' });
  await world.send({ name: 'enter_password', password: 'wrong horse' });
  const { notice } = await world.screen('staff_password', screen => screen.notice !== null);
  expect(notice).toEqual({
    message: 'Contraseña incorrecta',
    detail: 'No se ha movido dinero. Quedan 4 intentos.',
  });
});

test('a customer at a kiosk chooses a language for one sale, and staff keep theirs', async () => {
  world = await TerminalWorld.begin();
  await world.service.addStaff({ staffNumber: '17', password });
  world.service.enterKioskMode();
  await world.screen('enrolment');
  await world.send({ name: 'enrol', code: world.service.enrolmentCode });
  await world.screen('kiosk_idle');
  expect(await world.send({ name: 'choose_language', language: 'fr' })).toBe('accepted');
  expect(header().language).toBe('fr');
  await world.send({ name: 'change_mode' });
  await world.screen('staff_id');
  expect(header().language).toBe('en');
  await world.send({ name: 'back' });
  await world.screen('kiosk_idle');
  expect(header().language).toBe('fr');
  world.kill();
  world.restart();
  await world.screen('kiosk_idle');
  expect(header().language).toBe('en');
});
