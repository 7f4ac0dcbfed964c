import { z } from 'zod';
import { type BitcoinInvoiceSettings, defaultBitcoinInvoices } from '../bitcoin/invoices/settings.ts';
import { sourceKinds } from '../bitcoin/rates/kinds.ts';
import { defaultRates, type RateSettings } from '../bitcoin/rates/service.ts';
import { defaultCheckouts, type HostedCheckoutSettings } from '../channels/checkouts/settings.ts';
import { defaultTerminalSales, type TerminalSaleSettings } from '../channels/terminal-sales/service.ts';
import { defaultLeaseMs } from '../foundation/jobs/leases.ts';
import { defaultPolling, type PollingSettings } from '../foundation/jobs/polling.ts';
import { wallets } from '../gateways/gateway.ts';
import { defaultWebhooks, type WebhookSettings } from '../messaging/webhooks/settings.ts';
import { type CompletionSettings, defaultCompletion } from '../money/payments/completion.ts';
import { defaultReversal, type ReversalSettings } from '../money/payments/reversal.ts';
import { defaultSettlement, type SettlementSettings } from '../money/payments/settlement.ts';
import type { LockoutSettings } from '../people/staff/lockout.ts';
import type { StaffSettings } from '../people/staff/service.ts';
import { type GatewayAccount, gatewayAccount } from './gateway.ts';

const hourMs = 3_600_000;
/** A number given in units of `unit`. */
const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER, unit = 1) => {
  const message =
    most < Number.MAX_SAFE_INTEGER ? `must be ${least} to ${most}` : `must be a whole number from ${least}`;
  return z.string().transform((text, context): number => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value * unit;
    context.addIssue({ code: 'custom', message, input: text });
    return z.NEVER;
  });
};
// Defaults are given as text, like settings: `admin config print` shows them in the unit of their name.
const count = (fallback: number, least = 1, most?: number) => wholeNumber(least, most).prefault(String(fallback));
/** A duration given in the unit of its name, converted to milliseconds. */
const duration = (fallback: number, unitMs: number) => wholeNumber(1, undefined, unitMs).prefault(String(fallback));
const seconds = (fallback: number) => duration(fallback, 1_000);
const minutes = (fallback: number) => duration(fallback, 60_000);
const hours = (fallback: number) => duration(fallback, hourMs);
const millisecondsList = (fallback: readonly number[]) =>
  z
    .string()
    .default(fallback.join(','))
    .transform((text): readonly number[] => text.split(',').map(Number))
    .refine(list => list.every(value => Number.isInteger(value) && value > 0), {
      error: 'must be milliseconds, by commas',
    });
const secretsKeyBytes = 32;
const secretsKeyError = `must be ${secretsKeyBytes} bytes in base64: openssl rand -base64 ${secretsKeyBytes}`;
const secretsKey = z
  .base64({ error: secretsKeyError })
  .transform(text => Buffer.from(text, 'base64'))
  .refine(key => key.length === secretsKeyBytes, { error: secretsKeyError });
const listOfText = z
  .string()
  .default('')
  .transform(text => text.split(',').flatMap(part => (part.trim() === '' ? [] : [part.trim()])));

/**
 * Every setting with its default, by environment variable. Durations are given in the unit of their name and converted
 * to milliseconds if the program's field ends in Ms.
 */
const postgresAddress = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional();

export const environment = z.object({
  BRAND: z
    .string()
    .regex(/^[a-z][a-z0-9]{1,20}$/, { error: 'must be 2 to 21 lower-case letters or digits, starting with a letter' })
    .default('florin'),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: count(4100, 0, 65_535),
  /** The port of the Prometheus metrics; unset: none. Not the public port. */
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  /** The public base URL of this service; by default the address it listens on. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address that starts with https:// (or http://)' })
    .optional(),
  DATA: z.string().min(1).default('.florin'),
  DATABASE_URL: postgresAddress,
  /** PostgreSQL itself, where DATABASE_URL leads to a pooler: for LISTEN, and for the session that proves lost commits. */
  DATABASE_DIRECT_URL: postgresAddress,
  /** A standby server for what callers accept to be some seconds old. */
  DATABASE_REPLICA_URL: postgresAddress,
  DATABASE_CONNECTIONS: count(16),
  /** Encrypts stored secrets and seals the audit log; default: a key file in DATA. */
  SECRETS_KEY: secretsKey.optional(),
  /** Also opens what it sealed, while SECRETS_KEY is replaced; never used to write. */
  SECRETS_KEY_ACCEPTED: secretsKey.optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  BODY_LIMIT_BYTES: count(100_000, 1_000),
  TRUSTED_PROXIES: listOfText,
  MAX_CONNECTIONS: count(5_000),
  /** Open event streams of one process; those of terminals are not limited. */
  MAX_STREAMS_PER_RECORD: count(20),
  MAX_STREAMS_PER_KEY: count(100),
  MAX_STREAMS_PER_ADDRESS: count(200),
  /** Of all callers without a key together; by default half of the connections. */
  MAX_STREAMS_WITHOUT_KEY: wholeNumber(1).optional(),
  /** The idle timeout of connections with a request in progress; longer than two gateway timeouts. */
  SOCKET_TIMEOUT_SECONDS: seconds(120),
  SHUTDOWN_GRACE_SECONDS: seconds(30),
  IDEMPOTENCY_HOURS: hours(72),
  IDEMPOTENCY_POLL_MS: count(50),
  /** How long work waits for a process that no longer renews its lease: see foundation/jobs/leases.ts. */
  LEASE_SECONDS: wholeNumber(1, 30, 1_000).prefault(String(defaultLeaseMs / 1_000)),
  RATE_LIMIT_WINDOW_SECONDS: count(10),
  RATE_LIMIT_PER_KEY: count(100),
  RATE_LIMIT_PER_ADDRESS: count(20),
  RATE_LIMIT_STAFF_CHALLENGES: count(5),
  /** Per address; a refused callback is replaced by polling. */
  RATE_LIMIT_CALLBACKS: count(300),
  RATE_LIMIT_PROBES: count(100),
  /** Per address and page including its assets; customers in a shop may share one address. */
  RATE_LIMIT_PAGES: count(200),
  ENROLMENT_CODE_MINUTES: minutes(15),
  LOCKOUT_ATTEMPTS: count(5),
  LOCKOUTS_PER_TERMINAL: count(3),
  LOCKOUTS_PER_TERMINAL_MINUTES: minutes(60),
  LOCKOUT_MINUTES: z
    .string()
    .default('5,30,120,720,1440')
    .transform(text => text.split(',').map(part => Number(part) * 60_000))
    .refine(list => list.every(value => Number.isInteger(value) && value > 0), { error: 'must be minutes, by commas' }),
  OFFLINE_ENTRIES_PER_DAY: count(2_000),
  /** How long delivered webhooks, e-mails and events that every consumer handled are kept. */
  RETENTION_DAYS: count(90),
  STAFF_NONCE_SECONDS: seconds(60),
  /** The accepted clock difference in a terminal's signatures. */
  CLOCK_SKEW_SECONDS: seconds(120),
  /** How often payments are polled for settlement; the gateway settles about once a day. */
  SETTLEMENT_POLL_SECONDS: seconds(300),
  /** How long a terminal may take to complete an approved sale. */
  SALE_COMPLETION_MINUTES: minutes(defaultCompletion.completeWithinMs / 60_000),
  /** How long a sale started over the API waits for its terminal and customer. */
  TERMINAL_SALE_MINUTES: minutes(defaultTerminalSales.lifetimeMs / 60_000),
  /** How often background work polls operations whose outcome is unknown. */
  RECOVERY_EVERY_MS: count(1_000),
  /** How such operations are polled: see foundation/jobs/polling.ts. */
  POLLING_INTERVALS_MS: millisecondsList(defaultPolling.intervalsMs),
  POLLING_LATE_INTERVAL_MS: count(defaultPolling.lateIntervalMs),
  POLLING_NOT_FOUND_IS_FINAL_AFTER_MS: count(defaultPolling.notFoundIsFinalAfterMs),
  POLLING_EVIDENCE_AFTER_MS: count(defaultPolling.evidenceAfterMs),
  POLLING_CONFIRM_AFTER_MS: count(defaultPolling.confirmAfterMs),
  POLLING_CONFIRMATIONS: count(defaultPolling.maxConfirmationLookups),
  /** When failed reversals are retried, and when they are reported as a discrepancy. */
  REVERSAL_RETRIES_MS: millisecondsList(defaultReversal.retriesMs),
  REVERSAL_OVERDUE_HOURS: hours(defaultReversal.overdueAfterMs / hourMs),
  /** The mail server: smtp://user:password@host:port, or smtps://. Without it e-mails stay queued. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^<>@]*<?[^<>@\s]+@[^<>@\s]+>?$/, { error: 'must be an e-mail address, with a name if you like' })
    .default('Florin <florin@localhost>'),
  /** Allows merchants' URLs on this machine and over http. For demo, sandbox and tests. */
  /** Whether a bitcoin node may be in this service's own network or on this machine. */
  BITCOIN_NODE_ALLOW_PRIVATE: z.enum(['true', 'false']).default('false'),
  BITCOIN_NODE_TIMEOUT_SECONDS: seconds(30),
  /** How long a withdrawal request waits for the node's balance and for the payment to complete. */
  WITHDRAWAL_ANSWER_SECONDS: wholeNumber(1, 30, 1_000).prefault('10'),
  OUTBOUND_ALLOW_LOOPBACK: z.enum(['true', 'false']).default('false'),
  /** How webhooks are delivered: see messaging/webhooks/settings.ts. */
  WEBHOOK_TIMEOUT_SECONDS: seconds(defaultWebhooks.timeoutMs / 1_000),
  WEBHOOK_RETRY_SECONDS: z
    .string()
    .default(defaultWebhooks.retryDelaysMs.map(ms => ms / 1_000).join(','))
    .transform((text): readonly number[] => text.split(',').map(part => Number(part) * 1_000))
    .refine(list => list.length <= 4 && list.every(value => Number.isInteger(value) && value > 0), {
      error: 'must be up to four numbers of seconds, by commas',
    }),
  WEBHOOK_WARN_AFTER: count(defaultWebhooks.warnAfter),
  WEBHOOK_DISABLE_AFTER: count(defaultWebhooks.disableAfter),
  WEBHOOK_PREVIOUS_SECRET_HOURS: hours(defaultWebhooks.previousSecretMs / hourMs),
  /** Sources of exchange rates as `kind=address`, separated by commas; see rates/README.md. */
  RATE_SOURCES: z
    .string()
    .default('kraken=https://api.kraken.com,coinbase=https://api.coinbase.com,bitstamp=https://www.bitstamp.net')
    .transform(text => text.split(',').map(part => part.trim().split('=')))
    .pipe(
      z.array(
        z.tuple([z.enum(sourceKinds), z.url({ protocol: /^https?$/ })], {
          error: `must be ${sourceKinds.join(', ')}, each with =https://…, by commas`,
        }),
      ),
    ),
  RATE_TIMEOUT_SECONDS: seconds(3),
  /** How long the rate and amount of a checkout are fixed. */
  CHECKOUT_MINUTES: minutes(defaultCheckouts.lifetimeMs / 60_000),
  /** Confirmations required for an on-chain payment. */
  BITCOIN_CONFIRMATIONS: count(defaultBitcoinInvoices.confirmations),
  /** How often a node is polled for payments, in addition to its notifications. */
  BITCOIN_LIGHTNING_MAX_SATS: count(defaultBitcoinInvoices.maxLightningSats),
  BITCOIN_POLL_SECONDS: seconds(defaultBitcoinInvoices.pollEveryMs / 1_000),
  CHECKOUTS_OPEN_WITHOUT_KEY: count(defaultCheckouts.maxOpenWithoutKey),
  /** The card gateway, parsed in gateway.ts; by default this repository's sandbox on its usual port. */
  GATEWAY_URL: z.string().optional(),
  GATEWAY_MERCHANT_ID: z.string().optional(),
  GATEWAY_SECRET: z.string().optional(),
  GATEWAY_REPORTING_USER: z.string().optional(),
  GATEWAY_REPORTING_PASSWORD: z.string().optional(),
  GATEWAY_CARD_PRESENT_URL: z.string().optional(),
  GATEWAY_CARD_PRESENT_SECRET: z.string().optional(),
  /** The gateway's hosted card fields for payment pages, and the wallets accepted there, separated by commas. */
  GATEWAY_CARD_FIELDS_URL: z.string().optional(),
  GATEWAY_WALLETS: listOfText.pipe(z.array(z.enum(wallets, { error: `must be of ${wallets.join(', ')}` }))),
  GATEWAY_COUNTRY_CODE: z.string().min(2).max(3).default('826'),
  GATEWAY_TIMEOUT_SECONDS: seconds(30),
});
type Environment = z.output<typeof environment>;

export type Settings = ReturnType<typeof settingsOf>;

/** Requests that browsers make when a customer opens a page, leaves it open, or returns from the bank. */
const pageOperations = [
  'getPaymentPage',
  'getPaymentPageState',
  'returnFromBank',
  'skipBankMethod',
  'claimOnPaymentPage',
  'claimOnCheckoutPage',
  'getCheckoutPage',
  'getTipPage',
  'getReceiptPage',
  'getReceiptDocument',
  'getReceiptVerifier',
  'getStyle',
  'getScript',
  'getAccentStyle',
  'getPageFont',
  'getPngLogo',
  'getJpegLogo',
  'getPortal',
  'getPortalPage',
  'getPortalList',
  'getPortalRecord',
  'getPortalDetail',
  'getPortalScript',
  'getPortalStyle',
  'getPortalFont',
  'getPortalPicture',
];

function pageLimits<Limit>(limit: Limit): Readonly<Record<string, Limit>> {
  return Object.fromEntries(pageOperations.map(name => [name, limit]));
}

function settingsOf(from: Environment, account: GatewayAccount) {
  return {
    ...serverSettingsOf(from),
    ...bitcoinSettingsOf(from),
    enrolmentCodeLifetimeMs: from.ENROLMENT_CODE_MINUTES,
    lockout: {
      attemptsPerRound: from.LOCKOUT_ATTEMPTS,
      durationsMs: from.LOCKOUT_MINUTES,
      perTerminal: { count: from.LOCKOUTS_PER_TERMINAL, windowMs: from.LOCKOUTS_PER_TERMINAL_MINUTES },
    } satisfies LockoutSettings,
    offlineEntriesPerDay: from.OFFLINE_ENTRIES_PER_DAY,
    retentionMs: from.RETENTION_DAYS * 86_400_000,
    staff: { nonceMs: from.STAFF_NONCE_SECONDS, clockSkewMs: from.CLOCK_SKEW_SECONDS } satisfies StaffSettings,
    reversal: {
      retriesMs: from.REVERSAL_RETRIES_MS,
      overdueAfterMs: from.REVERSAL_OVERDUE_HOURS,
    } satisfies ReversalSettings,
    completion: { completeWithinMs: from.SALE_COMPLETION_MINUTES } satisfies CompletionSettings,
    settlement: { ...defaultSettlement, pollMs: from.SETTLEMENT_POLL_SECONDS } satisfies SettlementSettings,
    terminalSales: { ...defaultTerminalSales, lifetimeMs: from.TERMINAL_SALE_MINUTES } satisfies TerminalSaleSettings,
    recoveryEveryMs: from.RECOVERY_EVERY_MS,
    smtp: from.SMTP_URL === undefined ? undefined : { url: from.SMTP_URL, from: from.MAIL_FROM },
    outbound: { allowLoopback: from.OUTBOUND_ALLOW_LOOPBACK === 'true' },
    webhooks: {
      ...defaultWebhooks,
      timeoutMs: from.WEBHOOK_TIMEOUT_SECONDS,
      retryDelaysMs: from.WEBHOOK_RETRY_SECONDS,
      warnAfter: from.WEBHOOK_WARN_AFTER,
      disableAfter: from.WEBHOOK_DISABLE_AFTER,
      previousSecretMs: from.WEBHOOK_PREVIOUS_SECRET_HOURS,
    } satisfies WebhookSettings,
    polling: {
      ...defaultPolling,
      intervalsMs: from.POLLING_INTERVALS_MS,
      notFoundIsFinalAfterMs: from.POLLING_NOT_FOUND_IS_FINAL_AFTER_MS,
      evidenceAfterMs: from.POLLING_EVIDENCE_AFTER_MS,
      lateIntervalMs: from.POLLING_LATE_INTERVAL_MS,
      confirmAfterMs: from.POLLING_CONFIRM_AFTER_MS,
      maxConfirmationLookups: from.POLLING_CONFIRMATIONS,
    } satisfies PollingSettings,
    gateway: {
      ...account,
      countryCode: from.GATEWAY_COUNTRY_CODE,
      timeoutMs: from.GATEWAY_TIMEOUT_SECONDS,
    },
  };
}

function serverSettingsOf(from: Environment) {
  const rateLimit = (requests: number) => ({ requests, windowSeconds: from.RATE_LIMIT_WINDOW_SECONDS });
  return {
    brand: from.BRAND,
    role: from.ROLE,
    host: from.HOST,
    port: from.PORT,
    metrics: from.METRICS_PORT === undefined ? undefined : { host: from.METRICS_HOST, port: from.METRICS_PORT },
    publicUrl: from.PUBLIC_URL,
    data: from.DATA,
    databaseUrl: from.DATABASE_URL,
    databaseDirectUrl: from.DATABASE_DIRECT_URL,
    databaseReplicaUrl: from.DATABASE_REPLICA_URL,
    databaseConnections: from.DATABASE_CONNECTIONS,
    secretsKey: from.SECRETS_KEY,
    acceptedSecretsKey: from.SECRETS_KEY_ACCEPTED,
    logLevel: from.LOG_LEVEL,
    maxBodyBytes: from.BODY_LIMIT_BYTES,
    trustedProxies: from.TRUSTED_PROXIES,
    maxConnections: from.MAX_CONNECTIONS,
    streamLimits: {
      perRecord: from.MAX_STREAMS_PER_RECORD,
      perKey: from.MAX_STREAMS_PER_KEY,
      perAddress: from.MAX_STREAMS_PER_ADDRESS,
      withoutKey: from.MAX_STREAMS_WITHOUT_KEY ?? Math.max(1, Math.floor(from.MAX_CONNECTIONS / 2)),
    },
    socketTimeoutMs: from.SOCKET_TIMEOUT_SECONDS,
    shutdownGraceMs: from.SHUTDOWN_GRACE_SECONDS,
    leaseMs: from.LEASE_SECONDS,
    idempotency: {
      retentionMs: from.IDEMPOTENCY_HOURS,
      pollMs: from.IDEMPOTENCY_POLL_MS,
    },
    rateLimits: {
      perKey: rateLimit(from.RATE_LIMIT_PER_KEY),
      perAddress: rateLimit(from.RATE_LIMIT_PER_ADDRESS),
      perOperation: {
        createStaffChallenge: rateLimit(from.RATE_LIMIT_STAFF_CHALLENGES),
        takeGatewayCallback: rateLimit(from.RATE_LIMIT_CALLBACKS),
        ...pageLimits(rateLimit(from.RATE_LIMIT_PAGES)),
      },
      probes: rateLimit(from.RATE_LIMIT_PROBES),
    },
  };
}

function bitcoinSettingsOf(from: Environment) {
  return {
    withdrawalAnswerMs: from.WITHDRAWAL_ANSWER_SECONDS,
    bitcoinNodes: {
      timeoutMs: from.BITCOIN_NODE_TIMEOUT_SECONDS,
      policy: {
        allowLoopback: from.OUTBOUND_ALLOW_LOOPBACK === 'true' || from.BITCOIN_NODE_ALLOW_PRIVATE === 'true',
        allowPrivate: from.BITCOIN_NODE_ALLOW_PRIVATE === 'true',
      },
    },
    bitcoinInvoices: {
      ...defaultBitcoinInvoices,
      confirmations: from.BITCOIN_CONFIRMATIONS,
      maxLightningSats: from.BITCOIN_LIGHTNING_MAX_SATS,
      pollEveryMs: from.BITCOIN_POLL_SECONDS,
    } satisfies BitcoinInvoiceSettings,
    checkouts: {
      lifetimeMs: from.CHECKOUT_MINUTES,
      maxOpenWithoutKey: from.CHECKOUTS_OPEN_WITHOUT_KEY,
    } satisfies HostedCheckoutSettings,
    rates: {
      ...defaultRates,
      sources: from.RATE_SOURCES.map(([kind, url]) => ({ kind, url })),
      timeoutMs: from.RATE_TIMEOUT_SECONDS,
    } satisfies RateSettings & Record<string, unknown>,
  };
}

export type ReadSettings =
  | { readonly ok: true; readonly settings: Settings }
  /** One line per invalid setting. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Settings from the environment; `overrides` from the command line take precedence. */
export function readSettings(
  env: Readonly<Record<string, string | undefined>> = process.env,
  overrides: Readonly<Record<string, string | undefined>> = {},
): ReadSettings {
  const given = Object.fromEntries(
    Object.entries({ ...env, ...defined(overrides) }).filter(([, value]) => value !== undefined && value !== ''),
  );
  const unreadable = Object.keys(environment.shape).filter(name => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(given[name] ?? ''));
  if (unreadable.length > 0)
    return { ok: false, problems: unreadable.map(name => `${name}: must be one line without control characters`) };
  // Used once: zod's code generation takes longer than the parsing it speeds up.
  const parsed = environment.safeParse(given, { jitless: true });
  if (!parsed.success)
    return { ok: false, problems: parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`) };
  const gateway = gatewayAccount(parsed.data);
  if ('problems' in gateway) return { ok: false, problems: gateway.problems };
  const settings = settingsOf(parsed.data, gateway.account);
  const problems = whatDoesNotFit(settings);
  return problems.length === 0 ? { ok: true, settings } : { ok: false, problems };
}

/** Settings that must be consistent, so that no operation is failed while it may still arrive, or processed twice. */
function whatDoesNotFit({ polling, gateway, leaseMs, ...settings }: Settings): string[] {
  const problems: string[] = [];
  if (settings.databaseUrl === undefined) {
    if (settings.databaseDirectUrl !== undefined) problems.push('DATABASE_DIRECT_URL: needs DATABASE_URL, the pooler');
    if (settings.databaseReplicaUrl !== undefined)
      problems.push('DATABASE_REPLICA_URL: needs DATABASE_URL, the primary');
  }
  const maxMs = leaseMs + gateway.timeoutMs;
  const tooShort = 'must be longer than LEASE_SECONDS and GATEWAY_TIMEOUT_SECONDS together';
  if (polling.notFoundIsFinalAfterMs <= maxMs) problems.push(`POLLING_NOT_FOUND_IS_FINAL_AFTER_MS: ${tooShort}`);
  if (polling.evidenceAfterMs <= maxMs) problems.push(`POLLING_EVIDENCE_AFTER_MS: ${tooShort}`);
  return problems;
}

function defined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
