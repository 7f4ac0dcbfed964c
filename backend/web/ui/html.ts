/** HTML composed here, with escaped text. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/**
 * A template for HTML. Strings are escaped, in elements and quoted attributes; Html values are inserted as they are,
 * lists concatenated, and null, undefined and false omitted.
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
