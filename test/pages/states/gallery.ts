import type { LogoPicture } from '@florin/backend/people/businesses/logos.ts';
import { accentStyle } from '@florin/backend/web/ui/accent.ts';
import { assetsOf } from '@florin/backend/web/ui/assets.ts';
import { bundleAssets } from '@florin/backend/web/ui/bundle.ts';
import { type Presentation, presenter } from '@florin/backend/web/ui/presentation.ts';
import type { WordTables } from '@florin/backend/web/ui/writing.ts';
import { pageWords } from '@florin/backend/web/words/words.ts';
import type { CustomerLanguage } from '@florin/shared/languages.ts';
import type { BrowserContext } from '@playwright/test';
import { checkoutStates } from './checkouts.ts';
import { linkStates } from './links.ts';
import { errorStates, receiptStates, tipStates } from './others.ts';
import { pseudo } from './pseudo.ts';
import { shop } from './shop.ts';

/** Every page that a customer can see, in every state. */
export const states = {
  pay: linkStates,
  checkout: checkoutStates,
  tip: tipStates,
  receipt: receiptStates,
  error: errorStates,
};

/** The product's words, of which the English ones are in the test's own language. */
const pseudoWords: WordTables = {
  payer: { ...pageWords.payer, en: pseudo(pageWords.payer.en) },
  receipt: { ...pageWords.receipt, en: pseudo(pageWords.receipt.en) },
};

export type Look = {
  readonly language: CustomerLanguage | 'pseudo';
  readonly accentColour?: string;
  readonly logo?: LogoPicture & { readonly content: Buffer };
};

const origin = 'http://pages.test';
const fields =
  '<!doctype html><title>Fields</title><script>parent.postMessage({type:"ready",height:360},"*")</script><div style="height:360px"></div>';

/** Shows pages in a browser, without a service: what they load is what the service serves. */
export async function gallery() {
  const assets = assetsOf(await bundleAssets());
  const made = async () => assets;
  let shown = { html: '', contentSecurityPolicy: '' };
  let look: Look = { language: 'en' };

  function presented(): Promise<Presentation> {
    const { language, logo, accentColour = null } = look;
    const present = presenter({
      tables: language === 'pseudo' ? pseudoWords : pageWords,
      assets: made,
      logoOf: async () => logo,
    });
    const lang = language === 'pseudo' ? 'en' : language;
    return present({ lang, accepted: [] }, { ...shop, accentColour });
  }

  function loaded(path: string): { readonly contentType: string; readonly body: string | Buffer } | undefined {
    const [, colour] = /^\/accents\/([0-9a-f]{6})\.css$/.exec(path) ?? [];
    if (colour !== undefined) return { contentType: 'text/css', body: accentStyle(`#${colour}`) };
    if (path.startsWith('/logos/') && look.logo) return { contentType: look.logo.mediaType, body: look.logo.content };
    const content = path.startsWith('/assets/') ? assets.content(path.slice('/assets/'.length)) : undefined;
    if (content === undefined) return undefined;
    const types: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript', woff2: 'font/woff2' };
    const contentType = types[path.split('.').at(-1) ?? ''] ?? '';
    return { contentType, body: typeof content === 'string' ? content : Buffer.from(content) };
  }

  return {
    async serveTo(context: BrowserContext): Promise<void> {
      await context.route(/^http:/, async route => {
        const url = new URL(route.request().url());
        if (url.hostname === 'fields.test') return route.fulfill({ contentType: 'text/html', body: fields });
        // The browser stays on a page that sends it on.
        if (url.origin !== origin) return route.fulfill({ status: 204 });
        const asset = loaded(url.pathname);
        if (asset) return route.fulfill(asset);
        if (url.pathname !== '/page') return route.abort();
        return route.fulfill({
          contentType: 'text/html; charset=utf-8',
          headers: { 'content-security-policy': shown.contentSecurityPolicy },
          body: shown.html,
        });
      });
    },
    /** Sets what the address shows; a state that is not there is a mistake of the test. */
    async show(page: keyof typeof states, state: string, as: Look): Promise<string> {
      look = as;
      const make = (states[page] as (typeof states)['error'] & (typeof states)['tip'])[state];
      if (!make) throw new Error(`${page} has no state ${state}`);
      shown = await make(await presented());
      return `${origin}/page`;
    },
  };
}
