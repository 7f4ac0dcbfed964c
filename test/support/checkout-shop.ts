import { startLightningNodeSandbox } from '@florin/backend/programs/sandbox/lightning-node/server.ts';
import { startRatesSandbox } from '@florin/backend/programs/sandbox/rates/server.ts';
import { operator } from '@florin/shared/actor.ts';
import { createCheckout, getCheckout } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import { onTestFinished } from 'vitest';
import { aBackend, type BackendOptions, type BackendWorld, type DatabaseKind } from './backend.ts';
import { testClock } from './clock.ts';

type AtTheEnd = (end: () => Promise<void> | void) => void;

/** A sandbox node, which becomes the business's node. */
export async function aBitcoinNode(
  { backend, clock }: BackendWorld,
  businessId: string | null,
  atTheEnd: AtTheEnd = onTestFinished,
) {
  const sandbox = await startLightningNodeSandbox({ file: ':memory:', clock, timers: clock });
  atTheEnd(() => sandbox.close());
  const config = { url: sandbox.url, certificate: sandbox.certificate };
  const settings = { adapter: 'lnd', config, secrets: { macaroon: sandbox.macaroons.admin } };
  const set =
    businessId === null ? undefined : await backend.services.bitcoinBackends.set(businessId, settings, operator);
  if (set && !set.ok) throw new Error(JSON.stringify(set.refusal));
  return { url: sandbox.url, wallet: sandbox.control };
}

/** A shop that is paid in bitcoin: the composed server over HTTP to a sandbox node and sandbox exchanges. */
export async function aCheckoutShop(
  database: DatabaseKind,
  options: Pick<BackendOptions, 'env' | 'sharing' | 'consumers' | 'until' | 'sandbox'> & {
    readonly hasNode?: boolean;
  } = {},
) {
  const atTheEnd: AtTheEnd = options.until ? end => void options.until?.push(end) : onTestFinished;
  const clock = testClock();
  const rates = await startRatesSandbox();
  atTheEnd(() => rates.close());
  const sources = Object.entries(rates.urls).map(([kind, url]) => `${kind}=${url}`);
  const env = { RATE_SOURCES: sources.join(','), OUTBOUND_ALLOW_LOOPBACK: 'true', ...options.env };
  const world = await aBackend({ ...options, database, clock, env });
  const business = await world.aBusiness();
  const key = await business.key(...permissionCodes);
  const { client } = world;
  const { checkouts, bitcoinInvoices } = world.backend.services;
  const { url: nodeUrl, wallet } = await aBitcoinNode(world, options.hasNode === false ? null : business.id, atTheEnd);

  /** By default of 10 pounds, which are 20,000 satoshis. */
  async function aCheckout(input: Record<string, unknown> = {}) {
    const body = { amount: 10_00, currency: 'GBP', orderId: 'order-7', ...input };
    const made = await client.call(createCheckout, { body }, { key });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.body;
  }
  async function read(id: string) {
    const found = await client.call(getCheckout, { params: { id } });
    if (found.status !== 200) throw new Error(JSON.stringify(found.body));
    return found.body;
  }
  /** Returns what a customer's wallet reads from the page. */
  async function open(id: string, network: 'lightning' | 'onchain') {
    const invoiceId = (await checkouts.find(id))?.invoiceId ?? '';
    const opened = await bitcoinInvoices.open(invoiceId, network);
    if (!opened.ok) throw new Error(opened.refusal.kind);
    const { bolt11, address, paymentHash } = opened.value;
    return { bolt11: bolt11 ?? '', address: address ?? '', paymentHash: paymentHash ?? '' };
  }
  /** Advances the service's clock until the condition holds, while replies arrive over real HTTP. */
  async function until(isTrue: () => Promise<boolean>, seconds = 1): Promise<void> {
    for (let turn = 0; turn < 2_000; turn += 1) {
      if (await isTrue()) return;
      clock.advance({ seconds });
    }
    throw new Error('the condition was never met; it must await something for other work to run');
  }
  const becomes = (id: string, status: string, seconds?: number) =>
    until(async () => (await read(id)).status === status, seconds);

  return { world, clock, client, business, key, rates, nodeUrl, wallet, aCheckout, read, open, until, becomes };
}
