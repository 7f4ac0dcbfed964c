import { expect, test } from 'vitest';
import { environment } from '../../config/settings.ts';
import { runAdmin } from './run.ts';

async function configPrint(env: Readonly<Record<string, string>>, ...args: string[]) {
  let out = '';
  const print = (text: string) => {
    out += text;
  };
  const code = await runAdmin({ args: ['config', 'print', ...args], env, print, printError: print });
  return { code, out };
}

type Printed = {
  readonly settings: readonly { readonly name: string; readonly value: string | null; readonly from: string }[];
  readonly problems: readonly string[];
};

test('every setting is printed with its value and source, defaults in the unit of their name', async () => {
  const { code, out } = await configPrint({ PORT: '4200', HOST: '' }, '--json', '--data', 'elsewhere');
  const { settings, problems } = JSON.parse(out) as Printed;
  expect([code, problems]).toEqual([0, []]);
  expect(settings.map(({ name }) => name)).toEqual(Object.keys(environment.shape));
  const of = (wanted: string) => settings.find(({ name }) => name === wanted);
  expect(of('PORT')).toMatchObject({ value: '4200', from: 'environment' });
  expect(of('DATA')).toMatchObject({ value: 'elsewhere', from: 'command line' });
  expect(of('HOST')).toMatchObject({ value: '127.0.0.1', from: 'default' });
  expect(of('LEASE_SECONDS')).toMatchObject({ value: '10', from: 'default' });
  expect(of('IDEMPOTENCY_HOURS')).toMatchObject({ value: '72', from: 'default' });
  expect(of('SMTP_URL')).toMatchObject({ value: null, from: 'not set' });
});

test('no secret is printed, whether it is a setting or a part of an address', async () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const env = {
    SECRETS_KEY: key,
    GATEWAY_SECRET: 'gateway-secret',
    GATEWAY_REPORTING_PASSWORD: 'report-secret',
    GATEWAY_CARD_PRESENT_SECRET: 'present-secret',
    SMTP_URL: 'smtp://user:mail-secret@mail.example:587',
    DATABASE_URL: 'postgres://user:database-secret@db.example/florin?password=parameter-secret',
  };
  for (const args of [[], ['--json']]) {
    const { out } = await configPrint(env, ...args);
    expect(out).not.toMatch(/-secret/);
    expect(out).not.toContain(key);
    expect(out).toContain('postgres://db.example/florin');
    expect(out).toContain('smtp://mail.example:587');
  }
});

test('invalid settings are named, with exit code 1', async () => {
  const { code, out } = await configPrint({ LEASE_SECONDS: '99' });
  expect([code, out]).toEqual([1, expect.stringContaining('Invalid: LEASE_SECONDS: must be 1 to 30')]);
});
