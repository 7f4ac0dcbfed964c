import { pages } from '@florin/backend/web/portal/app/pages.ts';
import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import { apiOperations } from '@florin/shared/contracts/operations.ts';
import { type Permission, permissions as permissionNames } from '@florin/shared/permissions.ts';
import { type BuiltInRole, builtInRoles } from '@florin/shared/roles.ts';
import { expect, type Page, test } from '@playwright/test';
import { isInPart } from '../support/part.ts';
import { validBodies } from '../support/samples.ts';
import { type Portal, signedIn, startPortal } from './portal.ts';

type OperationName = keyof typeof apiOperations;

/**
 * Each page with the operation without which there is nothing to see on it, and its buttons with the operations that they
 * begin. A page without a line fails the test.
 */
const shown: Readonly<
  Record<string, { readonly sees?: OperationName; readonly begins?: readonly (readonly [string, OperationName])[] }>
> = {
  '/': { begins: [['Arrange', 'putDashboard']] },
  '/problems': { sees: 'listProblems' },
  '/payments': { sees: 'listPayments', begins: [['Export', 'createExport']] },
  '/payments/$id': { sees: 'getPayment', begins: [['Refund', 'createCardRefundOfPayment']] },
  '/links': { sees: 'listPaymentLinks', begins: [['New link', 'createPaymentLink']] },
  '/links/$id': { sees: 'getPaymentLink' },
  '/staff': { sees: 'listStaff', begins: [['Add a member', 'createStaff']] },
  '/staff/refund-log': { sees: 'listRefundLog' },
  '/staff/void-log': { sees: 'listVoidLog' },
  '/staff/exceptions': { sees: 'listStaffExceptions' },
  '/terminals': { sees: 'listDevices', begins: [['Enrol a terminal', 'createDevice']] },
  '/checkouts': { sees: 'listCheckouts' },
  '/checkouts/$id': { sees: 'listCheckouts' },
  '/tips': { sees: 'listTipLinks', begins: [['New tip link', 'createTipLink']] },
  '/tips/$id': { sees: 'getTipLink' },
  '/returns': { sees: 'listBitcoinClaims' },
  '/settings/business': { sees: 'updateBusiness' },
  '/settings/methods': { sees: 'updateBusiness', begins: [['Add account', 'createGatewayAccount']] },
  '/settings/bitcoin': { sees: 'getBitcoinBackend', begins: [['Change the connection', 'setBitcoinBackend']] },
  // Its button is there once a node is connected.
  '/settings/withdrawals': { sees: 'createWithdrawal' },
  '/settings/team': { sees: 'listTeam', begins: [['Invite somebody', 'inviteTeamMember']] },
  '/settings/roles': { sees: 'listRoles', begins: [['New role', 'createRole']] },
  '/settings/notifications': {
    sees: 'listNotificationRecipients',
    begins: [['Add a recipient', 'createNotificationRecipient']],
  },
  '/settings/audit': { sees: 'listAuditEntries', begins: [['Export', 'createExport']] },
  '/settlements': { sees: 'listSettlements', begins: [['Export', 'createExport']] },
  '/settlements/$id': { sees: 'getSettlement' },
  '/settlements/statements': { sees: 'getOverview' },
  '/settlements/discrepancies': { sees: 'listDiscrepancies' },
  '/dev/keys': { sees: 'listApiKeys', begins: [['New key', 'createApiKey']] },
  '/dev/keys/$id': { sees: 'getApiKey' },
  '/dev/kiosk-keys': { sees: 'createKioskKey', begins: [['New kiosk key', 'createKioskKey']] },
  '/dev/webhooks': { sees: 'listWebhooks', begins: [['New endpoint', 'createWebhook']] },
  '/dev/webhooks/$id': { sees: 'getWebhook' },
  '/dev/requests': { sees: 'listApiRequests' },
  '/dev/signing': { sees: 'listWebhooks' },
};

/** The areas of the navigation with the pages that they lead to. Problems are shown only while there are any. */
const areas: Readonly<Record<string, readonly string[]>> = {
  Overview: ['/'],
  Payments: ['/payments'],
  Links: ['/links', '/checkouts', '/tips', '/returns'],
  Settlements: ['/settlements'],
  Staff: ['/staff'],
  Terminals: ['/terminals'],
  Developers: ['/dev/keys', '/dev/webhooks', '/dev/requests', '/dev/signing', '/dev/kiosk-keys'],
  Settings: Object.keys(shown).filter(path => path.startsWith('/settings/')),
};

/** What a role may do, by the contract of the operation. */
function isAllowed(role: BuiltInRole, name: OperationName | undefined): boolean {
  if (name === undefined) return true;
  const contract: AnyContract = apiOperations[name];
  const held: readonly Permission[] = builtInRoles[role].permissions;
  const hasAll = contract.permissions.every(rule =>
    typeof rule === 'string' ? held.includes(rule) : rule.anyOf.some(permission => held.includes(permission)),
  );
  return hasAll && (contract.adminsOnly !== true || role === 'owner' || role === 'admin');
}

let portal: Portal;
let paymentId: string;
test.beforeAll(async () => {
  portal = await startPortal();
  paymentId = await portal.aPayment(1_820);
});
test.afterAll(() => portal.end());

/** What the service answers to the operation, called by hand from the page with the cookie of its user. */
async function answerTo(page: Page, name: OperationName) {
  const contract: AnyContract = apiOperations[name];
  const { method, path } = contract;
  const address = path.replace('/api/v1', `/portal/api/${portal.businessId}`).replaceAll(/\{\w+\}/g, paymentId);
  return page.evaluate(
    async ([to, by, body]) => {
      const sent = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
      const answer = await fetch(to as string, { method: by as string, ...sent });
      return answer.status;
    },
    [address, method, method === 'GET' ? undefined : JSON.stringify(validBodies(contract)[0])],
  );
}

for (const role of Object.keys(builtInRoles) as BuiltInRole[])
  test(`${role}: what the role may not do is on no page, its address says so, and its call is refused`, async ({
    browser,
  }) => {
    const { page, context, faults } = await signedIn(browser, await portal.aUser(role), portal.page());
    const navigation = page.getByRole('navigation', { name: 'Main' });
    const expected = Object.keys(areas).filter(area => areas[area]?.some(path => isAllowed(role, shown[path]?.sees)));
    await expect(navigation.getByRole('link')).toHaveText(expected.map(area => new RegExp(`^${area}`)));
    for (const { path, anyOf, adminsOnly } of pages) {
      if (!isInPart(`${path} ${role}`, 4)) continue;
      const { sees, begins = [] } = shown[path] ?? { sees: undefined };
      expect(shown, 'a page of the portal').toHaveProperty([path]);
      await page.goto(portal.page(path === '/' ? '' : path.replace('$id', paymentId)));
      // Of records that are looked for under the id of a payment, only that there are none.
      await expect(page.locator('main').getByRole('heading').first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      const mayBeSeen = isAllowed(role, sees);
      const forbidden = page.getByRole('heading', { name: 'You may not see this page' });
      await expect(forbidden, `${role} at ${path}`).toHaveCount(mayBeSeen ? 0 : 1);
      if (!mayBeSeen) {
        const names = anyOf.map(code => permissionNames[code][0]).join(', ');
        const why = adminsOnly ? 'It is for owners and administrators of the business.' : `“${names}”`;
        await expect(page.getByText(why)).toBeVisible();
        if (sees !== undefined) expect([role, sees, await answerTo(page, sees)]).toEqual([role, sees, 403]);
      }
      for (const [name, operation] of begins) {
        const isOffered = mayBeSeen && isAllowed(role, operation);
        const button = page
          .locator('main')
          .getByRole('button', { name, exact: true })
          .or(page.locator('main').getByRole('link', { name, exact: true }));
        if (isOffered) await expect(button.first(), `${role} at ${path}: ${name}`).toBeVisible();
        else await expect(button, `${role} at ${path}: ${name}`).toHaveCount(0);
        if (!isAllowed(role, operation))
          expect([role, operation, await answerTo(page, operation)]).toEqual([role, operation, 403]);
      }
    }
    expect(faults()).toEqual([]);
    await context.close();
  });
