import { createCipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cardstreamAdapter } from '@florin/backend/gateways/cardstream/adapter.ts';
import type { CardGateway, EcommerceSale } from '@florin/backend/gateways/gateway.ts';
import {
  type CardGatewaySandbox,
  startCardGatewaySandbox,
} from '@florin/backend/programs/sandbox/card-gateway/server.ts';
import { type Money, money } from '@florin/shared/money.ts';
import type { Timers } from '@florin/shared/ports.ts';
import { afterEach, beforeEach, expect, vi } from 'vitest';

export const gbp = (amountMinor: number): Money => money(amountMinor, 'GBP');

/** Timers that fire only when a test expires them, never because the machine is busy. */
export function manualTimers() {
  const armed = new Set<() => void>();
  return {
    armedDelaysMs: [] as number[],
    after(delayMs: number, task: () => void) {
      this.armedDelaysMs.push(delayMs);
      armed.add(task);
      return () => armed.delete(task);
    },
    expire(): void {
      for (const task of armed) task();
      armed.clear();
    },
  };
}

export const visa = { number: '4929421234600821', expiryMonth: 12, expiryYear: 2031, securityCode: '356' };

export type GatewayWorld = Awaited<ReturnType<typeof aGatewayWorld>>;

/** A production adapter connected to a sandbox gateway over HTTP, and a server that receives its callbacks. */
export async function aGatewayWorld(
  options: { reporting?: boolean; cardPresent?: boolean; cardPresentSecret?: string } = {},
) {
  const sandbox = await startCardGatewaySandbox({ file: ':memory:' });
  const inbox = await callbackInbox();
  const timers = manualTimers();
  const gateway = adapterFor(sandbox, { callbackUrl: inbox.url, timers, ...options });
  return {
    gateway,
    /** Expires the timeouts of requests in progress, once the sandbox has applied the fault. */
    async timeOut(): Promise<void> {
      await vi.waitFor(() => expect(sandbox.control.faults()).toEqual([]), { interval: 5, timeout: 30_000 });
      timers.expire();
    },
    sandbox,
    inbox,
    async close() {
      await Promise.all([sandbox.close(), inbox.close()]);
    },
  };
}

/** Opens a new world for each test of the file. */
export function aGatewayWorldEach(): GatewayWorld {
  const world = {} as GatewayWorld;
  beforeEach(async () => {
    Object.assign(world, await aGatewayWorld());
  });
  afterEach(() => world.close());
  return world;
}

type TestAccount = Pick<
  CardGatewaySandbox['accounts'][number],
  'merchantID' | 'secret' | 'portalUser' | 'portalPassword' | 'cardPresentSecret'
>;

export function adapterFor(
  sandbox: Pick<CardGatewaySandbox, 'url' | 'cardPresentUrl'> & { readonly accounts: readonly TestAccount[] },
  options: {
    callbackUrl: string;
    timeoutMs?: number;
    reporting?: boolean;
    cardPresent?: boolean;
    cardPresentSecret?: string;
    secret?: string;
    timers?: Timers;
  },
): CardGateway {
  const account = sandbox.accounts[0];
  if (!account) throw new Error('the sandbox has no account');
  const { reporting = true, cardPresent = true, timers = manualTimers(), timeoutMs = 10_000 } = options;
  const opened = cardstreamAdapter({ timers, timeoutMs }).open({
    merchantId: account.merchantID,
    callbackUrl: options.callbackUrl,
    config: {
      url: sandbox.url,
      countryCode: 'GB',
      ...(reporting && { reportingUser: account.portalUser }),
      ...(cardPresent && { cardPresentUrl: sandbox.cardPresentUrl }),
    },
    secrets: {
      signature: options.secret ?? account.secret,
      ...(reporting && { reportingPassword: account.portalPassword }),
      ...(cardPresent && { cardPresent: options.cardPresentSecret ?? account.cardPresentSecret }),
    },
  });
  if (!opened.ok) throw new Error(opened.refusal.join('\n'));
  return opened.value;
}

export function reference(): string {
  return `ref_${randomUUID()}`;
}

export function aSale(amount: Money, changes: Partial<EcommerceSale> = {}): EcommerceSale {
  return { uniqueReference: reference(), amount, invoiceNumber: 'INV-1', card: visa, ...changes };
}

/** An approved online sale, captured and not yet settled. */
export async function anUnsettledSale(world: GatewayWorld, amount: Money) {
  const sale = aSale(amount);
  const outcome = await world.gateway.authoriseEcommerce(sale);
  if (outcome.kind !== 'approved') throw new Error(`sale was ${JSON.stringify(outcome)}`);
  return { ...sale, gatewayReference: outcome.gatewayReference };
}

export async function aSettledSale(world: GatewayWorld, amount: Money) {
  const sale = await anUnsettledSale(world, amount);
  world.sandbox.control.settle();
  return sale;
}

export function aRefund(sale: { gatewayReference: string; invoiceNumber: string }, amount: Money) {
  return {
    uniqueReference: reference(),
    gatewayReference: sale.gatewayReference,
    amount,
    invoiceNumber: sale.invoiceNumber,
  };
}

/** A card as the simulated reader returns it, encrypted as the sandbox's README.md describes. */
export function aReadCard(
  changes: { pan?: string; track?: 'chip' | 'contactless' | 'swipe'; key?: string; entryMode?: 'chip' | 'swipe' } = {},
) {
  const keySerialNumber = randomBytes(10).toString('hex');
  const key = hkdfSync('sha256', changes.key ?? 'florin-sandbox-reader-key-v1', keySerialNumber, 'card-block', 32);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), iv);
  const track = changes.track ?? 'chip';
  const plain = JSON.stringify({
    pan: changes.pan ?? visa.number,
    expiry: '3112',
    track,
    pinVerified: true,
    counter: 1,
  });
  const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { encryptedBlock: sealed.toString('base64'), keySerialNumber, entryMode: changes.entryMode ?? track };
}

/** Collects what the gateway posts; `next` resolves with the next body that satisfies it. */
async function callbackInbox() {
  const received: string[] = [];
  let waiting: { fits: (body: string) => boolean; resolve: (body: string) => void }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      received.push(body);
      for (const one of waiting.filter(({ fits }) => fits(body))) one.resolve(body);
      waiting = waiting.filter(({ fits }) => !fits(body));
      response.writeHead(200).end();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks/gateway`,
    received,
    next(text: string): Promise<string> {
      const fits = (body: string) => body.includes(text);
      const already = received.find(fits);
      return already === undefined ? new Promise(resolve => waiting.push({ fits, resolve })) : Promise.resolve(already);
    },
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
