import {
  createWithdrawal,
  getWithdrawal,
  listWithdrawals,
  resolveWithdrawal,
  type WithdrawalRecord,
} from '@florin/shared/contracts/api-v1/withdrawals.ts';
import type { BodyOf } from '@florin/shared/contracts/contract.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { pageBefore, pageOf } from '../../foundation/http/pages.ts';
import { errorBy, type ProblemTable } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import type { DestinationGiven } from './destination.ts';
import type { WithdrawalRow } from './rows.ts';
import type { ResolutionRefusal, WithdrawalRefusal, WithdrawalService } from './service.ts';

/** The HTTP operations on withdrawals; the rules are in service.ts. */
export function withdrawalRoutes(withdrawals: WithdrawalService): Route[] {
  return [
    route(
      createWithdrawal,
      async ({ caller, body, call }) => {
        const made = await withdrawals.request({
          businessId: caller.businessId,
          destination: destinationGiven(body),
          by: actorOf(caller),
          write: call.storing(withdrawalResponse),
        });
        return made.kind === 'done' ? withdrawalResponse(made.withdrawal) : errorBy(problems, made.refusal);
      },
      {
        async current({ id }, { caller }) {
          const found = await withdrawals.find(caller.businessId, id);
          return found && withdrawalResponse(found);
        },
      },
    ),

    route(resolveWithdrawal, async request => {
      const { caller, params, body, call } = request;
      const resolved = await withdrawals.resolve({
        ...body,
        businessId: caller.businessId,
        id: params.id,
        by: actorOf(caller),
        write: call.storing((row: WithdrawalRow) => respond(200, withdrawalRecord(row))),
      });
      return resolved.ok ? respond(200, withdrawalRecord(resolved.value)) : errorBy(resolutions, resolved.refusal);
    }),

    route(listWithdrawals, async ({ caller, query }) => {
      const rows = await withdrawals.list(caller.businessId, pageBefore(query));
      const { items, nextCursor } = pageOf(rows, query, ({ id }) => id);
      return respond(200, { items: items.map(withdrawalRecord), nextCursor });
    }),

    route(getWithdrawal, async ({ caller, params }) => {
      const found = await withdrawals.find(caller.businessId, params.id);
      return found
        ? respond(200, withdrawalRecord(found))
        : fail(404, 'withdrawal_not_found', 'There is no such withdrawal');
    }),
  ];
}

/** 202 until the outcome is final, then 201 for any outcome. */
function withdrawalResponse(row: WithdrawalRow) {
  return respond(row.finalAt === null ? 202 : 201, withdrawalRecord(row));
}

function destinationGiven(body: BodyOf<typeof createWithdrawal>): DestinationGiven {
  const { invoice, maxFeeSats = null, address = '', amountSats = 0, satsPerVbyte = null } = body;
  return invoice === undefined ? { address, amountSats, satsPerVbyte } : { invoice, maxFeeSats };
}

function withdrawalRecord(row: WithdrawalRow): WithdrawalRecord {
  const { id, network, destination, amountSats, maxFeeSats, feeSats, status, failureReason, preimage } = row;
  return {
    id,
    network,
    destination,
    amountSats,
    maxFeeSats,
    feeSats,
    status,
    failureReason,
    txId: row.txId ?? row.paymentHash,
    preimage,
    createdAt: new Date(row.createdAt).toISOString(),
    missingSince: row.missingSince === null ? null : new Date(row.missingSince).toISOString(),
    finalAt: row.finalAt === null ? null : new Date(row.finalAt).toISOString(),
  };
}

const resolutions = {
  withdrawal_not_found: { status: 404, message: 'There is no such withdrawal' },
  withdrawal_final: { status: 409, message: 'This withdrawal already has a final outcome' },
  still_asking: {
    status: 409,
    message: 'The node lists its transaction or did minutes ago: it is polled before a manual decision is possible',
  },
} as const satisfies ProblemTable<ResolutionRefusal['kind']>;

const problems = {
  invoice_invalid: { status: 400, path: 'invoice', message: 'must be a BOLT11 invoice with a valid signature' },
  invoice_without_amount: { status: 400, path: 'invoice', message: 'must have an amount in whole satoshis' },
  address_invalid: { status: 400, path: 'address', message: 'must be a bitcoin address' },
  other_network: { status: 400, message: 'The destination is on another network than the node' },
  bitcoin_backend_not_set: { status: 404, message: 'The business has no bitcoin backend' },
  withdrawal_not_supported: { status: 409, message: 'This node does not support this kind of withdrawal' },
  insufficient_balance: { status: 409, message: 'The balance less reserved amounts is not sufficient' },
  invoice_expired: { status: 409, message: 'The invoice has expired' },
  invoice_already_used: { status: 409, message: 'This invoice was already used for a withdrawal: request a new one' },
  node_unavailable: { status: 503, message: 'The node is unavailable; nothing was sent' },
} as const satisfies ProblemTable<WithdrawalRefusal['kind']>;
