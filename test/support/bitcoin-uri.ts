/** The parsed contents of a payment URI. */
export type PaymentUri = {
  readonly address: string;
  readonly amountSats: bigint | null;
  /** All parameters by their names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
};

const understood = new Set(['amount', 'label', 'message', 'lightning']);

/**
 * Parses a payment URI as a strict wallet does, by the text of BIP 321 (and BIP 21) and without the product's code.
 * @throws if a wallet would refuse it.
 */
export function readPaymentUri(text: string): PaymentUri {
  const [, address = '', query = ''] = /^bitcoin:([0-9a-z]*)(?:\?(.*))?$/i.exec(text) ?? refuse(text, 'its scheme');
  const parameters = new Map<string, string>();
  for (const pair of query === '' ? [] : query.split('&')) {
    const [, key = '', value = ''] = /^([^=]+)=([^=]*)$/.exec(pair) ?? refuse(text, pair);
    // Only percent-encoding applies: a plus sign is not a space.
    if (!/^(?:[\w.~!$'()*,;:@/?-]|%[0-9a-f]{2})*$/i.test(value)) refuse(text, pair);
    const name = decodeURIComponent(key).toLowerCase();
    if (parameters.has(name)) refuse(text, `${name} occurs twice`);
    if (name.startsWith('req-') && !understood.has(name.slice(4))) refuse(text, name);
    parameters.set(name, decodeURIComponent(value));
  }
  const amount = parameters.get('amount');
  if (address === '' && !parameters.has('lightning')) refuse(text, 'there is no address and no invoice');
  return { address, amountSats: amount === undefined ? null : satoshis(amount), parameters };
}

/** Converts decimal bitcoin to satoshis exactly. */
function satoshis(amount: string): bigint {
  const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d{1,8}))?$/.exec(amount) ?? refuse(amount, 'its amount');
  return BigInt(whole) * 100_000_000n + BigInt(decimals.padEnd(8, '0'));
}

function refuse(text: string, why: string): never {
  throw new Error(`${text} is not a payment URI: ${why}`);
}
