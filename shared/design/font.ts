/** The characters of font/inter-latin.woff2. */
const range =
  'U+20-7E,U+A0-FF,U+152-153,U+178,U+2010-2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+202F,U+2039-203A,U+20AC,U+2212';

/**
 * The style rule that loads Inter from `url`. With `optional`, a page that was painted before the font arrived keeps the
 * system's, so that nothing moves; with `swap` it changes to Inter.
 */
export function fontFace(url: string, display: 'optional' | 'swap'): string {
  return `@font-face{font-family:"Inter Variable";font-weight:400 700;font-display:${display};src:url("${url}") format("woff2");unicode-range:${range}}`;
}
