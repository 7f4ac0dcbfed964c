import {
  createTipLink,
  deleteTipLink,
  getTipLink,
  listTipLinks,
  type TipLinkRecord,
} from '@florin/shared/contracts/api-v1/tip-links.ts';
import {
  getLightningAddress,
  getTipInvoice,
  getTipPayRequest,
  getTipVerification,
} from '@florin/shared/contracts/lnurl.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import type { TipLinkRow } from './rows.ts';
import type { NewTipLinkRefusal, PayRequest, TipLink, TipLinkService, TipRefusal } from './service.ts';

/**
 * The merchant's operations on tip links, and those of wallets (LNURL-pay and Lightning address), which need no key.
 */
export function tipLinkRoutes(tipLinks: TipLinkService): Route[] {
  return [...apiRoutes(tipLinks), ...walletRoutes(tipLinks)];
}

function apiRoutes(tipLinks: TipLinkService): Route[] {
  const record = (row: TipLinkRow) => tipLinkRecord(tipLinks.withAddresses(row));
  const made = (row: TipLinkRow) => respond(201, record(row));
  const unknown = () => fail(404, 'tip_link_not_found', 'There is no such tip link');
  return [
    route(createTipLink, async ({ caller, body, call }) => {
      const link = { ...body, lightningName: body.lightningName ?? null };
      const created = await tipLinks.create(caller.businessId, link, actorOf(caller), call.storing(made));
      return created.ok ? made(created.value) : errorBy(problems, created.refusal);
    }),
    route(listTipLinks, async ({ caller, query }) => {
      const rows = await tipLinks.list(caller.businessId, pageBefore(query));
      const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
      return respond(200, { items: items.map(record), nextCursor });
    }),
    route(getTipLink, async ({ caller, params }) => {
      const row = await tipLinks.find(caller.businessId, params.id);
      return row ? respond(200, record(row)) : unknown();
    }),
    route(deleteTipLink, async ({ caller, params }) => {
      const row = await tipLinks.remove(caller.businessId, params.id, actorOf(caller));
      return row ? respond(200, record(row)) : unknown();
    }),
  ];
}

/** LNURL: errors have status 200, as wallets expect. */
function walletRoutes(tipLinks: TipLinkService): Route[] {
  const error = (reason: string) => respond(200, { status: 'ERROR' as const, reason });
  const payRequest = (found: PayRequest | undefined) => {
    if (!found) return error(words.tip_link_not_found);
    const { callback, minimumSats, maximumSats, metadata } = found;
    const sendable = { minSendable: minimumSats * 1_000, maxSendable: maximumSats * 1_000 };
    return respond(200, { tag: 'payRequest' as const, callback, ...sendable, metadata });
  };
  return [
    route(getTipPayRequest, async ({ params }) => payRequest(await tipLinks.payRequest(params.id))),
    route(getLightningAddress, async ({ params }) => payRequest(await tipLinks.payRequestOfAddress(params.name))),
    route(getTipInvoice, async ({ params, query }) => {
      const made = await tipLinks.invoice(params.id, query.amount);
      return made.ok
        ? respond(200, { pr: made.value.bolt11, routes: [], verify: made.value.verifyUrl })
        : error(words[made.refusal.kind]);
    }),
    route(getTipVerification, async ({ params }) => {
      const found = await tipLinks.verify(params.id, params.paymentHash);
      if (!found) return error('Not found');
      const { bolt11: pr, preimage } = found;
      return respond(200, { status: 'OK' as const, settled: preimage !== null, preimage, pr });
    }),
  ];
}

const problems = {
  bitcoin_not_available: {
    status: 409,
    message: 'The business cannot be paid over Lightning: set its bitcoin backend first',
  },
  name_taken: { status: 409, message: 'This lightningName is or was taken: choose another one' },
} as const satisfies ProblemTable<NewTipLinkRefusal['kind']>;

const words = {
  tip_link_not_found: 'There is no such tip link',
  amount_refused: 'The amount must be whole satoshis within the link’s limits',
  too_many_open_tips: 'Too many tips are being given right now: try again in a few minutes',
  node_unavailable: 'Tips cannot be taken right now: try again in a few minutes',
} as const satisfies Record<TipRefusal['kind'], string>;

function tipLinkRecord({ row, ...addresses }: TipLink): TipLinkRecord {
  const { id, name, lightningName, minimumSats, maximumSats, receivedSats, tipCount, createdAt, deletedAt } = row;
  return {
    id,
    name,
    lightningName,
    minimumSats,
    maximumSats,
    ...addresses,
    receivedSats,
    tipCount,
    createdAt: new Date(createdAt).toISOString(),
    deletedAt: deletedAt === null ? null : new Date(deletedAt).toISOString(),
  };
}
