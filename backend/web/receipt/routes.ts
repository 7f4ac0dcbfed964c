import { getReceiptPage, getReceiptVerifier, sendReceipt } from '@florin/shared/contracts/pages.ts';
import { emailAddress } from '@florin/shared/contracts/portal/people.ts';
import { type Route, respondPage, respondRedirect, route } from '../../foundation/http/route.ts';
import type { ReceiptService } from '../../money/receipts/service.ts';
import type { Assets } from '../ui/assets.ts';
import { contentSecurityPolicy } from '../ui/policy.ts';
import type { Present } from '../ui/presentation.ts';
import { noReceiptPage, receiptPage } from './page.ts';
import { verifierPage } from './verifier.ts';

/** The page of a receipt with its form for an e-mail, and the page that checks signed receipts. */
export function receiptPageRoutes(options: {
  receipts: Pick<ReceiptService, 'find' | 'sendTo'>;
  present: Present;
  assets: () => Promise<Assets>;
  /** Whether the service has a mail server. */
  sendsEmails: boolean;
  publicUrl: string;
}): Route[] {
  const { receipts, present, assets, sendsEmails, publicUrl } = options;
  return [
    route(getReceiptPage, async ({ params: { token }, query, languages }) => {
      const receipt = await receipts.find(token);
      const presentation = await present({ lang: query.lang, accepted: languages() }, receipt?.business);
      if (!receipt) return respondPage(404, noReceiptPage(presentation), contentSecurityPolicy());
      const shown = { token, email: query.email, sendsEmails };
      const page = respondPage(200, receiptPage(receipt, shown, presentation), contentSecurityPolicy());
      return { ...page, isKept: true };
    }),

    route(sendReceipt, async ({ params: { token }, query: { lang = 'en' }, body }) => {
      const given = new URLSearchParams(body);
      const address = emailAddress.safeParse(given.get('address')?.trim());
      const sent = address.success && (await receipts.sendTo(token, { address: address.data, languages: [lang] }));
      const outcome = !sent ? 'address_invalid' : sent.ok ? 'sent' : sent.refusal.kind;
      const query = new URLSearchParams({ lang, email: outcome });
      return respondRedirect(303, `/r/${token}?${query}#email`);
    }),

    route(getReceiptVerifier, async () => {
      const { html, policy } = verifierPage(await assets(), publicUrl);
      return respondPage(200, html, policy);
    }),
  ];
}
