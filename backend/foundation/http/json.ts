import { parse } from 'lossless-json';

export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/** Where an operation needs a body and the request has none. */
export const bodyMissing = 'a JSON body is required';

/**
 * JSON without ambiguity: two readers of the same bytes could see two amounts where a key is given twice (Node keeps the
 * last one, others the first) or where a number is spelled so that it becomes an integer only by rounding.
 */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === '') return { ok: false, why: bodyMissing };
  try {
    const value: unknown = JSON.parse(text);
    // Nothing was lost if it can be written again as it came, as most programs write it; otherwise it is parsed strictly.
    if (JSON.stringify(value) === text) return { ok: true, value };
    return { ok: true, value: parse(text, null, { parseNumber: numberOf, onDuplicateKey: refuseTwice }) };
  } catch (error) {
    if (error instanceof KeyTwice) return { ok: false, why: `names the key ${JSON.stringify(error.key)} twice` };
    // Limited because the code that reads a value is recursive.
    if (error instanceof RangeError) return { ok: false, why: 'is nested too deeply' };
    return { ok: false, why: 'is not valid JSON' };
  }
}

class KeyTwice extends Error {
  readonly key: string;

  constructor(key: string) {
    super('A key is named twice');
    this.key = key.length > 100 ? `${key.slice(0, 100)}…` : key;
  }
}

function refuseTwice({ key }: { readonly key: string }): never {
  throw new KeyTwice(key);
}

const integer = /^-?(?:0|[1-9]\d*)$/;

/** `10.0`, `1e1` and `9.9999999999999999999` are not integers here: NaN, which no other JSON can become. */
function numberOf(source: string): number {
  const value = Number(source);
  return Number.isInteger(value) && !integer.test(source) ? Number.NaN : value;
}

/** A schema cannot detect: that the number was spelled as no integer is. */
export const notAnInteger = 'must be a whole number, written without a decimal point or an exponent';
