import type { Clock, Timers } from '@florin/shared/ports.ts';
import type { Chain } from './chain.ts';
import type { Call, FaultQueue } from './faults.ts';
import type { Invoices } from './invoices.ts';
import type { Macaroons } from './macaroons.ts';
import type { Payments } from './payments.ts';
import type { Reply } from './reply.ts';
import type { Store } from './store.ts';

export type RestOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly faults: FaultQueue;
  readonly macaroons: Macaroons;
  readonly invoices: Invoices;
  readonly payments: Payments;
  readonly chain: Chain;
};

/** A request as a route sees it. */
export type Asked = {
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  /** The name in the path, still percent-encoded. */
  readonly name: string;
};

export type RestRoute = {
  readonly call: Call;
  readonly method: 'GET' | 'POST';
  /** With one capture group if the path contains a name. */
  readonly path: RegExp;
  readonly run: (asked: Asked) => Reply;
};
