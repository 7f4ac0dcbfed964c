import { type Backend, openBackend } from '../../backend.ts';
import type { Settings } from '../../config/settings.ts';
import { createLog } from '../../foundation/platform/log.ts';
import { isLoopback } from '../../gateways/address.ts';
import { headSeal } from '../../people/audit/seal.ts';
import { type Finding, fine, look, wrong } from './finding.ts';

const maxAccounts = 1_000;

/** Checks that need the records: whether the key fits them, and what businesses are paid through. */
export async function serviceFindings(settings: Settings, key: () => Uint8Array): Promise<readonly Finding[]> {
  const quiet: Settings = { ...settings, metrics: undefined };
  const backend = await openBackend({
    settings: quiet,
    log: createLog({ level: 'silent' }),
    publicUrl: 'http://127.0.0.1',
  });
  try {
    const businesses = await backend.services.businesses.list();
    const sealed = await sealFinding(backend, businesses, key);
    if (sealed.state === 'wrong') return [sealed];
    const findings = [sealed, ...sandboxFinding(settings)];
    for (const { id, name } of businesses) findings.push(...(await accountFindings(backend, id, name)));
    for (const { id, name } of businesses) findings.push(...(await nodeFindings(backend, id, name)));
    return findings;
  } finally {
    await backend.close();
  }
}

async function sealFinding(
  { services }: Backend,
  businesses: readonly { readonly id: string; readonly name: string }[],
  key: () => Uint8Array,
): Promise<Finding> {
  const check = 'secrets key';
  const seal = headSeal(key);
  for (const { id, name } of businesses) {
    const head = await services.audit.head(id);
    const state = head ? seal.check(head) : 'valid';
    if (state === 'other_key')
      return wrong(check, `The records of ${name} were sealed under another key`, 'Set SECRETS_KEY to that key');
    if (state !== 'valid')
      return look(check, `The audit log of ${name} has a broken seal`, 'See audit verify, and find out why');
  }
  return fine(check, businesses.length === 0 ? 'There is no business yet' : 'It is the one of these records');
}

function sandboxFinding({ gateway }: Settings): Finding[] {
  if (!isLoopback(gateway.url)) return [];
  const todo = 'For real money set GATEWAY_URL, GATEWAY_MERCHANT_ID and GATEWAY_SECRET';
  return [look('card gateway', `${gateway.url} is the sandbox: no money moves`, todo)];
}

async function accountFindings({ services }: Backend, businessId: string, name: string): Promise<Finding[]> {
  const check = 'card gateway';
  const list = await services.gatewayAccounts.list({ businessId, before: 'zzzzzzzz', limit: maxAccounts });
  const findings: Finding[] = [];
  for (const { account } of list.filter(one => one.account.disabledAt === null)) {
    const tests = (await services.gatewayAccounts.test(businessId, account.id)) ?? [];
    const failed = tests.flatMap(test => (test.ok ? [] : [`${test.name}: ${test.cause}`]));
    const of = `${account.name} (${account.id}) of ${name}`;
    if (failed.length === 0) findings.push(fine(check, `${of} answers`));
    else findings.push(wrong(check, `${of} cannot be used: ${failed.join(', ')}`, 'Check its address and secrets'));
  }
  return findings;
}

async function nodeFindings({ services }: Backend, businessId: string, name: string): Promise<Finding[]> {
  const check = 'bitcoin node';
  const tested = await services.bitcoinBackends.test(businessId);
  if (!tested) return [];
  const failed = tested.tests.flatMap(test => (test.ok ? [] : [`${test.name}: ${test.cause}`]));
  if (failed.length === 0) return [fine(check, `The node of ${name} answers, on ${tested.row.network}`)];
  return [wrong(check, `The node of ${name} cannot be used: ${failed.join(', ')}`, 'Check its address and secrets')];
}
