import { systemPlatform } from '@florin/backend/backend.ts';
import type { PaymentLinkRow } from '@florin/backend/channels/payment-links/rows.ts';
import { insertLink } from '@florin/backend/channels/payment-links/store.ts';
import { compose } from '@florin/backend/compose.ts';
import type { Database } from '@florin/backend/foundation/database/database.ts';
import { readsPrimary } from '@florin/backend/foundation/database/replica.ts';
import { noNotifications } from '@florin/backend/foundation/events/notifications.ts';
import { noOutbound } from '@florin/backend/foundation/outbound/outbound.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { insertAccount } from '@florin/backend/gateways/accounts/store.ts';
import { untouchedPayment } from '@florin/backend/money/payments/authorisation.ts';
import type { PaymentRow } from '@florin/backend/money/payments/rows.ts';
import { insertPayment } from '@florin/backend/money/payments/store.ts';
import { auditLog } from '@florin/backend/people/audit/log.ts';
import { headSeal } from '@florin/backend/people/audit/seal.ts';
import { insertBusiness } from '@florin/backend/people/businesses/store.ts';
import { businessRow } from '../simulation/rows.ts';
import { aGatewayAccount, testSecretsKey } from '../support/gateway-account.ts';
import { instantRegistry } from './instant-gateway.ts';
import { settingsFor } from './place.ts';

export const benchBusinessId = 'biz_bench000';
export const paymentIdOf = (index: number) => `pay_bench${String(index).padStart(8, '0')}`;
export const saleIdOf = (index: number) => `pay_benchtill${String(index).padStart(8, '0')}`;
export const linkIdOf = (index: number) => `pl_bench${String(index).padStart(8, '0')}`;

const createdAt = 1_760_000_000_000;

/** The gateway account of all payments in the bench. */
export const benchAccount = aGatewayAccount({
  id: 'gwa_bench000',
  businessId: benchBusinessId,
  adapter: 'cardstream',
  createdAt,
});

/** A business with a gateway account and an audit log that begins as in production. */
export async function createShop(database: Database): Promise<void> {
  const { clock, ids } = systemPlatform;
  const seal = headSeal(() => ({ current: testSecretsKey }));
  const audit = auditLog({ clock, ids, log: createLog({ level: 'warn' }), seal });
  await database.write(async tx => {
    await tx.run(insertBusiness, { ...businessRow({ id: benchBusinessId, now: createdAt }), name: 'Bench' });
    await tx.run(insertAccount, benchAccount);
    await audit.begin(tx, benchBusinessId);
  });
}

/**
 * Settled card payments for the shop, each on its own link, too large to be used up. With a terminal, as many
 * again that were taken on it.
 */
export async function fillShop(
  database: Database,
  { payments, terminalId }: { payments: number; terminalId?: string },
): Promise<void> {
  const rowsPerTransaction = 10_000;
  for (let from = 0; from < payments; from += rowsPerTransaction) {
    await database.write(async tx => {
      for (let index = from; index < Math.min(payments, from + rowsPerTransaction); index += 1) {
        await tx.run(insertLink, aLink(index));
        await tx.run(insertPayment, aPayment(index));
        if (terminalId !== undefined) await tx.run(insertPayment, aSale(index, terminalId));
      }
    });
  }
}

/** The backend without HTTP, its gateway answering at once. */
export function composeForBench(database: Database): Pick<ReturnType<typeof compose>, 'services' | 'stop'> {
  const ports = {
    ...systemPlatform,
    steadyClock: { ...systemPlatform.clock, lagMs: () => 0 },
    database,
    replicaReads: readsPrimary,
    notifications: noNotifications,
    outbound: noOutbound,
    gatewayRegistry: instantRegistry(),
    nodeRegistry: new Map(),
    log: createLog({ level: 'warn' }),
    secretsKeys: () => ({ current: testSecretsKey }),
    permanentKey: () => testSecretsKey,
    derivePassword: () => Promise.reject(new Error('the bench needs no password')),
  };
  const gatewayAccount = { adapter: 'cardstream', name: 'Bench', merchantId: '100001', config: {}, secrets: {} };
  return compose(ports, { ...settingsFor({}), gatewayAccount, publicUrl: 'http://127.0.0.1' });
}

function aLink(index: number): PaymentLinkRow {
  return {
    id: linkIdOf(index),
    businessId: benchBusinessId,
    description: 'Bench',
    amountMinor: 1_000_000,
    currency: 'GBP',
    allowPartPayment: 0,
    minimumAmountMinor: null,
    amountPaidMinor: 1_000_000,
    paidAt: createdAt,
    externalReference: null,
    successUrl: null,
    expiresAt: createdAt + 7 * 86_400_000,
    createdAt,
    deletedAt: null,
  };
}

function aPayment(index: number): PaymentRow {
  return {
    ...untouchedPayment,
    id: paymentIdOf(index),
    businessId: benchBusinessId,
    paymentLinkId: linkIdOf(index),
    terminalId: null,
    saleId: null,
    clientRequestId: null,
    gatewayAccountId: benchAccount.id,
    invoiceNumber: String(index),
    method: 'card',
    amountMinor: 1_000_000,
    currency: 'GBP',
    status: 'settled',
    uniqueReference: `u${index}`,
    gatewayReference: `xref${index}`,
    authorisationCode: '123456',
    cardScheme: 'Visa',
    cardLastFour: '0821',
    entryMode: null,
    applicationId: null,
    reference: null,
    completedAt: createdAt,
    nextPollAt: null,
    sentAt: createdAt,
    takenAt: createdAt,
    settledAt: createdAt,
    createdAt,
  };
}

function aSale(index: number, terminalId: string): PaymentRow {
  return {
    ...aPayment(index),
    id: saleIdOf(index),
    paymentLinkId: null,
    terminalId,
    saleId: `sale${index}`,
    uniqueReference: `t${index}`,
    gatewayReference: `xreft${index}`,
    entryMode: 'chip',
    applicationId: 'A0000000031010',
    reference: null,
  };
}
