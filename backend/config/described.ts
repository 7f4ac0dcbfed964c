import { environment } from './settings.ts';

/** A setting as it takes effect. */
export type DescribedSetting = {
  readonly name: string;
  /** In the form of the environment variable; null if not set, or if it is a secret. */
  readonly value: string | null;
  readonly from: 'command line' | 'environment' | 'default' | 'not set';
  /** A secret is only said to be set; of an address, what is secret in it is left out. */
  readonly isSecret: boolean;
  /** What applies instead of a setting that is not set; null if nothing does. */
  readonly otherwise: string | null;
};

type Given = Readonly<Record<string, string | undefined>>;

const secrets = new Set([
  'SECRETS_KEY',
  'SECRETS_KEY_ACCEPTED',
  'GATEWAY_SECRET',
  'GATEWAY_REPORTING_PASSWORD',
  'GATEWAY_CARD_PRESENT_SECRET',
]);
/** Addresses that may contain a password. */
const addressesWithPassword = new Set(['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'SMTP_URL']);

const ofSandbox = 'with the sandbox gateway, its own';
const otherwise: Readonly<Record<string, string>> = {
  DATABASE_DIRECT_URL: 'DATABASE_URL',
  PUBLIC_URL: 'the address it listens on',
  SECRETS_KEY: 'the key file in DATA; made if there is none',
  MAX_STREAMS_WITHOUT_KEY: 'half of MAX_CONNECTIONS',
  GATEWAY_URL: 'the sandbox gateway on this machine',
  GATEWAY_MERCHANT_ID: ofSandbox,
  GATEWAY_SECRET: ofSandbox,
  GATEWAY_REPORTING_USER: ofSandbox,
  GATEWAY_REPORTING_PASSWORD: ofSandbox,
  GATEWAY_CARD_PRESENT_URL: ofSandbox,
  GATEWAY_CARD_PRESENT_SECRET: ofSandbox,
  GATEWAY_CARD_FIELDS_URL: ofSandbox,
  GATEWAY_WALLETS: ofSandbox,
};

/** Every setting with its effective value and where it comes from; invalid ones too. */
export function describedSettings(env: Given, overrides: Given = {}): readonly DescribedSetting[] {
  return Object.entries(environment.shape).map(([name, schema]): DescribedSetting => {
    const isSecret = secrets.has(name);
    const candidates = [
      { from: 'command line', text: overrides[name] },
      { from: 'environment', text: env[name] },
      { from: 'default', text: defaultTextOf(schema) },
    ] as const;
    const found = candidates.find(({ text }) => text !== undefined && text !== '');
    if (!found?.text) return { name, value: null, from: 'not set', isSecret, otherwise: otherwise[name] ?? null };
    const shown = addressesWithPassword.has(name) ? withoutPassword(found.text) : found.text;
    return { name, value: isSecret ? null : shown, from: found.from, isSecret, otherwise: null };
  });
}

type Schema = { readonly def: { readonly type: string } };
type WithDefault = { readonly defaultValue: unknown };

/** The default of a setting as it would be written; undefined if it has none. */
function defaultTextOf(schema: Schema): string | undefined {
  const { def } = schema;
  if (def.type === 'default' || def.type === 'prefault') return String((def as unknown as WithDefault).defaultValue);
  return def.type === 'pipe' ? defaultTextOf((def as unknown as { readonly in: Schema }).in) : undefined;
}

/** Without the user, password and parameters of an address. */
function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return 'set, and not an address';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
