import { insertClaim, insertInvoice } from '@florin/backend/bitcoin/invoices/store.ts';
import { insertWithdrawal } from '@florin/backend/bitcoin/withdrawals/store.ts';
import { nothingPaid } from '@florin/backend/channels/checkouts/checkout.ts';
import { insertCheckout } from '@florin/backend/channels/checkouts/store.ts';
import { insertCommand, insertSale } from '@florin/backend/channels/terminal-sales/store.ts';
import { insertTipLink } from '@florin/backend/channels/tip-links/store.ts';
import { rowsJsonOf } from '@florin/backend/foundation/database/statements.ts';
import { secretHash } from '@florin/backend/foundation/secret.ts';
import { insertDiscrepancy } from '@florin/backend/money/discrepancies/store.ts';
import { insertPayment, paymentById } from '@florin/backend/money/payments/store.ts';
import { insertReceipts } from '@florin/backend/money/receipts/store.ts';
import { awaitingDay, settlementId } from '@florin/backend/money/settlements/settlement.ts';
import { insertApiRequests } from '@florin/backend/people/api-requests/store.ts';
import { insertPasskey } from '@florin/backend/people/portal-users/store.ts';
import { operator } from '@florin/shared/actor.ts';
import { createApiKey } from '@florin/shared/contracts/api-v1/api-keys.ts';
import { createDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { createExport } from '@florin/shared/contracts/api-v1/exports.ts';
import { createKioskKey } from '@florin/shared/contracts/api-v1/kiosk-keys.ts';
import { createNotificationRecipient } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { createSavedView } from '@florin/shared/contracts/api-v1/saved-views.ts';
import { createStaff } from '@florin/shared/contracts/api-v1/staff.ts';
import { createRole, inviteTeamMember } from '@florin/shared/contracts/api-v1/team.ts';
import { createWebhook, testWebhook } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { recordReaderClosing } from '@florin/shared/contracts/device-v1/reader-closings.ts';
import { createTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import { recordSale } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Me } from '@florin/shared/contracts/portal/people.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { saveDiagnostics } from '../../backend/channels/terminals/diagnostics-store.ts';
import type { BackendWorld, TestBusiness } from '../support/backend.ts';
import { aPortalUser } from '../support/portal.ts';
import { aTill } from '../support/till.ts';

/** A business with a record of every kind, and its credentials. */
export type Side = {
  readonly business: TestBusiness;
  readonly key: string;
  readonly token: string;
  readonly kioskKey: string;
  /** Of an owner of the business who is signed in to the portal. */
  readonly cookie: string;
  /** A kiosk key of the same business for a terminal without records. */
  readonly otherKioskKey: string;
  /** Records of this business by the prefix of their ids. */
  readonly ids: Readonly<Record<string, string>>;
  /** Names of records that callers choose themselves, by the name of the parameter. */
  readonly naturalKeys: Readonly<Record<string, string>>;
};

export async function recordsOf(world: BackendWorld, name: string): Promise<Side> {
  const { client } = world;
  const business = await world.aBusiness({ name });
  const key = await business.key(...permissionCodes);
  const number = name === 'Tested' ? 900 : 901;
  const serial = `SN-${number}`;
  const till = await aTill(world, key, { serial });
  await world.backend.services.businesses.switchSetting(business.id, 'passwordProtectRefundsAndVoids', false, operator);
  const saleId = `sale_0000000${number}`;
  const requestId = `request-${number}`;
  const { receiptToken, ...returned } = await aReturnedSale(world, till.token, { saleId, requestId });
  const link = { description: 'Invoice', amountInCents: 500, currency: 'GBP' } as const;
  const spareKey = await client.call(createApiKey, { body: { name: 'Spare', permissions: ['sales:read'] } }, { key });
  const device = await client.call(createDevice, { body: { name: 'Spare' } }, { key });
  const paymentLink = await client.call(createPaymentLink, { body: link }, { key });
  const created = await client.call(createStaff, { body: { staffNumber: String(number), name: 'Ada' } }, { key });
  const endpoint = { url: 'https://shop.example/hooks', eventType: 'payment.completed' } as const;
  const webhook = await client.call(createWebhook, { body: endpoint }, { key });
  if (webhook.status !== 201) throw new Error(JSON.stringify(webhook.body));
  const delivery = await client.call(testWebhook, { params: { id: webhook.body.id } }, { key });
  if (delivery.status !== 201) throw new Error(JSON.stringify(delivery.body));
  const kioskKey = await client.call(
    createKioskKey,
    { body: { name: 'Kiosk', deviceIds: [till.terminalId] } },
    { key },
  );
  const spareKioskKey = await client.call(
    createKioskKey,
    { body: { name: 'Spare', deviceIds: [device.status === 201 ? device.body.id : ''] } },
    { key },
  );
  if (kioskKey.status !== 201 || spareKioskKey.status !== 201) throw new Error('the kiosk keys could not be made');
  const recipient = await client.call(createNotificationRecipient, { body: { email: 'ada@shop.example' } }, { key });
  const exported = await client.call(createExport, { body: { list: 'payments', format: 'csv' } }, { key });
  if (exported.status !== 202) throw new Error(JSON.stringify(exported.body));
  // The derived tests download its file.
  await world.backend.services.exports.run();
  if (recipient.status !== 201) throw new Error(JSON.stringify(recipient.body));
  if (spareKey.status !== 201 || device.status !== 201 || paymentLink.status !== 201 || created.status !== 201)
    throw new Error('the records of a business could not be made');
  await world.backend.database.write(tx =>
    tx.run(saveDiagnostics, {
      terminalId: device.body.id,
      launchCode: 'K7MTQX',
      appVersion: '1.0.0',
      platform: 'Test',
      logJson: '[]',
      receivedAt: world.clock.now(),
    }),
  );
  const view = { list: 'payments', name: 'Declined', filters: { status: 'declined' } } as const;
  const saved = await client.call(createSavedView, { body: view }, { key });
  if (saved.status !== 201) throw new Error(JSON.stringify(saved.body));
  const { id: businessId } = business;
  const others = await otherRecords(world, {
    businessId,
    terminalId: till.terminalId,
    serial,
    paymentId: returned.pay,
    receiptToken,
    number,
  });
  const portal = await portalRecords(world, businessId, key, number);
  return {
    business,
    key,
    token: till.token,
    cookie: portal.cookie,
    kioskKey: kioskKey.body.key ?? '',
    otherKioskKey: spareKioskKey.body.key ?? '',
    ids: {
      key: spareKey.body.id,
      kkey: spareKioskKey.body.id,
      dev: device.body.id,
      pl: paymentLink.body.id,
      staff: created.body.staff.id,
      ntf: recipient.body.id,
      exp: exported.body.id,
      view: saved.body.id,
      wh: webhook.body.id,
      del: delivery.body.id,
      ...portal.ids,
      ...returned,
      ...others,
    },
    naturalKeys: {
      serial,
      saleId,
      closingId: await aReaderDay(world, till.token, `rcl_0000000${number}`),
      requestId,
      staffNumber: String(number),
      passkeyId: portal.passkeyId,
      token: receiptToken,
    },
  };
}

/** An owner with two sessions and a passkey, an invitation, and a role that nobody has. */
async function portalRecords(world: BackendWorld, businessId: string, key: string, number: number) {
  const { client, backend, clock } = world;
  const owner = await aPortalUser(world, businessId, 'owner');
  const [browser, other] = [await owner.signIn(), await owner.signIn()];
  const { session } = (await other.get('/portal/api/me')).json as Me;
  const passkeyId = `passkey-${number}`;
  const passkey = { id: passkeyId, portalUserId: owner.id, name: 'Phone', publicKey: '', counter: 0 };
  await backend.database.write(tx =>
    tx.run(insertPasskey, { ...passkey, transportsJson: '[]', createdAt: clock.now(), lastUsedAt: null }),
  );
  const body = { email: `invited-${number}@shop.example`, roleId: 'cashier' };
  const invited = await client.call(inviteTeamMember, { body }, { key });
  const role = await client.call(createRole, { body: { name: 'Spare', permissions: ['sales:read'] } }, { key });
  if (invited.status !== 201 || role.status !== 201) throw new Error('the team could not be made');
  const ids = { usr: owner.id, ses: session.id, inv: invited.body.id, role: role.body.id };
  return { cookie: browser.cookie(), passkeyId, ids };
}

/** Records a sale by a reader that authorises by itself, and a void of it, neither of which needs a gateway. */
async function aReturnedSale({ client }: BackendWorld, token: string, given: { saleId: string; requestId: string }) {
  const { saleId, requestId } = given;
  const body = {
    amountInCents: 500,
    currency: 'GBP',
    takenAt: new Date(0).toISOString(),
    processorReference: 'R1',
    authorisationCode: '1',
    card: { scheme: 'visa', lastFour: '0821', entryMode: 'chip' as const },
  };
  const sold = await client.call(recordSale, { params: { saleId }, body }, { key: token });
  if (sold.status !== 200) throw new Error(JSON.stringify(sold.body));
  const wanted = { requestId, paymentId: sold.body.paymentId ?? '', kind: 'CANCEL' as const };
  const returned = await client.call(createTerminalRefund, { body: wanted }, { key: token });
  if (returned.status !== 202) throw new Error(JSON.stringify(returned.body));
  const receiptToken = sold.body.receipt?.url.split('/r/')[1] ?? '';
  return { pay: returned.body.refund.paymentId, ref: returned.body.refund.id, receiptToken };
}

/** The end of the day of that reader. */
async function aReaderDay({ client }: BackendWorld, token: string, closingId: string): Promise<string> {
  const facts = { readerSerial: 'R-1', closedAt: new Date(0).toISOString(), currency: 'GBP', isConfirmed: true };
  const body = { ...facts, totals: { totalInCents: 500, receipts: null, cardTypes: [] } };
  const made = await client.call(recordReaderClosing, { params: { closingId }, body }, { key: token });
  if (made.status !== 200) throw new Error(JSON.stringify(made.body));
  return made.body.closingId;
}

type Owner = {
  readonly businessId: string;
  readonly terminalId: string;
  readonly serial: string;
  readonly paymentId: string;
  readonly receiptToken: string;
  /** Unique among the businesses. */
  readonly number: number;
};

/** One record of each kind that only customers, gateways or nodes bring about, written as the service would write it. */
async function otherRecords({ backend, clock }: BackendWorld, owner: Owner): Promise<Record<string, string>> {
  const { businessId, terminalId, serial, paymentId, number } = owner;
  const { database, services } = backend;
  const payment = await database.first(paymentById, { businessId, id: paymentId });
  const accountId = await services.gatewayAccounts.accountForNewPayments(businessId);
  if (!payment || accountId === undefined) throw new Error('a payment and a gateway account are needed');
  const idOf = (prefix: string) => `${prefix}_derived${number}`;
  const now = clock.now();
  const later = now + 3_600_000;
  const by = { actorKind: 'operator', actorId: null } as const;
  await database.write(async tx => {
    const receipt = { id: idOf('rcp'), businessId, subjectId: paymentId, createdAt: now };
    await tx.run(insertReceipts, rowsJsonOf('receipts', [{ ...receipt, tokenHash: secretHash(owner.receiptToken) }]));
    await tx.run(insertPayment, {
      ...payment,
      id: idOf('pay'),
      saleId: null,
      clientRequestId: null,
      gatewayAccountId: accountId,
      authorisedBy: 'host',
      invoiceNumber: 'INV-999999',
      status: 'unsettled',
      uniqueReference: idOf('reference'),
      reservedMinor: 0,
      nextPollAt: null,
    });
    await tx.run(insertDiscrepancy, {
      id: idOf('dis'),
      businessId,
      paymentId,
      refundId: null,
      kind: 'reversal_declined',
      evidenceKey: idOf('evidence'),
      recordedJson: '{}',
      gatewayJson: '{}',
      contestedMinor: 0,
      returnedMinor: 0,
      createdAt: now,
      resolvedAt: null,
      resolutionJson: null,
    });
    await tx.run(
      insertApiRequests,
      rowsJsonOf('apiRequests', [
        {
          id: idOf('req'),
          businessId,
          apiKeyId: idOf('key'),
          method: 'GET',
          route: '/api/v1/payments',
          path: '/api/v1/payments',
          status: 200,
          outcome: 'ok',
          reason: null,
          message: null,
          issuesJson: null,
          durationMs: 5,
          idempotencyKey: null,
          isReplay: 0,
          createdAt: now,
        },
      ]),
    );
    await tx.run(insertTipLink, {
      id: idOf('tip'),
      businessId,
      name: 'Tips',
      lightningName: null,
      minimumSats: 1,
      maximumSats: 1_000,
      receivedSats: 0,
      tipCount: 0,
      createdAt: now,
      deletedAt: null,
    });
    await tx.run(insertInvoice, {
      id: idOf('binv'),
      businessId,
      purpose: 'checkout',
      purposeId: idOf('chk'),
      memo: 'Order',
      amountSats: 1_000,
      amountMinor: 500,
      currency: 'GBP',
      rate: '50000',
      backendId: null,
      bolt11: null,
      paymentHash: null,
      lightning: 'none',
      address: null,
      addressFromHeight: null,
      status: 'ended',
      expiresAt: now,
      nextPollAt: null,
      unansweredPolls: 0,
      answeredAt: null,
      endedAt: now,
      createdAt: now,
      trace: null,
    });
    await tx.run(insertCheckout, {
      id: idOf('chk'),
      businessId,
      invoiceId: idOf('binv'),
      status: 'EXPIRED',
      sequence: 2,
      amountMinor: 500,
      currency: 'GBP',
      amountSats: 1_000,
      rate: '50000',
      orderId: idOf('order'),
      externalReference: null,
      successUrl: null,
      webhookUrl: null,
      cancelTokenHash: idOf('hash'),
      paidJson: JSON.stringify(nothingPaid),
      network: null,
      ...by,
      expiresAt: now,
      createdAt: now,
      endedAt: now,
    });
    await tx.run(insertClaim, {
      id: idOf('clm'),
      invoiceId: idOf('binv'),
      businessId,
      purpose: 'checkout',
      purposeId: idOf('chk'),
      reason: 'late',
      amountSats: 1_000,
      status: 'open',
      destination: null,
      returnedSats: 0,
      refundedSats: 0,
      createdAt: now,
      requestedAt: null,
      returnedAt: null,
    });
    await tx.run(insertWithdrawal, {
      id: idOf('wd'),
      businessId,
      backendId: idOf('node'),
      network: 'onchain',
      destination: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
      paymentHash: null,
      amountSats: 1_000,
      maxFeeSats: null,
      satsPerVbyte: null,
      feeSats: null,
      status: 'completed',
      failureReason: null,
      txId: 'ab'.repeat(32),
      preimage: null,
      clientRequestId: null,
      nextPollAt: null,
      pollCount: 1,
      polledAt: now,
      polledForMs: 0,
      sentAt: now,
      chainHeight: null,
      createdAt: now,
      missingSince: null,
      finalAt: now,
      ...by,
    });
    await tx.run(insertSale, {
      id: idOf('sale'),
      businessId,
      terminalId,
      serial,
      type: 'sale',
      mode: 'any',
      amountMinor: 500,
      currency: 'GBP',
      reference: null,
      originalPaymentId: null,
      status: 'TIMED_OUT',
      statusReason: 'expired',
      sequence: 2,
      reportSequence: 0,
      rail: null,
      metadataJson: '{}',
      receiptPrinted: null,
      ...by,
      atReaderAt: null,
      endRequested: null,
      leftTerminalAt: null,
      expiresAt: now,
      dueAt: null,
      createdAt: now,
      updatedAt: now,
      endedAt: now,
    });
    await tx.run(insertCommand, {
      id: idOf('cmd'),
      terminalId,
      saleId: idOf('sale'),
      kind: 'start_sale',
      bodyJson: '{}',
      expiresAt: later,
      createdAt: now,
      outcome: null,
    });
  });
  const set = settlementId({ day: awaitingDay, accountId, currency: 'GBP' });
  const made = ['dis', 'tip', 'chk', 'clm', 'wd', 'sale', 'cmd'].map(prefix => [prefix, idOf(prefix)]);
  return { ...Object.fromEntries(made), set, gwa: await aSpareAccount(services.gatewayAccounts, businessId) };
}

/** The derived tests disable it. */
async function aSpareAccount(accounts: BackendWorld['backend']['services']['gatewayAccounts'], businessId: string) {
  const config = { url: 'http://127.0.0.1:1', countryCode: 'GB' };
  const account = { adapter: 'cardstream', name: 'Spare', merchantId: '1', config, secrets: { signature: 'spare' } };
  const made = await accounts.create({ ...account, businessId, isDefault: false }, operator);
  if (!made.ok) throw new Error(made.refusal.problems.join());
  return made.value.id;
}
