import {
  abandonLinkPayment,
  claimOnPaymentPage,
  getPaymentPage,
  getPaymentPageState,
  leaveLinkInBitcoin,
  pageProblems,
  payLinkInBitcoin,
  payPaymentLink,
  returnFromBank,
  skipBankMethod,
} from '@florin/shared/contracts/pages.ts';
import type { CustomerLanguage } from '@florin/shared/languages.ts';
import type { Result } from '@florin/shared/result.ts';
import type { CustomerLink, CustomerLinks, CustomerRefusal } from '../../channels/payment-links/customer.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { type Route, respond, respondPage, respondRedirect, route } from '../../foundation/http/route.ts';
import type { ReceiptsOffered } from '../ui/confirmation.ts';
import { inLanguage, type Present } from '../ui/presentation.ts';
import { linkPage, methodDonePage, noLinkPage, type Shown } from './page.ts';

/** The page of a payment link, the operations of its script and forms, and the return from the bank. */
export function paymentPageRoutes(options: {
  links: CustomerLinks;
  present: Present;
  /** The public base URL, without a trailing slash. */
  publicUrl: string;
  receipts: ReceiptsOffered;
}): Route[] {
  const { links, present, publicUrl, receipts } = options;
  return [
    route(getPaymentPage, async ({ params, query, languages }) => {
      const link = await links.view(params.id, query.attempt);
      const presentation = await present({ lang: query.lang, accepted: languages() }, link?.business);
      return link
        ? shown(200, linkPage(link, { ...query, receipts }, presentation))
        : shown(404, noLinkPage(presentation));
    }),

    route(getPaymentPageState, async ({ params, query }) => stateOf(await links.view(params.id, query.attempt))),

    route(payPaymentLink, async ({ params, query, body, remoteAddress }) => {
      const { attempt, method, paymentToken, amountInCents, browser } = body;
      const paid = await links.pay({
        linkId: params.id,
        attempt,
        method,
        paymentToken,
        amountMinor: amountInCents,
        browser: {
          returnUrl: inLanguage(`${publicUrl}/pay/${params.id}/return/${attempt}`, { chosen: query.lang }),
          remoteAddress: remoteAddress(),
          identity: browser.userAgent,
          timeZoneOffsetMinutes: browser.timeZoneOffsetMinutes,
          capabilities: 'javascript',
          screenResolution: browser.screen,
          acceptContent: '*/*',
          acceptLanguage: browser.language,
        },
      });
      return paid.ok ? respond(200, { state: paid.value.state }) : errorBy(problems, paid.refusal);
    }),

    route(payLinkInBitcoin, async ({ params: { id }, query }) => backTo(id, await links.payInBitcoin(id), query)),
    route(leaveLinkInBitcoin, async ({ params: { id }, query }) => backTo(id, await links.leaveBitcoin(id), query)),

    route(claimOnPaymentPage, async ({ params: { id }, query, body }) => {
      const destination = await links.destinationOf(id, new URLSearchParams(body).get('destination') ?? '');
      return backTo(id, destination.ok ? await links.claim(id, destination.value) : destination, query);
    }),

    route(abandonLinkPayment, async ({ params, body }) => stateOf(await links.abandon(params.id, body.attempt))),

    route(skipBankMethod, async ({ params, body }) => {
      const response = { threeDSMethodData: 'timeout' };
      const { attempt } = body;
      return stateOf(await links.continueAtBank({ linkId: params.id, attempt, step: 'method', response }));
    }),

    route(returnFromBank, async ({ params, query, body, languages }) => {
      const { id: linkId, attempt } = params;
      const step = query.threeDSAcsResponse ?? 'challenge';
      const response = Object.fromEntries(new URLSearchParams(body));
      await links.continueAtBank({ linkId, attempt, step, response });
      // Shown in the bank's hidden frame; the page around it continues.
      const { lang } = query;
      if (step === 'method') return shown(200, methodDonePage(await present({ lang, accepted: languages() })));
      const address = `/pay/${linkId}${attempt === '' ? '' : `?attempt=${attempt}`}`;
      return respondRedirect(303, inLanguage(address, { chosen: lang }));
    }),
  ];
}

function shown<const Status extends number>(status: Status, page: Shown) {
  return respondPage(status, page.html, page.contentSecurityPolicy);
}

/** Redirects to the page with this request's problem; the page itself shows what keeps the link from being paid. */
function backTo(
  linkId: string,
  done: Result<unknown, { readonly kind: string }>,
  { lang }: { readonly lang?: CustomerLanguage | undefined },
) {
  const problem = done.ok ? undefined : pageProblems.find(each => each === done.refusal.kind);
  const address = `/pay/${linkId}${problem === undefined ? '' : `?problem=${problem}`}`;
  return respondRedirect(303, inLanguage(address, { chosen: lang }));
}

function stateOf(link: CustomerLink | undefined) {
  return link ? respond(200, { state: link.state }) : errorBy(problems, { kind: 'payment_link_not_found' });
}

const problems = {
  payment_link_not_found: { status: 404, message: 'This payment link is not available' },
  no_gateway_account: { status: 409, message: 'This link cannot be paid by card just now' },
  payment_link_expired: { status: 409, message: 'This payment link has expired' },
  payment_link_paid: { status: 409, message: 'This payment link is already paid' },
  payment_in_progress: { status: 409, message: 'A payment of this link is in progress: do not pay again' },
  payment_outcome_unknown: {
    status: 409,
    message: 'We are checking an earlier payment of this link: do not pay again',
  },
  part_payment_unavailable: {
    status: 409,
    message: 'Online part payment is not available: please pay the full amount, or contact the merchant',
  },
  method_not_offered: { status: 409, message: 'This link cannot be paid in this way' },
} as const satisfies ProblemTable<CustomerRefusal['kind']>;
