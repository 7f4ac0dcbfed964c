import type { Clock, ContextLog, Ids, Random, SteadyClock, Timers } from '@florin/shared/ports.ts';
import type { NodeRegistry } from './bitcoin/nodes/adapter.ts';
import type { RateSource } from './bitcoin/rates/source.ts';
import type { Settings } from './config/settings.ts';
import type { Database } from './foundation/database/database.ts';
import type { ReplicaReads } from './foundation/database/replica.ts';
import type { EventConsumer } from './foundation/events/dispatcher.ts';
import type { Notifications } from './foundation/events/notifications.ts';
import type { Outbound } from './foundation/outbound/outbound.ts';
import type { SecretsKeys } from './foundation/secrets/keys.ts';
import type { PermanentKey } from './foundation/secrets/permanent-key.ts';
import type { AccountSettings } from './gateways/accounts/settings-account.ts';
import type { GatewayRegistry } from './gateways/adapter.ts';
import type { Mailer } from './messaging/notifications/mailer.ts';
import type { DerivePassword } from './people/staff/password.ts';

/** The ports of all modules: backend.ts, the simulation and the bench each provide theirs. */
export type Ports = {
  readonly database: Database;
  /** Reads that may be some seconds old. */
  readonly replicaReads: ReplicaReads;
  /** The gateway adapters that accounts can use. */
  readonly gatewayRegistry: GatewayRegistry;
  /** The bitcoin node adapters that businesses can use. */
  readonly nodeRegistry: NodeRegistry;
  readonly clock: Clock;
  readonly steadyClock: SteadyClock;
  readonly timers: Timers;
  readonly random: Random;
  readonly ids: Ids;
  readonly log: ContextLog;
  readonly derivePassword: DerivePassword;
  /** Keys outside the database of what is stored sealed. */
  readonly secretsKeys: () => SecretsKeys;
  /** The key of what must not change with them. */
  readonly permanentKey: PermanentKey;
  readonly notifications: Notifications;
  /** HTTP to addresses given by merchants. */
  readonly outbound: Outbound;
  /** The sources of bitcoin prices; without any nothing can be priced in bitcoin. */
  readonly rateSources?: readonly RateSource[];
  /** Undefined if no mail server is configured. */
  readonly mailer?: Mailer | undefined;
  /** In addition to those of the modules (tests, simulation). */
  readonly consumers?: readonly EventConsumer[];
  /** Called when an accepted gateway callback is posted again. */
  readonly onCallbackRepeated?: (() => void) | undefined;
  /** Called when calls are missing from the request log, with their number. */
  readonly onRequestsUnrecorded?: ((count: number) => void) | undefined;
};

export type ModuleSettings = Pick<
  Settings,
  | 'polling'
  | 'withdrawalAnswerMs'
  | 'rates'
  | 'bitcoinInvoices'
  | 'checkouts'
  | 'outbound'
  | 'brand'
  | 'completion'
  | 'enrolmentCodeLifetimeMs'
  | 'idempotency'
  | 'leaseMs'
  | 'lockout'
  | 'offlineEntriesPerDay'
  | 'retentionMs'
  | 'recoveryEveryMs'
  | 'role'
  | 'reversal'
  | 'settlement'
  | 'staff'
  | 'webhooks'
  | 'terminalSales'
> & {
  /** The account of businesses without one of their own. */
  readonly gatewayAccount: AccountSettings;
  /** The public base URL, without a trailing slash. */
  readonly publicUrl: string;
};
