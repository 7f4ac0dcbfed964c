/**
 * Text for a terminal screen: control characters, line breaks and direction marks are escaped, so that a name can
 * neither recolour the screen nor forge a line.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
