import { type Actor, actorOfColumns } from '@florin/shared/actor.ts';
import { bitcoinBackendsModule } from './bitcoin/backends/module.ts';
import { bitcoinClaimsModule } from './bitcoin/claims/module.ts';
import { bitcoinInvoicesModule } from './bitcoin/invoices/module.ts';
import { ratesModule } from './bitcoin/rates/module.ts';
import { withdrawalsModule } from './bitcoin/withdrawals/module.ts';
import { checkoutsModule } from './channels/checkouts/module.ts';
import { exportsModule } from './channels/exports/module.ts';
import { kioskKeysModule } from './channels/kiosk-keys/module.ts';
import { paymentLinksModule } from './channels/payment-links/module.ts';
import { terminalSalesModule } from './channels/terminal-sales/module.ts';
import { terminalsModule } from './channels/terminals/module.ts';
import { tipLinksModule } from './channels/tip-links/module.ts';
import { ucpModule } from './channels/ucp/module.ts';
import { withAfterCommit } from './foundation/database/after-commit.ts';
import { eventsModule } from './foundation/events/module.ts';
import { idempotencyModule } from './foundation/idempotency/module.ts';
import { leasesOf } from './foundation/jobs/leases.ts';
import { type JobRunner, jobRunner } from './foundation/jobs/runner.ts';
import type { SendLetter } from './foundation/mail.ts';
import { authenticatorsOf, type Module } from './foundation/module.ts';
import { secretsModule } from './foundation/secrets/module.ts';
import { gatewayAccountsModule } from './gateways/accounts/module.ts';
import { gatewaysModule } from './gateways/module.ts';
import { notificationsModule } from './messaging/notifications/module.ts';
import { problemsModule } from './messaging/problems/module.ts';
import { webhooksModule } from './messaging/webhooks/module.ts';
import { discrepanciesModule } from './money/discrepancies/module.ts';
import { overviewModule } from './money/overview/module.ts';
import { paymentsModule } from './money/payments/module.ts';
import { readerClosingsModule } from './money/reader-closings/module.ts';
import { receiptsModule } from './money/receipts/module.ts';
import { refundsModule } from './money/refunds/module.ts';
import { settlementsModule } from './money/settlements/module.ts';
import { transactionsModule } from './money/transactions/module.ts';
import manifest from './package.json' with { type: 'json' };
import { apiKeysModule } from './people/api-keys/module.ts';
import { apiRequestsModule } from './people/api-requests/module.ts';
import { auditModule } from './people/audit/module.ts';
import { businessesModule } from './people/businesses/module.ts';
import { dashboardsModule } from './people/dashboards/module.ts';
import { portalUsersModule } from './people/portal-users/module.ts';
import { savedViewsModule } from './people/saved-views/module.ts';
import { staffModule } from './people/staff/module.ts';
import { teamModule } from './people/team/module.ts';
import type { ModuleSettings, Ports } from './ports.ts';
import { checkoutPageModule } from './web/checkout/module.ts';
import { webModule } from './web/module.ts';
import { paymentPageModule } from './web/pay/module.ts';
import { portalPagesModule } from './web/portal/module.ts';
import { receiptPageModule } from './web/receipt/module.ts';
import { tipPageModule } from './web/tip/module.ts';

export type Services = ReturnType<typeof compose>['services'];

/** The list of modules, and the only place that connects them: a module receives the services it needs. */
export function compose(given: Ports, settings: ModuleSettings) {
  const { polling, brand, lockout, publicUrl, recoveryEveryMs } = settings;
  const database = withAfterCommit(given.database);
  const secrets = secretsModule({ ...given, database });
  const ports = {
    ...given,
    database,
    secrets: secrets.service,
    leases: leasesOf({ ...given, leaseMs: settings.leaseMs }),
  };
  const { retentionMs } = settings;
  const events = eventsModule({
    ...ports,
    retentionMs,
    pollMs: recoveryEveryMs,
    runsConsumers: settings.role !== 'api',
    consumers: () => [...all.flatMap(module => module.consumers ?? []), ...(given.consumers ?? [])],
  });
  const audit = auditModule(ports);
  const discrepancies = discrepanciesModule({
    ...ports,
    events: events.service,
    audit: audit.service,
    endings: () => payments.service.endings,
  });
  const businesses = businessesModule({ ...ports, changes: audit.service, events: events.service });
  const dashboards = dashboardsModule(ports);
  const savedViews = savedViewsModule(ports);
  const apiKeys = apiKeysModule({ ...ports, changes: audit.service, brand });
  const apiRequests = apiRequestsModule(ports);
  const idempotency = idempotencyModule({ ...ports, settings: settings.idempotency });
  const staff = staffModule({
    ...ports,
    events: events.service,
    audit: audit.service,
    lockout,
    settings: settings.staff,
  });
  /** The name of a business's own software or people. */
  const nameOf = async (businessId: string, actor: Actor): Promise<string> => {
    if (actor.kind === 'api_key') return apiKeys.service.nameOf(businessId, actor.apiKeyId);
    return actor.kind === 'portal_user' ? portalUsers.service.nameOf(actor.portalUserId) : '';
  };
  const people = {
    ...ports,
    changes: audit.service,
    sendLetter: (...letter: Parameters<SendLetter>) => notifications.service.sendLetter(...letter),
    publicUrl,
    brand,
  };
  const team = teamModule({
    ...people,
    retentionMs,
    users: () => portalUsers.service,
    businesses: businesses.service,
    nameOf: async row => (await nameOf(row.businessId, actorOfColumns({ ...row, terminalId: null }))) || null,
  });
  const portalUsers = portalUsersModule({
    ...people,
    businessesOf: team.service.businessesOf,
    placesOf: team.service.placesOf,
  });
  const gatewayAccounts = gatewayAccountsModule({
    ...ports,
    registry: ports.gatewayRegistry,
    changes: audit.service,
    fallback: settings.gatewayAccount,
    publicUrl,
    businesses: businesses.service,
  });
  const bitcoinBackends = bitcoinBackendsModule({ ...ports, registry: ports.nodeRegistry, changes: audit.service });
  const takesBitcoin = async (businessId: string) =>
    (await businesses.service.networksOffered(businessId)).length > 0 &&
    (await bitcoinBackends.service.nodeOf(businessId)) !== undefined;
  const withdrawals = withdrawalsModule({
    ...ports,
    backends: bitcoinBackends.service,
    changes: audit.service,
    polling,
    answerWithinMs: settings.withdrawalAnswerMs,
    recoveryEveryMs,
    dueSats: (tx, businessId) => bitcoinInvoices.service.claims.dueSats(tx, businessId),
  });
  const sendsEmails = ports.mailer !== undefined;
  const receipts = receiptsModule({ ...people, businesses: businesses.service, sendsEmails, retentionMs });
  const receiptAddresses = receipts.service.addresses;
  const receiptOf = (paymentId: string) => receiptAddresses.of(paymentId).url;
  const payments = paymentsModule({
    ...ports,
    receipts: receiptAddresses,
    events: events.service,
    discrepancies: discrepancies.service,
    gateways: gatewayAccounts.service,
    polling,
    settlement: settings.settlement,
    recoveryEveryMs,
    reversal: settings.reversal,
    completion: settings.completion,
    audit: audit.service,
    returnPayment: request => refunds.service.returnPayment(request),
    onTaken: (tx, payment) => paymentLinks.service.addPayment(tx, payment),
    onReaderSale: (tx, sale) => readerClosings.service.took(tx, sale),
    onPaymentLost: (tx, payment) => paymentLinks.service.subtractPayment(tx, payment),
    mayAuthorise: (tx, sale) => terminalSales.service.openAuthorisation(tx, sale),
  });
  const refunds = refundsModule({
    ...ports,
    receipts: receiptAddresses,
    events: events.service,
    discrepancies: discrepancies.service,
    gateways: gatewayAccounts.service,
    polling,
    recoveryEveryMs,
    audit: audit.service,
    staffChecks: staff.service.checks,
    payments: payments.service,
    hasLink: async (businessId, id) => (await paymentLinks.service.byId(businessId, id)) !== undefined,
    onPaymentLost: (tx, payment) => paymentLinks.service.subtractPayment(tx, payment),
    closingClaims: (tx, refund, record) => bitcoinClaims.service.closingClaims(tx, refund, record),
  });
  const terminals = terminalsModule({
    ...ports,
    events: events.service,
    brand,
    lockout,
    enrolmentCodeLifetimeMs: settings.enrolmentCodeLifetimeMs,
    changes: audit.service,
    businesses: businesses.service,
    staffOf: staff.service.all,
    takesBitcoin,
    sendsEmails,
    recordOfflineCheck: staff.service.checks.recordOfflineCheck,
    checkModeChange: staff.service.checks.checkModeChange,
    commandsFor: terminalId => terminalSales.service.commands.open(terminalId),
    clockSkewMs: settings.staff.clockSkewMs,
    entriesPerDay: settings.offlineEntriesPerDay,
  });
  const background = { isWorker: settings.role !== 'api', pollMs: recoveryEveryMs };
  const webhooks = webhooksModule({
    ...ports,
    retentionMs,
    ...background,
    events: events.service,
    changes: audit.service,
    settings: settings.webhooks,
    checkoutSigningKey: async (tx, businessId) => (await checkouts.service.settings.in(tx, businessId)).signingKey,
  });
  const kioskKeys = kioskKeysModule({
    ...ports,
    changes: audit.service,
    brand,
    hasTerminal: async (businessId, id) => (await terminals.service.find(businessId, id))?.removedAt === null,
  });
  const gateways = gatewaysModule({
    ...ports,
    accounts: gatewayAccounts.service,
    owners: [refunds.service.callbacks, payments.service.callbacks],
  });

  const transactions = transactionsModule(ports);
  const overview = overviewModule({ ...ports, businesses: businesses.service });
  const readerClosings = readerClosingsModule({ ...ports, discrepancies: discrepancies.service });
  const settlements = settlementsModule({ ...ports, businesses: businesses.service });

  const rates = ratesModule({ ...ports, sources: ports.rateSources ?? [], settings: settings.rates });

  const bitcoinInvoices = bitcoinInvoicesModule({
    ...ports,
    events: events.service,
    discrepancies: discrepancies.service,
    nodes: {
      ...bitcoinBackends.service,
      networkOf: async backendId => (await bitcoinBackends.service.find(backendId))?.network,
    },
    purposes: {
      checkout: (tx, change) => checkouts.service.onInvoiceChanged(tx, change),
      paymentLink: (tx, change) => paymentLinks.service.onInvoiceChanged(tx, change),
      terminalSale: (tx, change) => terminalSales.service.onInvoiceChanged(tx, change),
      tip: (tx, change) => tipLinks.service.onInvoiceChanged(tx, change),
      ucp: (tx, change) => ucp.service.onInvoiceChanged(tx, change),
    },
    offered: businesses.service.networksOffered,
    settings: settings.bitcoinInvoices,
    everyMs: recoveryEveryMs,
  });
  const terminalSales = terminalSalesModule({
    ...ports,
    serviceVersion: manifest.version,
    receipts: receiptAddresses,
    events: events.service,
    discrepancies: discrepancies.service,
    audit: audit.service,
    businesses: businesses.service,
    nameOf,
    terminals: terminals.service,
    payments: payments.service,
    refreshed: async payment => (await payments.service.settlement.refresh(payment)).payment,
    rates: rates.service,
    invoices: bitcoinInvoices.service,
    settings: settings.terminalSales,
    everyMs: recoveryEveryMs,
    retentionMs,
  });
  const paymentLinks = paymentLinksModule({
    ...ports,
    payments: payments.service,
    businesses: businesses.service,
    gateways: gatewayAccounts.service,
    events: events.service,
    discrepancies: discrepancies.service,
    rates: rates.service,
    invoices: bitcoinInvoices.service,
    bitcoinLifetimeMs: settings.checkouts.lifetimeMs,
    takesBitcoin,
    publicUrl,
  });
  const web = webModule({ logos: businesses.service.logos });
  const pageReceipts = { urlOf: receiptOf, sendsEmails };
  const paymentPage = paymentPageModule({
    paymentLinks: paymentLinks.service,
    present: web.service.present,
    publicUrl,
    receipts: pageReceipts,
  });
  const checkouts = checkoutsModule({
    ...ports,
    events: events.service,
    discrepancies: discrepancies.service,
    rates: rates.service,
    businesses: businesses.service,
    invoices: bitcoinInvoices.service,
    changes: audit.service,
    publicUrl,
    allowLoopback: settings.outbound.allowLoopback,
    settings: settings.checkouts,
  });

  const problems = problemsModule({
    ...ports,
    businesses: businesses.service,
    polling,
    withReadiness: terminals => terminalSales.service.channels.withReadiness(terminals),
    webhooks: settings.webhooks,
  });
  const notifications = notificationsModule({
    ...ports,
    retentionMs,
    ...background,
    mailer: ports.mailer,
    changes: audit.service,
    publicUrl,
    problems: problems.service,
    overview: overview.service,
  });
  const tipLinks = tipLinksModule({
    ...ports,
    changes: audit.service,
    businesses: businesses.service,
    invoices: bitcoinInvoices.service,
    publicUrl,
  });
  const bitcoinClaims = bitcoinClaimsModule({
    ...ports,
    discrepancies: discrepancies.service,
    audit: audit.service,
    businesses: businesses.service,
    claims: bitcoinInvoices.service.claims,
    recordRefund: (tx, refund) => refunds.service.recordBitcoinIn(tx, { ...refund, clientRequestId: null }),
    onClaimChanged: (tx, claim) => checkouts.service.onClaimChanged(tx, claim),
  });
  const ucp = ucpModule({
    ...ports,
    discrepancies: discrepancies.service,
    rates: rates.service,
    businesses: businesses.service,
    invoices: bitcoinInvoices.service,
    publicUrl,
    lifetimeMs: settings.checkouts.lifetimeMs,
  });
  const tipPage = tipPageModule({ tipLinks: tipLinks.service, present: web.service.present });
  const receiptPage = receiptPageModule({
    receipts: receipts.service,
    present: web.service.present,
    assets: web.service.assets,
    sendsEmails,
    publicUrl,
  });
  const checkoutPage = checkoutPageModule({
    ...ports,
    checkouts: checkouts.service,
    present: web.service.present,
    receipts: pageReceipts,
  });

  const exports = exportsModule({
    ...ports,
    changes: audit.service,
    routes: () => all.flatMap(module => module.routes),
    everyMs: recoveryEveryMs,
  });
  const modules = {
    secrets,
    events,
    audit,
    businesses,
    dashboards,
    savedViews,
    apiKeys,
    apiRequests,
    idempotency,
    staff,
    team,
    portalUsers,
    gatewayAccounts,
    bitcoinBackends,
    withdrawals,
    tipLinks,
    tipPage,
    bitcoinClaims,
    ucp,
    payments,
    refunds,
    discrepancies,
    readerClosings,
    receipts,
    paymentLinks,
    terminals,
    notifications,
    webhooks,
    kioskKeys,
    terminalSales,
    gateways,
    transactions,
    settlements,
    overview,
    rates,
    bitcoinInvoices,
    checkouts,
    web,
    paymentPage,
    checkoutPage,
    receiptPage,
    problems,
    exports,
    portalPages: portalPagesModule(),
  };
  const all: readonly Module<unknown>[] = Object.values(modules);
  const jobs: JobRunner = jobRunner({ jobs: all.flatMap(module => module.jobs), timers: ports.timers, log: ports.log });
  return {
    database: ports.database,
    services: servicesOf(modules),
    routes: all.flatMap(module => module.routes),
    authenticators: authenticatorsOf(all),
    credentialPrefixes: all.flatMap(({ credentialPrefix }) => credentialPrefix ?? []),
    startJobs: jobs.start,
    /** Resolves once all background work has ended. */
    async stop() {
      await Promise.all([jobs.stop(), ...all.map(module => module.stop?.())]);
    },
  };
}

type ServicesOf<Modules> = {
  readonly [Name in keyof Modules]: Modules[Name] extends Module<infer Service> ? Service : never;
};

function servicesOf<Modules extends Readonly<Record<string, Module<unknown>>>>(modules: Modules): ServicesOf<Modules> {
  const services = Object.entries(modules).map(([name, { service }]) => [name, service]);
  return Object.fromEntries(services) as ServicesOf<Modules>;
}
