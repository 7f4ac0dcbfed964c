import { operator } from '@florin/shared/actor.ts';
import { z } from 'zod';
import type { Backend } from '../../backend.ts';
import { afterEveryId } from '../../foundation/database/database.ts';
import { systemTimers } from '../../foundation/platform/system.ts';
import { gatewayAccountRecord } from '../../gateways/accounts/account.ts';
import { gatewayRegistry } from '../../gateways/registry.ts';
import { gatewayCause } from '../doctor/causes.ts';
import { businessFlag, command, done, failed, jsonFile, noBusiness, type Outcome, theBusiness } from './command.ts';

const business = z.string().optional();
const id = z.string();
const idFlag = { about: 'Id of the gateway account' };
const maxPageSize = 1_000;

const adapters = [...gatewayRegistry({ timers: systemTimers, timeoutMs: 0 }).values()];
const exampleOf = (part: 'config' | 'secrets') =>
  adapters.map(({ name, examples }) => `for ${name} ${JSON.stringify(examples[part])}`).join('; ');

export const gatewayAccountCreate = command({
  summary: 'Create an account at a card gateway',
  flags: {
    business: businessFlag,
    adapter: { about: `Kind of gateway: ${adapters.map(one => one.name).join(', ')}` },
    name: { about: 'Display name' },
    merchantId: { about: 'The account at the gateway' },
    configFile: { about: `JSON file with its settings, ${exampleOf('config')}` },
    secretsFile: { about: `JSON file with its secrets, which are stored encrypted, ${exampleOf('secrets')}` },
    default: { about: 'Send new payments to it, as a first account does anyway', boolean: true },
  },
  input: z.object({
    business,
    adapter: z.string(),
    name: z.string().trim().min(1).max(100),
    merchantId: z.string().trim().min(1).max(100),
    configFile: jsonFile,
    secretsFile: jsonFile,
    default: z.boolean().default(false),
  }),
  run: (input, backend) =>
    withBusiness(input, backend, async businessId => {
      const { adapter, name, merchantId, configFile: config, secretsFile: secrets, default: isDefault } = input;
      const account = { businessId, adapter, name, merchantId, config, secrets, isDefault };
      const made = await backend.services.gatewayAccounts.create(account, operator);
      if (!made.ok) return failed(made.refusal.problems.join('; '), { problems: made.refusal.problems });
      const gatewayAccount = await recordOf(backend, businessId, made.value.id);
      return done({ gatewayAccount }, [
        `Gateway account ${name}: ${made.value.id}`,
        `The gateway was not asked. Are its address and secrets right? gateway-account test --business ${businessId} --id ${made.value.id}`,
      ]);
    }),
});

export const gatewayAccountList = command({
  summary: 'List the gateway accounts of a business',
  flags: { business: businessFlag },
  input: z.object({ business }),
  run: (input, backend) =>
    withBusiness(input, backend, async businessId => {
      const accounts = await recordsOf(backend, businessId);
      const words = (one: (typeof accounts)[number]) =>
        one.disabledAt === null ? (one.isDefault ? '  default' : '') : '  disabled';
      return done(
        { gatewayAccounts: accounts },
        accounts.map(one => `${one.id}  ${one.name}  ${one.adapter}  ${one.merchantId}${words(one)}`),
      );
    }),
});

export const gatewayAccountTest = command({
  summary: 'Ask a gateway account something harmless: are its address and its secrets right?',
  flags: { business: businessFlag, id: idFlag },
  input: z.object({ business, id }),
  run: (input, backend) =>
    withBusiness(input, backend, async businessId => {
      const tests = await backend.services.gatewayAccounts.test(businessId, input.id);
      if (!tests) return unknown(input.id);
      const lines = tests.map(one => {
        if (one.ok) return `${one.name}: ok`;
        const { says, todo } = gatewayCause(one.cause);
        return `${one.name}: ${says}. ${todo}`;
      });
      return { ok: tests.every(({ ok }) => ok), json: { tests }, lines };
    }),
});

export const gatewayAccountDefault = command({
  summary: 'Send new payments to this gateway account',
  flags: { business: businessFlag, id: idFlag },
  input: z.object({ business, id }),
  run: (input, backend) =>
    withBusiness(input, backend, async businessId => {
      const isDefault = await backend.services.gatewayAccounts.makeDefault(businessId, input.id, operator);
      if (!isDefault) return failed(`There is no gateway account ${input.id} that is not disabled`);
      return done({ gatewayAccount: await recordOf(backend, businessId, input.id) }, [
        `New payments use ${input.id}, in every process within ten seconds`,
      ]);
    }),
});

export const gatewayAccountDisable = command({
  summary: 'Take no new payments through a gateway account; its refunds still work',
  flags: { business: businessFlag, id: idFlag },
  input: z.object({ business, id }),
  run: (input, backend) =>
    withBusiness(input, backend, async businessId => {
      const disabled = await backend.services.gatewayAccounts.disable(businessId, input.id, operator);
      if (!disabled) return unknown(input.id);
      return done({ gatewayAccount: await recordOf(backend, businessId, input.id) }, [
        `Disabled ${input.id}, in every process within ten seconds`,
      ]);
    }),
});

async function withBusiness(
  input: { readonly business?: string | undefined },
  backend: Backend,
  work: (businessId: string) => Promise<Outcome>,
): Promise<Outcome> {
  const businessId = await theBusiness(backend, input.business);
  return businessId === undefined ? noBusiness(input.business) : work(businessId);
}

function unknown(accountId: string): Outcome {
  return failed(`There is no gateway account ${accountId}`);
}

/** Accounts as the API shows them, without secrets. */
async function recordsOf(backend: Backend, businessId: string) {
  const found = await backend.services.gatewayAccounts.list({ businessId, before: afterEveryId, limit: maxPageSize });
  return found.map(({ account, capabilities }) => gatewayAccountRecord(account, capabilities));
}

async function recordOf(backend: Backend, businessId: string, accountId: string) {
  return (await recordsOf(backend, businessId)).find(one => one.id === accountId);
}
