import { operator } from '@florin/shared/actor.ts';
import { createApiKey } from '@florin/shared/contracts/api-v1/api-keys.ts';
import { createDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { createKioskKey } from '@florin/shared/contracts/api-v1/kiosk-keys.ts';
import {
  needsPermission,
  permissionCode,
  permissionCodes,
  permissionsOfKey,
  presets,
} from '@florin/shared/permissions.ts';
import { z } from 'zod';
import { kioskKeyRecordOf } from '../../channels/kiosk-keys/routes.ts';
import { newBusiness } from '../../people/businesses/service.ts';
import { auditExport, auditReseal, auditVerify } from './audit.ts';
import { backupCreate, backupRestore, backupVerify } from './backups.ts';
import { bitcoinBackendSet, bitcoinBackendTest } from './bitcoin-backends.ts';
import { bitcoinBackendCompare } from './bitcoin-comparison.ts';
import { businessFlag, type Command, command, done, failed, noBusiness, theBusiness } from './command.ts';
import { configPrint } from './config.ts';
import { discrepancyList, discrepancyResolve } from './discrepancies.ts';
import { doctorRun } from './doctor.ts';
import {
  gatewayAccountCreate,
  gatewayAccountDefault,
  gatewayAccountDisable,
  gatewayAccountList,
  gatewayAccountTest,
} from './gateway-accounts.ts';
import { gatewayAccountCompare } from './gateway-comparison.ts';
import { portalUserCreate } from './portal-users.ts';
import { privacyErase, privacyExport } from './privacy.ts';
import { receiptKeyRotate } from './receipts.ts';
import { saleFind } from './sales.ts';
import { sandboxSettle } from './sandbox.ts';
import { secretsRotate } from './secrets.ts';
import { staffCreate, staffList, staffResetPassword, staffUnlock } from './staff.ts';

const business = z.string().optional();

const businessCreate = command({
  summary: 'Create a business',
  flags: {
    name: { about: 'Name, as customers and staff read it' },
    country: { about: 'ISO 3166, such as GB (default GB)' },
    currency: { about: 'ISO 4217, such as GBP (default GBP)' },
    locale: { about: 'Language tag, such as en-GB (default en-GB)' },
    timeZone: { about: 'Such as Europe/London (default): decides what “today” is' },
  },
  input: z.object({
    name: newBusiness.shape.name,
    country: newBusiness.shape.countryCode.default('GB'),
    currency: newBusiness.shape.currency.default('GBP'),
    locale: newBusiness.shape.locale.default('en-GB'),
    timeZone: newBusiness.shape.timeZone.default('Europe/London'),
  }),
  needsBackend: 'new',
  async run({ country, ...rest }, { services }) {
    const made = await services.businesses.create({ ...rest, countryCode: country });
    return done({ business: await services.businesses.settings.read(made.id) }, [`Business ${made.name}: ${made.id}`]);
  },
});

const businessList = command({
  summary: 'List businesses',
  flags: {},
  input: z.object({}),
  async run(_, { services }) {
    const businesses = await services.businesses.list();
    return done(
      { businesses: await Promise.all(businesses.map(({ id }) => services.businesses.settings.read(id))) },
      businesses.map(each => `${each.id}  ${each.name}  ${each.currency}  ${each.timeZone}`),
    );
  },
});

const apiKeyCreate = command({
  summary: 'Create an API key; it is shown this once',
  flags: {
    business: businessFlag,
    name: { about: 'What it is for' },
    permissions: { about: 'Codes by commas, such as take-payments:write,refunds:write' },
    preset: { about: `${Object.keys(presets).join(', ')} (default CUSTOM)` },
    expires: { about: 'When it stops working, ISO 8601' },
  },
  input: z
    .object({
      business,
      name: createApiKey.body.shape.name,
      permissions: z
        .string()
        .default('')
        .transform(text => text.split(',').flatMap(code => (code.trim() === '' ? [] : [code.trim()])))
        .pipe(z.array(permissionCode)),
      preset: createApiKey.body.shape.preset,
      expires: z.iso.datetime().optional(),
    })
    .refine(key => permissionsOfKey(key).length > 0, needsPermission),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const expiresAt = input.expires === undefined ? null : Date.parse(input.expires);
    const made = await backend.services.apiKeys.create(businessId, { ...input, expiresAt }, operator);
    if (!made.ok) return failed(`The key was not created: ${made.refusal.kind}`);
    const { apiKey, secret } = made.value;
    return done({ apiKey, key: secret }, [`API key ${apiKey.id}, shown this once:`, secret]);
  },
});

const apiKeyRevoke = command({
  summary: 'Revoke an API key, from the next request on',
  flags: { business: businessFlag, id: { about: 'Id of the key' } },
  input: z.object({ business, id: z.string() }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const revoker = { businessId, by: operator, held: new Set(permissionCodes) };
    const revoked = await backend.services.apiKeys.revoke(revoker, input.id);
    if (!revoked.ok) return failed(`There is no API key ${input.id}`);
    return done({ apiKey: revoked.value }, [`Revoked ${revoked.value.id}`]);
  },
});

const terminalCreate = command({
  summary: 'Create a terminal with a single-use enrolment code',
  flags: {
    business: businessFlag,
    name: { about: 'Such as Till 1' },
    mode: { about: 'staff or kiosk (default staff)' },
  },
  input: z.object({ business, ...createDevice.body.shape }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const { terminal, enrolment } = await backend.services.terminals.create({ ...input, businessId, by: operator });
    const expiresAt = new Date(enrolment.expiresAt).toISOString();
    return done({ terminal, enrolmentCode: enrolment.code, expiresAt }, [
      `Terminal ${terminal.name}: ${terminal.id}`,
      `Enrolment code ${enrolment.code}, until ${expiresAt}`,
    ]);
  },
});

const kioskKeyCreate = command({
  summary: 'Create the key of a kiosk installation; it is shown this once',
  flags: {
    business: businessFlag,
    name: { about: 'What it is for' },
    terminals: { about: 'Ids of its terminals, by commas' },
  },
  input: z.object({
    business,
    name: createKioskKey.body.shape.name,
    terminals: z
      .string()
      .transform(text => text.split(',').map(id => id.trim()))
      .pipe(createKioskKey.body.shape.deviceIds),
  }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const wanted = { businessId, name: input.name, deviceIds: input.terminals, by: operator };
    const made = await backend.services.kioskKeys.create(wanted);
    if (!made.ok) return failed('The key was not created: the business has no such terminal');
    const { key, secret } = made.value;
    return done({ kioskKey: kioskKeyRecordOf(key), key: secret }, [`Kiosk key ${key.id}, shown this once:`, secret]);
  },
});

const kioskKeyRevoke = command({
  summary: 'Revoke a kiosk key, from the next request on',
  flags: { business: businessFlag, id: { about: 'Id of the key' } },
  input: z.object({ business, id: z.string() }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const key = await backend.services.kioskKeys.revoke(businessId, input.id, operator);
    return key
      ? done({ kioskKey: kioskKeyRecordOf(key) }, [`Revoked ${key.id}`])
      : failed(`There is no kiosk key ${input.id}`);
  },
});

const terminalCode = command({
  summary: 'Create a new enrolment code for a terminal',
  flags: { business: businessFlag, id: { about: 'Id of the terminal' } },
  input: z.object({ business, id: z.string() }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const code = await backend.services.terminals.renewCode(businessId, input.id, operator);
    if (!code) return failed(`There is no terminal ${input.id}`);
    const expiresAt = new Date(code.expiresAt).toISOString();
    return done({ enrolmentCode: code.code, expiresAt }, [`Enrolment code ${code.code}, until ${expiresAt}`]);
  },
});

const terminalRemove = command({
  summary: 'Remove a terminal; its token stops working with the next request',
  flags: { business: businessFlag, id: { about: 'Id of the terminal' } },
  input: z.object({ business, id: z.string() }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const removed = await backend.services.terminals.remove(businessId, input.id, operator);
    return removed ? done({ removed: input.id }, [`Removed ${input.id}`]) : failed(`There is no terminal ${input.id}`);
  },
});

const terminalUnlock = command({
  summary: 'Let a terminal that caused too many staff lockouts check passwords again',
  flags: { business: businessFlag, id: { about: 'Id of the terminal' } },
  input: z.object({ business, id: z.string() }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const unlocked = await backend.services.staff.unlockTerminal(businessId, input.id, operator);
    return unlocked
      ? done({ unlocked: input.id }, [`Unlocked ${input.id}`])
      : failed(`There is no terminal ${input.id}`);
  },
});

const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' });

const settingsSet = command({
  summary: 'Change settings of a business',
  flags: {
    business: businessFlag,
    passwordProtection: { about: 'Password protect refunds & voids: on or off' },
    paymentLinks: { about: 'Whether payment links may be made: on or off' },
  },
  input: z
    .object({ business, passwordProtection: onOrOff.optional(), paymentLinks: onOrOff.optional() })
    .refine(({ passwordProtection, paymentLinks }) => passwordProtection !== undefined || paymentLinks !== undefined, {
      error: 'must name a setting',
    }),
  async run({ passwordProtection, paymentLinks, ...input }, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const { switchSetting } = backend.services.businesses;
    if (passwordProtection !== undefined)
      await switchSetting(businessId, 'passwordProtectRefundsAndVoids', passwordProtection === 'on', operator);
    if (paymentLinks !== undefined)
      await switchSetting(businessId, 'paymentLinksEnabled', paymentLinks === 'on', operator);
    const set = {
      ...(passwordProtection !== undefined && { passwordProtection: passwordProtection === 'on' }),
      ...(paymentLinks !== undefined && { paymentLinks: paymentLinks === 'on' }),
    };
    return done({ business: businessId, ...set }, [
      ...(passwordProtection === undefined ? [] : [`Password protect refunds & voids: ${passwordProtection}`]),
      ...(paymentLinks === undefined ? [] : [`Payment links: ${paymentLinks}`]),
    ]);
  },
});

/** All commands by noun and verb. */
export const commands: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  business: { create: businessCreate, list: businessList },
  'api-key': { create: apiKeyCreate, revoke: apiKeyRevoke },
  'kiosk-key': { create: kioskKeyCreate, revoke: kioskKeyRevoke },
  terminal: { create: terminalCreate, code: terminalCode, unlock: terminalUnlock, remove: terminalRemove },
  'portal-user': { create: portalUserCreate },
  staff: { create: staffCreate, list: staffList, unlock: staffUnlock, 'reset-password': staffResetPassword },
  'gateway-account': {
    create: gatewayAccountCreate,
    list: gatewayAccountList,
    test: gatewayAccountTest,
    compare: gatewayAccountCompare,
    default: gatewayAccountDefault,
    disable: gatewayAccountDisable,
  },
  'bitcoin-backend': { set: bitcoinBackendSet, test: bitcoinBackendTest, compare: bitcoinBackendCompare },
  settings: { set: settingsSet },
  config: { print: configPrint },
  sale: { find: saleFind },
  'receipt-key': { rotate: receiptKeyRotate },
  privacy: { export: privacyExport, erase: privacyErase },
  secrets: { rotate: secretsRotate },
  sandbox: { settle: sandboxSettle },
  discrepancy: { list: discrepancyList, resolve: discrepancyResolve },
  doctor: { run: doctorRun },
  backup: { create: backupCreate, verify: backupVerify, restore: backupRestore },
  audit: { verify: auditVerify, export: auditExport, reseal: auditReseal },
};
