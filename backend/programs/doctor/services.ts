import { accountOf, type Backend, openBackend, secretsKeysOf } from '../../backend.ts';
import type { Settings } from '../../config/settings.ts';
import { afterEveryId } from '../../foundation/database/database.ts';
import { createLog } from '../../foundation/platform/log.ts';
import { systemTimers } from '../../foundation/platform/system.ts';
import type { UnreadableSecret } from '../../foundation/secrets/rotation.ts';
import { isLoopback } from '../../gateways/address.ts';
import { gatewayRegistry } from '../../gateways/registry.ts';
import { headSeal } from '../../people/audit/seal.ts';
import { type Cause, gatewayCause, nodeCause } from './causes.ts';
import { type Finding, fine, look, wrong } from './finding.ts';

const maxAccounts = 1_000;

type NamedBusiness = { readonly id: string; readonly name: string };

/** Checks that need the records: whether the key fits them, and what businesses are paid through. */
export async function serviceFindings(settings: Settings): Promise<readonly Finding[]> {
  const backend = await openBackend({
    settings: { ...reachingSandbox(settings), metrics: undefined },
    log: createLog({ level: 'silent' }),
    publicUrl: 'http://127.0.0.1',
  });
  try {
    const businesses = await backend.services.businesses.list();
    const keys = await keyFindings(backend, businesses, settings);
    if (keys.some(({ state }) => state === 'wrong')) return keys;
    const findings = [...keys, ...sandboxFinding(settings)];
    const accounts = await Promise.all(businesses.map(({ id, name }) => accountFindings(backend, id, name)));
    findings.push(...accounts.flat());
    if (accounts.every(({ length }) => length === 0)) findings.push(await gatewayFinding(settings));
    for (const { id, name } of businesses) findings.push(...(await nodeFindings(backend, id, name)));
    return findings;
  } finally {
    await backend.close();
  }
}

/** The demo's backend, and only that, may reach the sandbox node on this machine: whoever asks about it has not its settings. */
export function reachingSandbox(settings: Settings): Settings {
  const { gateway, bitcoinNodes } = settings;
  if (!isLoopback(gateway.url)) return settings;
  return { ...settings, bitcoinNodes: { ...bitcoinNodes, policy: { ...bitcoinNodes.policy, allowLoopback: true } } };
}

/** The gateway of the settings: a business without an account of its own gets one there at its first payment. */
export async function gatewayFinding(settings: Settings): Promise<Finding> {
  const check = 'card gateway';
  const { url, timeoutMs } = settings.gateway;
  const { adapter, ...account } = accountOf(settings);
  const registry = gatewayRegistry({ timers: systemTimers, timeoutMs });
  const opened = registry.get(adapter)?.open({ ...account, callbackUrl: 'http://127.0.0.1' });
  if (!opened?.ok) {
    const problems = (opened?.refusal ?? [adapter]).join(', ');
    return wrong(check, `${url} cannot be used: ${problems}`, 'Check GATEWAY_URL and the other GATEWAY_* settings');
  }
  const failed = failuresOf(await opened.value.testConnection(), gatewayCause);
  if (!failed) return fine(check, `${url} answers`);
  const todo = isLoopback(url)
    ? 'Set GATEWAY_URL and the other GATEWAY_* settings to those of your gateway; to try things out, npm run sandbox starts this one'
    : 'Check GATEWAY_URL and the other GATEWAY_* settings, and this machine’s way to it';
  return wrong(check, `${url} cannot be used: ${failed.says}`, todo);
}

/** The tests that failed, in words, with what to do about the first of them; undefined if none did. */
function failuresOf<Code extends string>(
  tests: readonly (
    | { readonly name: string; readonly ok: true }
    | { readonly name: string; readonly ok: false; readonly cause: Code }
  )[],
  causeOf: (code: Code) => Cause,
): Cause | undefined {
  const failed = tests.flatMap(test => (test.ok ? [] : [{ name: test.name, ...causeOf(test.cause) }]));
  const [first] = failed;
  if (!first) return undefined;
  const isOne = failed.length === tests.length && failed.every(({ says }) => says === first.says);
  return { says: isOne ? first.says : failed.map(({ name, says }) => `${name}: ${says}`).join(', '), todo: first.todo };
}

/** Whether the keys of the settings open everything that is stored sealed, and whether the accepted one is needed. */
async function keyFindings(
  { services }: Backend,
  businesses: readonly NamedBusiness[],
  settings: Settings,
): Promise<readonly Finding[]> {
  const check = 'secrets key';
  const { left, unreadable } = await services.secrets.survey();
  const ofOtherKey = unreadable.filter(({ problem }) => problem === 'other_key');
  if (ofOtherKey.length > 0)
    return [
      wrong(
        check,
        `${namesOf(ofOtherKey)}: sealed under another key`,
        'Set SECRETS_KEY to that key; while it is being replaced, one of the two is SECRETS_KEY_ACCEPTED',
      ),
    ];
  // The heads of audit logs are looked at below.
  const altered = unreadable.filter(({ table }) => table !== 'auditChains');
  if (altered.length > 0)
    return [wrong(check, `${namesOf(altered)}: altered since it was sealed`, 'Find out why, and set the secret again')];
  return [...(await brokenSeals(services, businesses, settings)), neededKey(settings, left)];
}

async function brokenSeals(
  services: Backend['services'],
  businesses: readonly NamedBusiness[],
  settings: Settings,
): Promise<readonly Finding[]> {
  const seal = headSeal(() => secretsKeysOf(settings));
  const findings: Finding[] = [];
  for (const { id, name } of businesses) {
    const head = await services.audit.head(id);
    if (head && seal.check(head) !== 'valid')
      findings.push(
        look('secrets key', `The audit log of ${name} has a broken seal`, 'See audit verify, and find out why'),
      );
  }
  return findings;
}

/** `left`: how many values only the accepted key opens. */
function neededKey({ acceptedSecretsKey }: Settings, left: number): Finding {
  const check = 'secrets key';
  if (left > 0) {
    const says = `${left} stored ${left === 1 ? 'value needs' : 'values need'} SECRETS_KEY_ACCEPTED`;
    return look(check, says, 'Once every process has these two keys: secrets rotate');
  }
  return fine(
    check,
    acceptedSecretsKey ? 'No stored value needs SECRETS_KEY_ACCEPTED' : 'It is the one of these records',
  );
}

function namesOf([first, ...others]: readonly UnreadableSecret[]): string {
  return `${first?.table}.${first?.column} of ${first?.id}${others.length > 0 ? ` and ${others.length} more` : ''}`;
}

function sandboxFinding({ gateway }: Settings): Finding[] {
  if (!isLoopback(gateway.url)) return [];
  const todo = 'For real money set GATEWAY_URL, GATEWAY_MERCHANT_ID and GATEWAY_SECRET';
  return [look('card gateway', `${gateway.url} is the sandbox: no money moves`, todo)];
}

async function accountFindings({ services }: Backend, businessId: string, name: string): Promise<Finding[]> {
  const check = 'card gateway';
  const list = await services.gatewayAccounts.list({ businessId, before: afterEveryId, limit: maxAccounts });
  const findings: Finding[] = [];
  for (const { account } of list.filter(one => one.account.disabledAt === null)) {
    const tests = (await services.gatewayAccounts.test(businessId, account.id)) ?? [];
    const failed = failuresOf(tests, gatewayCause);
    const of = `${account.name} (${account.id}) of ${name}`;
    findings.push(
      failed ? wrong(check, `${of} cannot be used: ${failed.says}`, failed.todo) : fine(check, `${of} answers`),
    );
  }
  return findings;
}

async function nodeFindings({ services }: Backend, businessId: string, name: string): Promise<Finding[]> {
  const check = 'bitcoin node';
  const tested = await services.bitcoinBackends.test(businessId);
  if (!tested) return [];
  const failed = failuresOf(tested.tests, nodeCause);
  if (failed) return [wrong(check, `The node of ${name} cannot be used: ${failed.says}`, failed.todo)];
  return [fine(check, `The node of ${name} answers, on ${tested.row.network}`)];
}
