import { documentOf } from './ui/document.ts';
import { saidAlone } from './ui/notice.ts';
import { contentSecurityPolicy } from './ui/policy.ts';
import type { Present } from './ui/presentation.ts';
import type { PayerWords } from './words/payer-words.ts';

type Refused = {
  readonly status: number;
  readonly metadata?: { readonly reason?: unknown } | undefined;
};

/** The page for unknown addresses and for refused pages and forms. */
export function errorPage(present: Present) {
  return async ({ status, metadata }: Refused, accepted: readonly string[]) => {
    const presentation = await present({ accepted });
    const { nowhere, refused } = presentation.writing.words;
    const isNowhere = status === 404 || status === 405 || metadata?.reason === 'address_invalid';
    const said = isNowhere ? nowhere : { title: refused.title, lines: [whyRefused(status, refused), refused.next] };
    // A form's address has no page in other languages.
    const page = { title: said.title, query: undefined, body: saidAlone(said) };
    return { html: documentOf(page, presentation), contentSecurityPolicy: contentSecurityPolicy() };
  };
}

function whyRefused(status: number, { tooManyRequests, fromElsewhere, other }: PayerWords['refused']): string {
  if (status === 429) return tooManyRequests;
  return status === 403 ? fromElsewhere : other;
}
