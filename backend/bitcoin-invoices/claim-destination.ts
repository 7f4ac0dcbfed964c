import { addressReader } from '../nodes/address.ts';
import { parseBolt11 } from '../nodes/bolt11.ts';
import { bitcoinNetworks } from '../nodes/node.ts';

const lightningAddress = /^[a-z0-9._+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}$/i;

/** Where a customer wants money returned to, as it was typed or pasted; undefined where nothing could be sent there. */
export async function claimDestination(given: string): Promise<string | undefined> {
  const text = given
    .trim()
    .replace(/^(bitcoin|lightning):/i, '')
    .replace(/\?.*$/s, '');
  if (lightningAddress.test(text)) return text;
  if (/^ln/i.test(text)) return (await parseBolt11(text.toLowerCase())) && text.toLowerCase();
  const isOf = await addressReader(text);
  return bitcoinNetworks.some(isOf) ? text : undefined;
}
