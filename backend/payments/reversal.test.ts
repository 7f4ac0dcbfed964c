import { getSale, reverseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { expect, test } from 'vitest';
import { type DatabaseKind, eachDatabase } from '../../test/support/backend.ts';
import { aShop } from '../../test/support/shop.ts';
import { aTill } from '../../test/support/till.ts';

async function aSoldSale(database: DatabaseKind) {
  const { world, business, client, sandbox } = await aShop(database);
  const till = await aTill(world, await business.key('devices:write'));
  const { saleId, reversal } = await till.sell(1_500);
  expect(reversal).toBeNull();
  const reverse = async () => {
    const body = { reason: 'card_refused' as const };
    const reversed = await client.call(reverseSale, { params: { saleId }, body }, { key: till.token });
    if (reversed.status !== 200) throw new Error(JSON.stringify(reversed.body));
    return reversed.body;
  };
  const read = async () => {
    const found = await client.call(getSale, { params: { saleId } }, { key: till.token });
    if (found.status !== 200) throw new Error(JSON.stringify(found.body));
    return found.body;
  };
  return { sandbox, reverse, read };
}

eachDatabase('the record of a reversed sale', database => {
  test('says that the void went through', async () => {
    const { reverse, read } = await aSoldSale(database);
    expect(await reverse()).toMatchObject({ reversal: { reason: 'card_refused', status: 'voided' } });
    expect((await read()).reversal?.status).toBe('voided');
  });

  test('says that the gateway declined the void', async () => {
    const { sandbox, reverse, read } = await aSoldSale(database);
    sandbox.control.addFault({ kind: 'decline', action: 'CANCEL' });
    expect(await reverse()).toMatchObject({ status: 'unsettled', reversal: { status: 'declined' } });
    expect((await read()).reversal?.status).toBe('declined');
  });

  test('says that the outcome of the void is not known yet', async () => {
    const { sandbox, reverse } = await aSoldSale(database);
    sandbox.control.addFault({ kind: 'dropRequest', action: 'CANCEL' });
    expect(await reverse()).toMatchObject({ status: 'unsettled', reversal: { status: 'void_pending' } });
  });
});
