import { customerView } from '@florin/device/ipc/customer-view.ts';
import { operator } from '@florin/shared/actor.ts';
import { updateDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { getPaymentTimeline } from '@florin/shared/contracts/api-v1/payments.ts';
import { createStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../support/backend.ts';
import { aRealTerminal } from '../support/terminal/real-terminal.ts';
import { aTillProgram } from '../support/till-program.ts';

eachDatabase('a printed receipt', database => {
  async function aTill(options: { readonly mode?: 'staff' | 'kiosk'; readonly printer?: 'ready' | 'none' } = {}) {
    const till = await aTillProgram(database, options.mode);
    const { world, business, terminal } = till;
    await world.backend.services.businesses.settings.change(
      business.id,
      { addressLines: ['1 High Street', 'London'], receiptFooter: 'Thank you!' },
      operator,
    );
    terminal.printer.becomes(options.printer ?? 'ready');
    const unsigned = () => terminal.view().receipt?.merchantCopy;
    /** How the payment began, in its timeline. */
    const startOf = async (paymentId = '') => {
      const params = { id: paymentId };
      const key = await business.key('sales:read');
      const { body } = await till.client.call(getPaymentTimeline, { params, query: {} }, { key });
      return 'items' in body ? body.items.find(({ kind }) => kind === 'payment_started') : undefined;
    };
    const prints = (state: string) =>
      expect.poll(() => terminal.view().receipt?.print?.state, { interval: 10, timeout: 20_000 }).toBe(state);
    const keyedIn = async (amountMinor: number) => {
      await terminal.send({ name: 'start_sale', amountMinor });
      const result = await terminal.shows('sale_result');
      await expect.poll(() => terminal.view().receipt, { timeout: 20_000 }).not.toBeNull();
      return result;
    };
    /** Voids the sale on the screen. */
    const voids = async (saleId: string) => {
      const manager = await business.key('team:write');
      const body = { staffNumber: '104', name: 'Nadia', mayRefundAndVoid: true };
      const created = await till.client.call(createStaff, { body }, { key: manager });
      if (created.status !== 201) throw new Error(JSON.stringify(created.body));
      await terminal.send({ name: 'return_money', saleId });
      await terminal.send({ name: 'enter_staff_number', staffNumber: '104' });
      await terminal.shows('staff_password');
      await terminal.send({ name: 'enter_password', password: created.body.temporaryPassword ?? '' });
      await terminal.shows('new_password');
      await terminal.send({ name: 'choose_password', password: 'a word of my own', repeated: 'a word of my own' });
      const result = await terminal.shows('return_result');
      expect(result.outcome).toBe('approved');
      return result.receipt;
    };
    return { ...till, prints, unsigned, startOf, keyedIn, voids, texts: () => terminal.printer.texts() };
  }

  test('of a sale says who sold, how it was paid and where it is on the web; a second one is marked as a copy', async () => {
    const { terminal, keyedIn, prints, texts } = await aTill();
    await keyedIn(1_250);
    await prints('possible');
    expect(await terminal.send({ name: 'print_receipt' })).toEqual({ kind: 'accepted' });
    await prints('printed');
    const [first = ''] = texts();
    for (const words of [
      'Corner Shop',
      '1 High Street',
      '£12.50',
      'Receipt',
      'Visa',
      '0821',
      'INV-000001',
      'A0000000031010',
      'Thank you!',
    ])
      expect(first).toContain(words);
    expect(first).not.toContain('COPY');
    expect(terminal.printer.papers[0]).toContainEqual({ kind: 'code', text: terminal.view().receipt?.url });
    await terminal.send({ name: 'print_receipt' });
    await expect.poll(() => texts().length).toBe(2);
    expect(texts()[1]).toContain('*** COPY ***');
  });

  test('does not hold the result back, and a printer without paper is only a notice', async () => {
    const { terminal, keyedIn, prints, texts } = await aTill();
    const result = await keyedIn(1_250);
    terminal.printer.outcome = { kind: 'not_printed', why: 'out_of_paper' };
    await terminal.send({ name: 'print_receipt' });
    await prints('failed');
    expect(await terminal.shows('sale_result')).toEqual(result);
    expect(terminal.view().receipt?.print).toMatchObject({
      isCopy: false,
      notice: { message: 'The printer is out of paper', detail: 'Put in a new roll, then print again.' },
    });
    terminal.printer.outcome = { kind: 'printed' };
    terminal.printer.holds();
    await terminal.send({ name: 'print_receipt' });
    await prints('printing');
    // The next sale does not wait for it.
    await terminal.send({ name: 'show_keypad' });
    await terminal.shows('keypad');
    terminal.printer.release();
    await expect.poll(() => texts().length).toBe(1);
    expect(texts()[0]).not.toContain('COPY');
  });

  test('is printed by itself where the software asked for it, in the language of the sale, and it is told', async () => {
    const { terminal, started, becomes, prints, texts, read } = await aTill({ mode: 'kiosk' });
    const { saleId } = await started(1_250, { shouldPrint: true, language: 'de' });
    await terminal.shows('sale_result');
    await prints('printed');
    await becomes(saleId, { status: 'COMPLETE', printed: true });
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).toContain('Bezahlt mit');
    expect(texts()[0]).toContain('Order 7');
    const unasked = await started(300);
    await becomes(unasked.saleId, { status: 'COMPLETE' });
    expect((await read(unasked.saleId)).printed).toBeNull();
    expect(texts()).toHaveLength(1);
  });

  test('that could not be printed is reported, and so is the print that staff make of it later', async () => {
    const { terminal, started, becomes, prints } = await aTill();
    terminal.printer.outcome = { kind: 'not_printed', why: 'cover_open' };
    const { saleId } = await started(1_250, { shouldPrint: true });
    await terminal.shows('sale_result');
    await prints('failed');
    await becomes(saleId, { status: 'COMPLETE', printed: false });
    terminal.printer.outcome = { kind: 'printed' };
    await terminal.send({ name: 'print_receipt' });
    await becomes(saleId, { status: 'COMPLETE', printed: true });
  });

  test('is reported as not printed by a terminal without a printer', async () => {
    const { terminal, started, becomes } = await aTill({ mode: 'kiosk', printer: 'none' });
    const { saleId } = await started(1_250, { shouldPrint: true });
    await becomes(saleId, { status: 'COMPLETE', printed: false });
    expect(terminal.view().receipt).toMatchObject({ print: null });
  });

  test('is not printed twice by itself: after a power cut the terminal asks, and marks the next one as a copy', async () => {
    const { terminal, started, prints, texts, becomes, read } = await aTill();
    terminal.printer.holds();
    const { saleId } = await started(1_250, { shouldPrint: true });
    await terminal.shows('sale_result');
    await expect.poll(() => texts().length).toBe(1);
    await terminal.kill();
    terminal.printer.release();
    terminal.start();
    await terminal.shows('sale_result');
    await prints('failed');
    expect(terminal.view().receipt?.print).toMatchObject({
      isCopy: true,
      notice: { message: 'Was the receipt printed?' },
    });
    expect(texts()).toHaveLength(1);
    expect((await read(saleId)).printed).toBeNull();
    await terminal.send({ name: 'print_receipt' });
    await becomes(saleId, { printed: true });
    expect(texts()[1]).toContain('*** COPY ***');
  });

  test('is marked as a copy from Recent sales only if one was printed, or another terminal may have printed it', async () => {
    const { world, business, terminal, keyedIn, prints, texts } = await aTill();
    const { sale } = await keyedIn(2_000);
    const saleId = sale?.saleId ?? '';
    await terminal.kill();
    terminal.start();
    await terminal.shows('sale_result');
    await terminal.send({ name: 'show_sale', saleId });
    await terminal.shows('sale_detail');
    await prints('possible');
    expect(terminal.view().receipt?.print?.isCopy).toBe(false);
    terminal.printer.outcome = { kind: 'not_printed', why: 'cover_open' };
    await terminal.send({ name: 'print_receipt' });
    await prints('failed');
    terminal.printer.outcome = { kind: 'printed' };
    for (const isCopy of [false, true]) {
      await terminal.send({ name: 'print_receipt' });
      await prints('printed');
      await expect.poll(() => texts().at(-1)?.includes('*** COPY ***')).toBe(isCopy);
    }

    const beside = await aRealTerminal(world, await business.key('devices:write'));
    beside.printer.becomes('ready');
    await beside.send({ name: 'show_recent_sales' });
    await expect.poll(() => beside.send({ name: 'show_sale', saleId })).toEqual({ kind: 'accepted' });
    await beside.shows('sale_detail');
    await beside.send({ name: 'print_receipt' });
    await expect.poll(() => beside.printer.texts()[0]).toContain('*** COPY ***');
  });

  test('is printed again from Recent sales as a copy, with what was returned since', async () => {
    const { terminal, keyedIn, prints, texts, voids } = await aTill();
    const { sale } = await keyedIn(2_000);
    const saleId = sale?.saleId ?? '';
    await terminal.send({ name: 'show_sale', saleId });
    await terminal.shows('sale_detail');
    await prints('possible');
    await terminal.send({ name: 'print_receipt' });
    await prints('printed');
    expect(texts()[0]).not.toContain('COPY');
    const atOnce = await voids(saleId);
    await prints('possible');
    await terminal.send({ name: 'print_receipt' });
    await prints('printed');
    expect(texts()[1]).toContain('Receipt of a void');
    expect(texts()[1]).toContain('Of the sale of £20.00');
    expect(texts()[1]).toContain('The card is not charged.');
    expect(texts()[1]).not.toContain('COPY');
    await terminal.send({ name: 'show_sale', saleId });
    const { sale: voided } = await terminal.shows('sale_detail');
    const url = voided.returns[0]?.receipt?.url ?? '';
    await terminal.send({ name: 'print_receipt' });
    await expect.poll(() => texts().length).toBe(3);
    expect(texts()[2]).toContain('*** COPY ***');
    expect(texts()[2]).not.toContain('Receipt of a void');
    expect(texts()[2]).toMatch(/Voided, .*: −£20\.00/);
    expect(await terminal.send({ name: 'show_return_receipt', url: `${url}x` })).toEqual({ kind: 'not_now' });
    expect(await terminal.send({ name: 'show_return_receipt', url })).toEqual({ kind: 'accepted' });
    const { receipt } = await terminal.shows('return_receipt');
    expect(receipt).toContainEqual({ label: 'Void of invoice', value: voided.invoiceNumber });
    expect(receipt).toContainEqual({ label: 'Authorised by', value: 'Nadia (104)' });
    // The same as right after it, with the terminal and the bank's reference.
    expect(receipt).toEqual(atOnce);
    expect(terminal.view().receipt?.url).toBe(url);
    await terminal.send({ name: 'print_receipt' });
    await expect.poll(() => texts().length).toBe(4);
    expect(texts()[3]).toContain('Receipt of a void');
    expect(texts()[3]).toContain('*** COPY ***');
    await terminal.send({ name: 'back' });
    expect(await terminal.shows('sale_detail')).toMatchObject({ sale: { saleId }, opensReceipts: true });
  });

  test('follows the merchant’s copy, printed by itself, where the reader asks for a signature', async () => {
    const { terminal, prints, unsigned, startOf, texts } = await aTill();
    terminal.reader.card = { ...terminal.reader.card, cardholderVerification: 'signature' };
    await terminal.send({ name: 'choose_language', language: 'de' });
    await terminal.send({ name: 'start_sale', amountMinor: 1_250 });
    const { notice, sale } = await terminal.shows('sale_result');
    expect(notice.detail).toContain(
      'Der Kunde unterschreibt den Beleg aus dem Drucker. Vergleichen Sie die Unterschrift mit der auf der Karte. Stimmt sie nicht überein, stornieren Sie den Verkauf.',
    );
    await prints('possible');
    // In the language of the business.
    for (const words of ['Corner Shop', 'Merchant copy', '£12.50', '•••• 0821', 'INV-000001', 'Customer’s signature'])
      expect(texts()[0]).toContain(words);
    expect(texts()).toHaveLength(1);
    await terminal.send({ name: 'print_receipt' });
    await prints('printed');
    expect(texts()[1]).toContain('Receipt');
    expect(texts()[1]).not.toMatch(/COPY|signature/);
    expect((await startOf(sale?.paymentId ?? ''))?.message).toBe('A payment of £12.50 was started');

    terminal.printer.outcome = { kind: 'unknown', why: 'out_of_paper' };
    await terminal.send({ name: 'start_sale', amountMinor: 800 });
    await terminal.shows('sale_result');
    await expect.poll(() => unsigned()?.notice.message).toBe('Der Drucker hat kein Papier');
    terminal.printer.outcome = { kind: 'printed' };
    // Staff may want only the customer's receipt, or the other again.
    await terminal.send({ name: 'print_receipt' });
    await prints('printed');
    expect(texts()[3]).toContain('Paid with');
    expect(unsigned()).not.toBeNull();
    await terminal.send({ name: 'print_receipt', copyFor: 'merchant' });
    await expect.poll(unsigned).toBeNull();
    await prints('printed');
    expect(texts()).toHaveLength(5);
    for (const words of ['£8.00', 'Merchant copy', '*** COPY ***']) expect(texts()[4]).toContain(words);
    expect(await terminal.send({ name: 'print_receipt', copyFor: 'merchant' })).toEqual({ kind: 'not_now' });
  });

  test('of a sale that is looked up stands beside the merchant’s copy that did not come out at the sale', async () => {
    const { terminal, keyedIn, prints, unsigned, texts } = await aTill();
    terminal.reader.card = { ...terminal.reader.card, cardholderVerification: 'signature' };
    terminal.printer.outcome = { kind: 'not_printed', why: 'out_of_paper' };
    const { sale } = await keyedIn(300);
    await expect.poll(unsigned).toMatchObject({ notice: { message: 'The printer is out of paper' } });
    // It is no receipt of the customer, who is not told.
    const shown = customerView(terminal.view()).receipt;
    expect(shown).toMatchObject({ print: { state: 'possible', notice: null }, merchantCopy: null });
    const before = texts().length;
    terminal.printer.outcome = { kind: 'printed' };
    await terminal.send({ name: 'show_sale', saleId: sale?.saleId ?? '' });
    await terminal.shows('sale_detail');
    await terminal.send({ name: 'print_receipt', copyFor: 'merchant' });
    await expect.poll(unsigned).toBeNull();
    await prints('possible');
    expect(texts()[before]).toContain('Customer’s signature');
    expect(texts()[before]).not.toContain('COPY');
    await terminal.send({ name: 'print_receipt' });
    await expect.poll(() => texts().length).toBe(before + 2);
    expect(texts()[before + 1]).not.toContain('signature');
  });

  test('is no merchant’s copy at a kiosk, where nobody takes a signature, which the payment’s timeline says', async () => {
    const { terminal, started, becomes, read, prints, startOf, texts } = await aTill({ mode: 'kiosk' });
    terminal.reader.card = { ...terminal.reader.card, cardholderVerification: 'signature' };
    const { saleId } = await started(1_250, { shouldPrint: true });
    await prints('printed');
    await becomes(saleId, { status: 'COMPLETE', printed: true });
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).not.toContain('Merchant copy');
    const start = await startOf((await read(saleId)).metadata.card?.paymentId);
    expect(start?.detail).toMatchObject({ signature: 'not_taken' });
    expect(start?.message).toContain('asked for a signature, and no staff were there to take it');
  });

  test('is copied in the language that the customer chose at the kiosk, which takes the place of the software’s', async () => {
    const { client, business, terminal, started, becomes, prints, texts } = await aTill({ mode: 'kiosk' });
    expect(await terminal.send({ name: 'choose_language', language: 'fr' })).toEqual({ kind: 'accepted' });
    const { saleId } = await started(1_250, { shouldPrint: true, language: 'de' });
    await terminal.shows('sale_result');
    await prints('printed');
    await becomes(saleId, { status: 'COMPLETE', printed: true });
    expect(texts()[0]).toContain('Payé par');
    const key = await business.key('devices:write');
    await client.call(updateDevice, { params: { id: terminal.deviceId }, body: { mode: 'staff' } }, { key });
    await expect.poll(() => terminal.send({ name: 'show_sale', saleId })).toEqual({ kind: 'accepted' });
    await terminal.shows('sale_detail');
    await terminal.send({ name: 'print_receipt' });
    await expect.poll(() => texts().length).toBe(2);
    expect(texts()[1]).toContain('Payé par');
  });

  test('is copied in the language of the sale, as is the receipt of its void, whoever prints them', async () => {
    const { terminal, started, becomes, prints, texts, voids } = await aTill();
    const { saleId } = await started(1_250, { language: 'fr-FR' });
    await terminal.shows('sale_result');
    await becomes(saleId, { status: 'COMPLETE' });
    await terminal.send({ name: 'show_sale', saleId });
    await terminal.shows('sale_detail');
    const nextPrint = async () => {
      const before = texts().length;
      expect(await terminal.send({ name: 'print_receipt' })).toEqual({ kind: 'accepted' });
      await expect.poll(() => texts().length).toBe(before + 1);
      return texts().at(-1);
    };
    expect(await nextPrint()).toContain('Payé par');
    await voids(saleId);
    await prints('possible');
    expect(await nextPrint()).toContain('Reçu d’annulation');
    await terminal.send({ name: 'show_sale', saleId });
    const { sale } = await terminal.shows('sale_detail');
    await terminal.send({ name: 'show_return_receipt', url: sale.returns[0]?.receipt?.url ?? '' });
    await terminal.shows('return_receipt');
    expect(await nextPrint()).toContain('Reçu d’annulation');
  });
});
