/**
 * Words that no language has: accented throughout, and longer. Facts that a sentence names stay as they are. It is one
 * function without imports, because the page runs it too.
 */
export function pseudoLanguage<Words>(words: Words): Words {
  const from = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const to = 'áƀćđéƒğħíĵķłɱñóþɋřšŧúʋŵẋýžÁƁĆĐÉƑĞĦÍĴĶŁƜÑÓÞɊŘŠŦÚƲŴẊÝŽ';
  const letters = Array.from(to);
  const accented = (text: string) =>
    text
      .replace(/[A-Za-z]{8,}/g, word => `${word}n`)
      .replace(/[A-Za-z]/g, letter => letters[from.indexOf(letter)] ?? letter);
  const made = (value: unknown): unknown => {
    if (typeof value === 'string') return accented(value);
    if (typeof value === 'function') {
      return (...facts: unknown[]) => {
        // Private characters stand for the facts, so that the words around them alone change.
        const places = facts.map((fact, index) =>
          typeof fact === 'string' ? String.fromCharCode(0xe000 + index) : fact,
        );
        const filled = (sentence: unknown): unknown => {
          if (typeof sentence === 'string')
            return accented(sentence).replace(/[\ue000-\ue00f]/g, mark => String(facts[mark.charCodeAt(0) - 0xe000]));
          if (typeof sentence !== 'object' || sentence === null) return sentence;
          return Object.fromEntries(Object.entries(sentence).map(([key, part]) => [key, filled(part)]));
        };
        return filled((value as (...given: unknown[]) => unknown)(...places));
      };
    }
    if (Array.isArray(value)) return value.map(made);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, made(part)]));
  };
  return made(words) as Words;
}
