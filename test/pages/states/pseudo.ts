/**
 * A language for tests: English with every letter replaced by an accented one, vowels doubled and words joined in pairs, so
 * that its words are as long as those of any language and nothing written past the tables has the same letters. What a
 * sentence is given (names, amounts, times) stays as it is.
 */
export function pseudo<Words>(words: Words): Words {
  return translated(words) as Words;
}

function translated(words: unknown): unknown {
  if (typeof words === 'string') return written(words);
  if (typeof words === 'function') return (...given: unknown[]) => written(String(words(...given.map(guarded))));
  if (Array.isArray(words)) return words.map(translated);
  return Object.fromEntries(Object.entries(words as object).map(([name, value]) => [name, translated(value)]));
}

/** Around what a sentence is given, and placeholders of scripts. */
const [begin, end] = ['\ue001', '\ue002'];

function guarded(value: unknown): unknown {
  if (typeof value === 'string') return `${begin}${value}${end}`;
  return Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, guarded(each)]));
}

const plainLetters = 'abcdefghijklmnopqrstuvwxyz';
const accented = 'áƀçđéƒğħíĵķłḿñöþɋřšŧüṽŵẋýž';

function written(sentence: string): string {
  const parts = sentence.replaceAll('{time}', `${begin}{time}${end}`).split(new RegExp(`${begin}|${end}`));
  return parts.map((part, index) => (index % 2 === 1 ? part : disguised(part))).join('');
}

function disguised(text: string): string {
  let spaces = 0;
  const joined = text.replace(/(?<=[a-z]) (?=[a-z])/g, space => (++spaces % 2 === 0 ? space : ''));
  return Array.from(joined, letter => {
    const at = plainLetters.indexOf(letter.toLowerCase());
    const found = at < 0 ? letter : (accented[at] ?? letter);
    const cased = letter === letter.toLowerCase() ? found : found.toUpperCase();
    return 'aeiou'.includes(letter) ? cased + found : cased;
  }).join('');
}
