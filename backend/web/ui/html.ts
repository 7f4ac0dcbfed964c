/** HTML that was put together here: text in it is escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/**
 * A piece of a page. What is put in is text and escaped, in elements and in quoted attributes alike; other pieces go in as they are,
 * lists one after the other, and null, undefined and false are left out.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + markupOf(parts[index - 1]) + string));
}

function markupOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'object') return part.map(markupOf).join('');
  return String(part).replace(/[&<>"']/g, mark => `&#${mark.charCodeAt(0)};`);
}
