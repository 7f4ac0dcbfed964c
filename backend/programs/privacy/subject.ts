/** Stands where an address was. It is valid inside JSON, HTML and the query of a URL. */
const erased = '[erased]';

/** What names a person, wherever it is written. */
export type Subject = {
  /** A pattern for LIKE that every text with it matches in lower case, and some without it. */
  readonly pattern: string;
  readonly isIn: (text: string) => boolean;
  readonly eraseFrom: (text: string) => string;
};

/**
 * A text such as an e-mail address or a bitcoin destination, in any letter case, and as JSON, HTML and URLs write it. It is
 * not found within a longer one: ann@example.com is neither joann@example.com nor ann@example.com.au.
 */
export function subjectOf(given: string): Subject {
  const words = given.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const written = given.replaceAll(/./gsu, character => writtenForms(character));
  const isEmail = given.includes('@');
  const expression = new RegExp(
    `${isEmail ? beginsEmail : beginsWord}${written}${isEmail ? endsEmail : endsWord}`,
    'giu',
  );
  return {
    pattern: `%${words.join('%')}%`,
    isIn: text => text.search(expression) >= 0,
    eraseFrom: text => text.replace(expression, erased),
  };
}

/** A character by itself, and escaped in a URL, HTML or JSON. */
function writtenForms(character: string): string {
  const literal = character.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  if (/[a-z0-9]/i.test(character)) return literal;
  const bytes = [...Buffer.from(character)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const inUrl = character === ' ' ? `${bytes}|\\+` : bytes;
  const code = character.codePointAt(0) ?? 0;
  return `(?:${literal}|${inUrl}|&#${code};|\\\\u${code.toString(16).padStart(4, '0')})`;
}

/** After an escape of JSON or a URL, whose last letter belongs to it; but not after one of a character of an address. */
const afterEscape = String.raw`(?<=\\[nrtbf])|(?<=%(?!2[bde]|5f)[0-9a-f]{2})`;
const beginsEmail = String.raw`(?:(?<![\p{L}\p{N}_.+-])|${afterEscape})`;
const beginsWord = String.raw`(?:(?<![\p{L}\p{N}])|${afterEscape})`;
const endsWord = String.raw`(?![\p{L}\p{N}])`;
/** Neither a letter nor the rest of a longer domain. */
const endsEmail = String.raw`(?![\p{L}\p{N}]|(?:-[a-z0-9-]*)?(?:\.[a-z0-9-]+)*\.[a-z]{2,})`;
