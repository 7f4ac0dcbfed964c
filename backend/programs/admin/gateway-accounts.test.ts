import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aBackend } from '../../../test/support/backend.ts';
import { runAdmin } from './run.ts';

test('gateway accounts are created, tested, selected and disabled on the command line, and no secret is printed', async () => {
  const world = await aBackend({ sandbox: true });
  const { settings, sandbox } = world;
  const account = sandbox?.accounts[2];
  if (!sandbox || !account) throw new Error('no gateway');
  await world.aBusiness();
  let printed = '';
  async function admin(...args: string[]) {
    let output = '';
    const print = (text: string) => {
      output += `${text}\n`;
    };
    const env = { GATEWAY_URL: sandbox?.url, GATEWAY_CARD_PRESENT_URL: sandbox?.cardPresentUrl };
    const code = await runAdmin({ args: [...args, '--data', settings.data], env, print: print, printError: print });
    printed += output;
    return { code, output };
  }
  const file = (name: string, content: unknown) => {
    const path = join(settings.data, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
    return path;
  };
  const config = { url: sandbox.url, countryCode: 'GB', reportingUser: account.portalUser };
  const secrets = { signature: account.secret, reportingPassword: account.portalPassword };
  const flags = ['--adapter', 'cardstream', '--name', 'Second', '--merchant-id', account.merchantID];
  const files = ['--config-file', file('config.json', config), '--secrets-file', file('secrets.json', secrets)];

  const made = await admin('gateway-account', 'create', ...flags, ...files, '--json');
  expect(made.code, made.output).toBe(0);
  const { gatewayAccount } = JSON.parse(made.output) as { gatewayAccount: { id: string } };
  expect(gatewayAccount).toMatchObject({ name: 'Second', isDefault: true, capabilities: { cardPresent: false } });
  const { id } = gatewayAccount;

  expect(await admin('gateway-account', 'test', '--id', id)).toEqual({
    code: 0,
    output: 'payments: ok\nreporting: ok\n',
  });
  const wrong = file('wrong.json', { ...secrets, signature: 'wrong' });
  const other = await admin(
    'gateway-account',
    'create',
    ...flags,
    ...files.slice(0, 2),
    '--secrets-file',
    wrong,
    '--json',
  );
  const otherId = (JSON.parse(other.output) as { gatewayAccount: { id: string } }).gatewayAccount.id;
  expect(await admin('gateway-account', 'test', '--id', otherId)).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^payments: its merchant ID and its secret do not belong together\. Correct .+\nreporting: ok\n$/,
    ) as string,
  });
  expect((await admin('gateway-account', 'default', '--id', otherId)).code).toBe(0);
  expect((await admin('gateway-account', 'disable', '--id', otherId)).code).toBe(0);
  expect((await admin('gateway-account', 'default', '--id', otherId)).code).toBe(1);
  expect((await admin('gateway-account', 'list')).output.split('\n')).toEqual([
    `${otherId}  Second  cardstream  100002  disabled`,
    `${id}  Second  cardstream  100002`,
    '',
  ]);
  expect((await admin('audit', 'verify')).code).toBe(0);
  for (const secret of [account.secret, account.portalPassword, 'wrong.json']) expect(printed).not.toContain(secret);

  const refused: [readonly string[], number, string][] = [
    [['create', ...flags, '--config-file', '/nowhere', ...files.slice(2)], 2, 'cannot be read: it does not exist'],
    [['create', ...flags, ...files.slice(0, 2), '--secrets-file', file('x', '{')], 2, 'must hold JSON'],
    [['create', ...flags, ...files.slice(0, 2), '--secrets-file', file('y', {})], 1, 'secrets.signature: '],
    [['test', '--id', 'gwa_nobody'], 1, 'There is no gateway account gwa_nobody'],
    [['disable', '--id', 'gwa_nobody'], 1, 'There is no gateway account gwa_nobody'],
  ];
  for (const [args, code, words] of refused) {
    const outcome = await admin('gateway-account', ...args);
    expect([outcome.code, outcome.output]).toEqual([code, expect.stringContaining(words)]);
  }
});
