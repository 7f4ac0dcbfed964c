import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { request } from 'undici';
import { z } from 'zod';
import { runAdmin } from '../admin/run.ts';

/** The demo shop's credentials, stored beside its data. */
const shop = z.object({
  businessId: z.string(),
  apiKey: z.string(),
  terminalId: z.string(),
  staff: z.array(z.object({ number: z.string(), name: z.string(), temporaryPassword: z.string(), about: z.string() })),
  portalUsers: z.array(z.object({ email: z.string(), name: z.string(), role: z.string(), password: z.string() })),
  hasSales: z.boolean(),
});
export type Shop = z.infer<typeof shop>;

const fileOf = (data: string) => join(data, 'demo-shop.json');

function save(data: string, value: Shop): void {
  writeFileSync(fileOf(data), `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}

/** Where the shop is stored, and its backend's settings. */
type Place = { readonly data: string; readonly env: Readonly<Record<string, string | undefined>> };

/**
 * Runs one `npm run admin` command and returns its JSON; in this process, because loading the backend each time is
 * slow.
 */
async function admin({ data, env }: Place, ...args: string[]): Promise<Record<string, unknown>> {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const command = [...args, '--data', data, '--json'];
  const exitCode = await runAdmin({ args: command, env, print, printError: print });
  if (exitCode !== 0) throw new Error(`npm run admin -- ${args.join(' ')}: ${printed.join('\n')}`);
  return JSON.parse(printed.join('\n')) as Record<string, unknown>;
}

const people = [
  {
    number: '101',
    name: 'Amara Okafor',
    about: 'manager: may refund and void without limits, and begin and leave kiosk mode',
    flags: ['--may-refund-and-void', '--may-manage-terminals'],
  },
  {
    number: '102',
    name: 'Ben Hughes',
    about: 'may refund and void, up to 50.00 at once and 100.00 a day',
    flags: ['--may-refund-and-void', '--per-transaction-limit', '5000', '--daily-limit', '10000'],
  },
  { number: '103', name: 'Chloe Martin', about: 'may not refund or void', flags: [] },
];

/** Who signs in to the portal. The passwords are those of a demo: printed, and known to everybody. */
const portalUsers = [
  { email: 'owner@harbour.example', name: 'Olive Marsh', role: 'owner', password: 'lantern-otter-violet-42' },
  { email: 'manager@harbour.example', name: 'Amara Okafor', role: 'manager', password: 'copper-meadow-sail-17' },
  { email: 'cashier@harbour.example', name: 'Chloe Martin', role: 'cashier', password: 'walnut-harbor-finch-88' },
];

/** The demo shop, created through the admin commands, or the existing one. */
export async function openShop(place: Place): Promise<Shop> {
  const { data } = place;
  if (existsSync(fileOf(data))) return shop.parse(JSON.parse(readFileSync(fileOf(data), 'utf8')));
  const business = z
    .object({ business: z.object({ id: z.string() }) })
    .parse(await admin(place, 'business', 'create', '--name', 'Harbour Street Coffee'));
  const ofShop = ['--business', business.business.id];
  const permissions = permissionCodes.join(',');
  const key = z
    .object({ key: z.string() })
    .parse(await admin(place, 'api-key', 'create', ...ofShop, '--name', 'Demo', '--permissions', permissions));
  const { terminal } = z
    .object({ terminal: z.object({ id: z.string() }) })
    .parse(await admin(place, 'terminal', 'create', ...ofShop, '--name', 'Front counter'));
  const staff: Shop['staff'] = [];
  for (const { number, name, about, flags } of people) {
    const made = await admin(place, 'staff', 'create', ...ofShop, '--number', number, '--name', name, ...flags);
    const { temporaryPassword } = z.object({ temporaryPassword: z.string() }).parse(made);
    staff.push({ number, name, temporaryPassword, about });
  }
  for (const user of portalUsers) {
    const flags = Object.entries(user).flatMap(([name, value]) => [`--${name}`, value]);
    await admin(place, 'portal-user', 'create', ...ofShop, ...flags);
  }
  const made: Shop = {
    portalUsers,
    businessId: business.business.id,
    apiKey: key.key,
    terminalId: terminal.id,
    staff,
    hasSales: false,
  };
  save(data, made);
  return made;
}

/** Connects the shop to the sandbox's Lightning node. */
export async function payThroughSandboxNode(
  place: Place,
  { businessId }: Pick<Shop, 'businessId'>,
  controlUrl: string,
): Promise<void> {
  const answer = await request(`${controlUrl}/control/credentials`);
  const { url, certificate, macaroons } = z
    .object({ url: z.string(), certificate: z.string(), macaroons: z.object({ admin: z.string() }) })
    .parse(await answer.body.json());
  const files = { config: join(place.data, 'demo-node.json'), secrets: join(place.data, 'demo-node-secrets.json') };
  writeFileSync(files.config, JSON.stringify({ url, certificate }), { mode: 0o600 });
  writeFileSync(files.secrets, JSON.stringify({ macaroon: macaroons.admin }), { mode: 0o600 });
  const given = ['--adapter', 'lnd', '--config-file', files.config, '--secrets-file', files.secrets];
  await admin(place, 'bitcoin-backend', 'set', '--business', businessId, ...given);
}

/** The staff, with temporary passwords of those who have not set their own. */
export async function passwordsOf(place: Place, { businessId, staff }: Shop) {
  const listed = await admin(place, 'staff', 'list', '--business', businessId);
  const records = z
    .object({ staff: z.array(z.object({ staffNumber: z.string(), passwordIsTemporary: z.literal([0, 1]) })) })
    .parse(listed).staff;
  const isTemporary = (number: string) =>
    records.some(record => record.staffNumber === number && record.passwordIsTemporary === 1);
  return staff.map(({ temporaryPassword, ...member }) => ({
    ...member,
    temporaryPassword: isTemporary(member.number) ? temporaryPassword : undefined,
  }));
}

/** A new enrolment code, valid once and for fifteen minutes. */
export async function enrolmentCode(
  place: Place,
  { businessId, terminalId }: Pick<Shop, 'businessId' | 'terminalId'>,
): Promise<string> {
  const made = await admin(place, 'terminal', 'code', '--business', businessId, '--id', terminalId);
  return z.object({ enrolmentCode: z.string() }).parse(made).enrolmentCode;
}

const pastSales = [
  { description: 'Catering for 12', amountInCents: 14_40 },
  { description: 'Two flat whites', amountInCents: 7_60 },
  { description: 'Coffee beans, 1 kg', amountInCents: 21_50 },
];

/** Their invoice numbers; the terminal's first sale gets the next one. */
export const pastInvoices = `INV-000001 to INV-${String(pastSales.length).padStart(6, '0')}`;

/** Takes a few link payments and settles them in the sandbox, so that refunds can be tried over the API at once. */
export async function takePastSales(options: {
  data: string;
  shop: Shop;
  backendUrl: string;
  tokenUrl: string;
  controlUrl: string;
}): Promise<Shop> {
  const { data, backendUrl, tokenUrl, controlUrl } = options;
  if (options.shop.hasSales) return options.shop;
  const authorization = `Bearer ${options.shop.apiKey}`;
  for (const { description, amountInCents } of pastSales) {
    const link = z
      .object({ id: z.string() })
      .parse(
        await post(
          `${backendUrl}/api/v1/payment-link`,
          { description, amountInCents, currency: 'GBP' },
          { authorization },
        ),
      );
    const { paymentToken } = z.object({ paymentToken: z.string() }).parse(await post(tokenUrl, testVisa));
    await post(`${backendUrl}/api/v1/payment-link/${link.id}/payments`, { paymentToken }, { authorization });
  }
  await post(`${controlUrl}/control/settle`, {});
  await post(
    `${backendUrl}/api/v1/notification-recipients`,
    { email: 'owner@harbour-street.example' },
    // The sales are taken again where they were interrupted; the recipient exists once.
    { authorization, 'idempotency-key': 'demo-notification-recipient' },
  );
  const done = { ...options.shop, hasSales: true };
  save(data, done);
  return done;
}

/** The gateway's published test card. */
const testVisa = { cardNumber: '4929421234600821', cardExpiryMonth: '12', cardExpiryYear: '30', cardCVV: '356' };

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text);
}
