import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMailboxSandbox } from '@florin/backend/programs/sandbox/mailbox/server.ts';
import { expect, onTestFinished, test } from 'vitest';
import { eachDatabase } from '../support/backend.ts';
import { aTillProgram } from '../support/till-program.ts';

const address = 'ada@shop.example';

eachDatabase('a receipt sent from the terminal', database => {
  async function aTill({ mode = 'staff' as 'staff' | 'kiosk', hasMail = true } = {}) {
    const mailbox = await startMailboxSandbox();
    onTestFinished(() => mailbox.close());
    const env = hasMail ? { SMTP_URL: mailbox.smtpUrl, MAIL_FROM: 'Florin <florin@shop.example>' } : {};
    const till = await aTillProgram(database, mode, env);
    const { terminal } = till;
    const email = () => terminal.view().receipt?.email ?? null;
    const becomes = (wanted: object) => expect.poll(email, { interval: 10, timeout: 20_000 }).toMatchObject(wanted);
    async function aSale() {
      await terminal.send({ name: 'start_sale', amountMinor: 1_250 });
      await terminal.shows('sale_result');
      await expect.poll(() => terminal.view().receipt, { timeout: 20_000 }).not.toBeNull();
    }
    async function typed(given: string) {
      expect(await terminal.send({ name: 'show_receipt_email' })).toEqual({ kind: 'accepted' });
      return terminal.send({ name: 'email_receipt', address: given });
    }
    return { ...till, mailbox, email, becomes, aSale, typed };
  }

  test('arrives once, and its address stays nowhere on the terminal', async () => {
    const { terminal, mailbox, aSale, typed, becomes } = await aTill();
    await aSale();
    await becomes({ state: 'possible' });
    expect(await typed(address)).toEqual({ kind: 'accepted' });
    await becomes({ state: 'sent', notice: null });
    await typed(address);
    await becomes({ state: 'sent' });
    await expect.poll(() => mailbox.received.length).toBe(1);
    expect(mailbox.received[0]).toMatchObject({ to: [address], subject: 'Your receipt from Corner Shop' });
    expect(mailbox.received[0]?.text).toContain('£12.50');
    expect(terminal.logged.join('\n')).not.toContain(address);
    const files = readdirSync(terminal.directory).map(name => readFileSync(join(terminal.directory, name), 'latin1'));
    for (const file of files) expect(file).not.toContain(address);
    await terminal.send({ name: 'show_keypad' });
    await terminal.shows('keypad');
    expect(terminal.view().receipt).toBeNull();
  });

  test('is sent later from the sale, and what is wrong is said while the step stays open', async () => {
    const { terminal, aSale, typed, becomes, email } = await aTill();
    await aSale();
    await typed('ada@');
    await becomes({ state: 'typing', notice: { message: 'This is not an e-mail address' } });
    expect(await terminal.send({ name: 'hide_receipt_email' })).toEqual({ kind: 'accepted' });
    expect(email()).toEqual({ state: 'possible', notice: null });
    await terminal.send({ name: 'show_recent_sales' });
    await terminal.shows('recent_sales');
    await expect.poll(() => terminal.screen()).toMatchObject({ busy: false });
    const { sales } = await terminal.shows('recent_sales');
    await terminal.send({ name: 'show_sale', saleId: sales[0]?.saleId ?? '' });
    await terminal.shows('sale_detail');
    for (const name of ['a', 'b', 'c']) {
      await typed(`${name}@shop.example`);
      await becomes({ state: 'sent' });
    }
    await typed('d@shop.example');
    await becomes({ state: 'typing', notice: { message: 'This receipt was sent often enough' } });
  });

  test('is in the language of the sale, also later', async () => {
    const { terminal, mailbox, started, typed, becomes } = await aTill();
    const { saleId } = await started(1_250, { language: 'fr-FR' });
    await terminal.shows('sale_result');
    await expect.poll(() => terminal.view().receipt).not.toBeNull();
    await terminal.send({ name: 'show_sale', saleId });
    await terminal.shows('sale_detail');
    await typed(address);
    await becomes({ state: 'sent' });
    await expect.poll(() => mailbox.received.length).toBe(1);
    expect(mailbox.received[0]).toMatchObject({ subject: 'Votre reçu de Corner Shop' });
  });

  test('is not offered to customers, nor where the service sends no e-mails', async () => {
    const kiosk = await aTill({ mode: 'kiosk' });
    await kiosk.started(1_250);
    await kiosk.terminal.shows('sale_result');
    await expect.poll(() => kiosk.terminal.view().receipt).not.toBeNull();
    expect(kiosk.email()).toBeNull();
    expect(await kiosk.terminal.send({ name: 'show_receipt_email' })).toEqual({ kind: 'not_now' });
    const { terminal, email, aSale } = await aTill({ hasMail: false });
    await aSale();
    expect(email()).toBeNull();
    expect(await terminal.send({ name: 'show_receipt_email' })).toEqual({ kind: 'not_now' });
  });
});
