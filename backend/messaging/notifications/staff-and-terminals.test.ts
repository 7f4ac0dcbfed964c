import { operator } from '@florin/shared/actor.ts';
import { unlockStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { aShopWithMailbox, publicUrl } from '../../../test/support/mailbox-shop.ts';
import { aTill } from '../../../test/support/till.ts';

eachDatabase('recipients', database => {
  test('are told that a staff member was locked out, and until when on the clock of the business', async () => {
    const { world, client, key, business, sandbox, recipient, mailbox, subjects } = await aShopWithMailbox(database);
    await world.backend.services.businesses.settings.change(business.id, { timeZone: 'Asia/Tokyo' }, operator);
    await recipient('manager@shop.example', { kinds: ['staff_locked'] });
    await recipient('owner@shop.example');
    const till = await aTill(world, key);
    const { staff } = await till.addStaff({ staffNumber: '104' });
    const { paymentId } = await till.sell(1_000);
    sandbox.control.settle();
    const wanted = { paymentId: paymentId ?? '', kind: 'REFUND_SALE', amountInCents: 250 } as const;
    const wrong = keyPairOf(Buffer.alloc(32, 9));
    const locksOut = async () => {
      for (let attempt = 0; attempt < 5; attempt += 1) await till.request(wanted, '104', wrong);
    };
    await locksOut();
    await expect.poll(subjects).toEqual(['manager@shop.example: Ada is locked out']);
    expect(mailbox.received[0]?.text).toContain(
      'Terminal      Till 1\n  Locked until  21 November 2026 at 18:35\n\nOpen the staff\n',
    );
    expect(mailbox.received[0]?.text).toContain(`${publicUrl}/portal/${business.id}/staff\n`);
    await client.call(unlockStaff, { params: { id: staff.id } }, { key });
    await locksOut();
    await expect.poll(() => subjects().length).toBe(2);
  });

  test('are told once of each silence of a terminal, with several processes', async () => {
    const { world, key, business, recipient, mails, passes, env } = await aShopWithMailbox(database);
    await aBackend({ sharing: world, env: { ...env, OUTBOUND_ALLOW_LOOPBACK: 'true' } });
    const till = await aTill(world, key);
    const silences = async () => {
      await passes(1);
      return mails().map(({ to, subject }) => `${to.join()}: ${subject}`);
    };
    await till.sell(1_000);
    await passes(10);
    await recipient('developer@shop.example', { kinds: ['webhook'] });
    await recipient('manager@shop.example', { kinds: ['terminal_silent'] });
    await till.sell(1_000);
    await passes(4);
    expect(mails()).toEqual([]);
    const isSilent = 'manager@shop.example: Till 1 is silent';
    await expect.poll(silences).toEqual([isSilent]);
    expect(mails()[0]?.text).toContain('Last report  21 November 2026 at 09:40');
    expect(mails()[0]?.text).toContain(`${publicUrl}/portal/${business.id}/terminals\n`);
    await passes(30);
    expect(mails()).toHaveLength(1);
    await till.sell(1_000);
    await expect.poll(silences).toEqual([isSilent, isSilent]);
    await passes(30);
    expect(mails()).toHaveLength(2);
  });
});
