import { system } from '@florin/shared/actor.ts';
import {
  type CheckoutFacts,
  type CheckoutRecord,
  cancelCheckout,
  changeCheckoutSettings,
  claimCheckout,
  createCheckout,
  followCheckout,
  getCheckout,
  getCheckoutSettings,
  listCheckouts,
} from '@florin/shared/contracts/api-v1/checkouts.ts';
import { claimProblems } from '../../bitcoin/invoices/problems.ts';
import { type AnonymousCaller, actorOf, type MerchantCaller } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, invalidInput, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, respondEvents, route } from '../../foundation/http/route.ts';
import { checkoutFactsOf } from './checkout.ts';
import type { liveCheckouts } from './live.ts';
import { redirectUrlOf } from './redirect.ts';
import type { CheckoutRow } from './rows.ts';
import type { CheckoutRefusal, CheckoutService, UrlRefused } from './service.ts';
import type { CheckoutSettingsOf } from './signing-keys.ts';

const unknownCheckout = () => fail(404, 'checkout_not_found', 'There is no such checkout');

/**
 * The HTTP operations on checkouts, of API keys and of callers without a key; the latter need the `cancelToken` to
 * cancel.
 */
export function checkoutRoutes(options: {
  checkouts: CheckoutService;
  settings: CheckoutSettingsOf;
  live: (recordOf: (facts: CheckoutFacts) => Promise<CheckoutRecord>) => ReturnType<typeof liveCheckouts>;
  /** The public base URL, without a trailing slash. */
  publicUrl: string;
}): Route[] {
  const { checkouts, settings, live, publicUrl } = options;

  const urlOf = ({ id }: { readonly id: string }) => `${publicUrl}/checkout/${id}`;

  async function recordBy(businessId: string) {
    const { signingKey } = await settings.of(businessId);
    return (facts: CheckoutFacts) => ({ ...facts, url: urlOf(facts), redirectUrl: redirectUrlOf(facts, signingKey) });
  }
  const follow = live(async facts => (await recordBy(facts.businessId))(facts));
  async function found(row: CheckoutRow) {
    return respond(200, (await recordBy(row.businessId))(checkoutFactsOf(row)));
  }

  return [
    route(createCheckout, async ({ caller, body, call }) => {
      const businessId = isMerchant(caller) ? caller.businessId : body.businessId;
      if (businessId === undefined) return invalidInput({ path: 'businessId', message: 'is required without a key' });
      // A new checkout has no outcome, so it has no redirect URL.
      const madeOf = (row: CheckoutRow) => ({ ...checkoutFactsOf(row), url: urlOf(row), redirectUrl: null });
      const without = (row: CheckoutRow) => respond(201, { ...madeOf(row), cancelToken: null });
      const { amount: amountMinor, currency, orderId, externalReference, successUrl, webhookUrl } = body;
      const input = {
        businessId,
        amountMinor,
        currency,
        orderId,
        externalReference: externalReference ?? null,
        successUrl: successUrl ?? null,
        webhookUrl: webhookUrl ?? null,
        by: byOf(caller),
      };
      const made = await checkouts.create(input, call.storing(without));
      if (!made.ok) return refused(made.refusal);
      const { checkout, cancelToken } = made.value;
      return respond(201, { ...madeOf(checkout), cancelToken });
    }),

    route(listCheckouts, async ({ caller: { businessId }, query }) => {
      const { status = null, orderId = null, externalReference = null } = query;
      const filters = { businessId, status, orderId, externalReference };
      const [rows, recordOf] = await Promise.all([
        checkouts.list({ ...filters, ...pageBefore(query) }),
        recordBy(businessId),
      ]);
      const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
      return respond(200, { items: items.map(row => recordOf(checkoutFactsOf(row))), nextCursor });
    }),

    route(getCheckout, async ({ params }) => {
      const row = await checkouts.find(params.id);
      return row ? found(row) : unknownCheckout();
    }),

    route(followCheckout, async ({ query, lastEventId, over }) => {
      const row = await checkouts.find(query.checkoutId);
      if (!row) return unknownCheckout();
      return respondEvents(200, follow({ id: row.id, businessId: row.businessId }, { lastEventId, over }));
    }),

    route(cancelCheckout, async ({ caller, params, body, call }) => {
      const row = await checkouts.find(params.id);
      if (!row || isOfAnother(caller, row)) return unknownCheckout();
      const isAllowed =
        isMerchant(caller) || (body.cancelToken !== undefined && checkouts.isCancelToken(row, body.cancelToken));
      if (!isAllowed) return fail(403, 'wrong_cancel_token', 'The cancelToken of this checkout is missing or wrong');
      const recordOf = await recordBy(row.businessId);
      const storing = call.storing((now: CheckoutRow) => respond(200, recordOf(checkoutFactsOf(now))));
      return found(await checkouts.cancel(row, byOf(caller), storing));
    }),

    route(claimCheckout, async ({ caller, params, body, call }) => {
      const row = await checkouts.find(params.id);
      if (!row || isOfAnother(caller, row)) return unknownCheckout();
      const recordOf = await recordBy(row.businessId);
      const destination = await checkouts.destinationOf(row, body.destination);
      if (!destination.ok) return errorBy(claimProblems, destination.refusal);
      const storing = call.storing((now: CheckoutRow) => respond(200, recordOf(checkoutFactsOf(now))));
      const claimed = await checkouts.claim(row, destination.value, storing);
      return claimed.ok ? found(claimed.value) : errorBy(claimProblems, claimed.refusal);
    }),

    route(getCheckoutSettings, async ({ caller }) =>
      respond(200, settingsRecord(await settings.of(caller.businessId))),
    ),

    route(changeCheckoutSettings, async ({ caller, body }) =>
      respond(200, settingsRecord(await settings.change(caller.businessId, body, actorOf(caller)))),
    ),
  ];
}

function settingsRecord({ signingKey, frameOrigins }: { signingKey: string; frameOrigins: readonly string[] }) {
  return { signingKey, frameOrigins: [...frameOrigins] };
}

function isMerchant(caller: MerchantCaller | AnonymousCaller): caller is MerchantCaller {
  return caller.kind !== 'none';
}

function isOfAnother(caller: MerchantCaller | AnonymousCaller, { businessId }: CheckoutRow): boolean {
  return isMerchant(caller) && caller.businessId !== businessId;
}

function byOf(caller: MerchantCaller | AnonymousCaller) {
  return isMerchant(caller) ? actorOf(caller) : system;
}

function refused(refusal: CheckoutRefusal) {
  if (refusal.kind === 'url_refused') return urlRefused(refusal);
  return errorBy(problems, refusal);
}

function urlRefused({ field: path, problem: message }: UrlRefused) {
  return invalidInput({ path, message });
}

const problems = {
  business_not_found: { status: 404, message: 'There is no such business' },
  bitcoin_not_available: { status: 409, message: 'This business does not take bitcoin' },
  rate_unavailable: { status: 503, message: 'No exchange rate is available; nothing was created' },
  amount_out_of_range: {
    status: 409,
    message: 'This amount is too large or too small to be paid in bitcoin here',
  },
  too_many_open_checkouts: {
    status: 429,
    message: 'Too many checkouts of this business are unpaid; use an API key or try again later',
  },
} as const satisfies ProblemTable<Exclude<CheckoutRefusal, UrlRefused>['kind']>;
