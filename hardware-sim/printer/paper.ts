/** Characters of one look. */
export type Span = {
  readonly text: string;
  readonly bold: boolean;
  readonly underlined: boolean;
  readonly inverted: boolean;
  /** How many times as wide and high as usual. */
  readonly width: number;
  readonly height: number;
};

export type Alignment = 'left' | 'centre' | 'right';

/** What the printer put on its paper, from top to bottom. */
export type Printed =
  | { readonly kind: 'row'; readonly align: Alignment; readonly spans: readonly Span[] }
  | { readonly kind: 'code'; readonly align: Alignment; readonly text: string; readonly moduleDots: number }
  | { readonly kind: 'cut' };

/** The text of a paper by rows, without looks; codes are their content. */
export function textOf(paper: readonly Printed[]): string[] {
  return paper.map(printed => {
    if (printed.kind === 'row') return printed.spans.map(({ text }) => text).join('');
    return printed.kind === 'code' ? `[${printed.text}]` : '----';
  });
}
