import { bech32 } from '@scure/base';

/** LUD-01: a URL as wallets scan it. */
export function lnurlOf(url: string): string {
  return bech32.encode('lnurl', bech32.toWords(new TextEncoder().encode(url)), false).toUpperCase();
}

/** LUD-06, LUD-16: the metadata text, whose hash the invoice contains. */
export function metadataOf({ name, address }: { readonly name: string; readonly address: string }): string {
  return JSON.stringify([
    ['text/plain', name],
    ['text/identifier', address],
  ]);
}

const wholeMsat = /^[1-9]\d{0,15}$/;

/** The requested amount in whole satoshis; undefined if invalid. */
export function satsAsked(amountMsat: string | undefined): number | undefined {
  if (amountMsat === undefined || !wholeMsat.test(amountMsat)) return undefined;
  const msat = Number(amountMsat);
  return Number.isSafeInteger(msat) && msat % 1_000 === 0 ? msat / 1_000 : undefined;
}
