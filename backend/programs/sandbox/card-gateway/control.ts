import { formatMoney } from '@florin/shared/amounts.ts';
import { currencyOfNumeric } from '@florin/shared/reader-line/currencies.ts';
import { z } from 'zod';
import { controlPage } from '../control-page.ts';
import { type ControlResponse, type ControlRoute, controlServer, ok, withBody } from '../control-server.ts';
import { type FaultInput, fault } from './faults.ts';
import type { SettlementOptions, SettlementRun, SettlementStage } from './settlement.ts';
import type { CallbackRow, RequestRow, TransactionRow } from './store.ts';
import type { CallbackOptions, UnsolicitedRefusal } from './unsolicited.ts';

/** Operations for tests and people, outside the payment interface. */
export type Control = {
  addFault(fault: FaultInput): void;
  clearFaults(): void;
  faults(): readonly unknown[];
  refuseConnections(forMs?: number): Promise<void>;
  acceptConnections(): Promise<void>;
  settle(stage?: SettlementStage, about?: SettlementOptions): SettlementRun;
  /** Approves an approved operation again and posts a callback about it. */
  secondApproval(xref: string): { xref: string } | UnsolicitedRefusal;
  /** Posts a callback about a transaction, optionally with changed values or another secret. */
  callback(about: CallbackOptions): UnsolicitedRefusal | undefined;
  knows(xref: string): boolean;
  transactions(): TransactionRow[];
  requests(): RequestRow[];
  callbacks(): CallbackRow[];
  /** The gateway's own ledger: what each sale took and returned. */
  ledger(): SaleLedger[];
  advanceDuplicates(seconds: number): void;
  resetDuplicates(): void;
  reset(): void;
};

export type SaleLedger = {
  xref: string;
  merchantID: string;
  transactionUnique: string;
  state: string;
  currencyCode: string;
  takenMinor: number;
  /** Linked refunds and uncapped credits together, less those cancelled or rejected. */
  returnedMinor: number;
  refunds: { xref: string; transactionUnique: string; action: string; state: string; amountMinor: number }[];
};

const milliseconds = z.int().min(0).max(3_600_000);
const bodies = {
  refuse: z.strictObject({ forMs: milliseconds.optional() }),
  settle: z.strictObject({
    stage: z.enum(['tender', 'complete', 'all']).default('all'),
    xref: z.string().optional(),
    outcome: z.enum(['accepted', 'rejected']).optional(),
  }),
  secondApproval: z.strictObject({ xref: z.string() }),
  callback: z.strictObject({
    xref: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    secret: z.string().optional(),
  }),
  advance: z.strictObject({ seconds: z.int().min(0).max(1_000_000) }),
  none: z.strictObject({}),
};

const sendPage = controlPage(new URL('page/', import.meta.url));

/** The control interface over HTTP: JSON on a separate port, which stays open when payment connections are refused. */
export function controlHandler(control: Control) {
  const routes: Record<string, ControlRoute> = {
    'GET /control/faults': () => ok(control.faults()),
    'POST /control/faults': done(fault, next => {
      control.addFault(next);
      return { added: next.kind };
    }),
    'DELETE /control/faults': () => {
      control.clearFaults();
      return ok({});
    },
    'POST /control/refuse-connections': done(bodies.refuse, async ({ forMs }) => {
      await control.refuseConnections(forMs);
      return {};
    }),
    'POST /control/accept-connections': done(bodies.none, async () => {
      await control.acceptConnections();
      return {};
    }),
    'POST /control/settle': withBody(bodies.settle, ({ stage, ...about }) =>
      about.xref === undefined || control.knows(about.xref)
        ? ok(control.settle(stage, about))
        : refuse('no_such_transaction'),
    ),
    'POST /control/second-approval': withBody(bodies.secondApproval, ({ xref }) => {
      const approved = control.secondApproval(xref);
      return typeof approved === 'string' ? refuse(approved) : ok(approved);
    }),
    'POST /control/callback': withBody(bodies.callback, about => {
      const refusal = control.callback(about);
      return refusal === undefined ? ok({}) : refuse(refusal);
    }),
    'GET /control/transactions': () => ok(control.transactions()),
    'GET /control/requests': (_, query) =>
      ok(control.requests().filter(({ id }) => id > Number(query.get('after') ?? 0))),
    'GET /control/callbacks': () => ok(control.callbacks()),
    'GET /control/ledger': () => ok(control.ledger().map(withAmounts)),
    'POST /control/duplicates/advance': done(bodies.advance, ({ seconds }) => {
      control.advanceDuplicates(seconds);
      return {};
    }),
    'POST /control/duplicates/reset': done(bodies.none, () => {
      control.resetDuplicates();
      return {};
    }),
    'POST /control/reset': done(bodies.none, () => {
      control.reset();
      return {};
    }),
  };
  return controlServer(routes, ({ method, path }, response) => method === 'GET' && sendPage(path, response));
}

/** The amounts as people read them. */
export type ReadableSale = SaleLedger & { readonly taken: string; readonly returned: string };

function withAmounts(sale: SaleLedger): ReadableSale {
  const currency = currencyOfNumeric(sale.currencyCode) ?? 'XXX';
  const text = (amountMinor: number) => formatMoney({ amountMinor, currency }, 'en-GB');
  return { ...sale, taken: text(sale.takenMinor), returned: sale.returnedMinor === 0 ? '' : text(sale.returnedMinor) };
}

/** A route that responds 200 with the result of `run`. */
function done<Body>(schema: z.ZodType<Body>, run: (body: Body) => unknown) {
  return withBody(schema, async body => ok(await run(body)));
}

function refuse(why: UnsolicitedRefusal): ControlResponse {
  return { status: why === 'no_such_transaction' ? 404 : 409, content: { error: why } };
}
