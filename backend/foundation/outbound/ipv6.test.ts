import { createWebhook } from '@florin/shared/contracts/api-v1/webhooks.ts';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aBackend } from '../../../test/support/backend.ts';
import { testClock } from '../../../test/support/clock.ts';
import { type AddressPolicy, mayConnectTo, urlProblem } from './address.ts';
import { guardedOutbound } from './guarded.ts';

/** A failure prints its seed; `SEED=N` repeats it. */
const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };
const strict: AddressPolicy = { allowLoopback: false };

/** An address as its eight groups of sixteen bits. */
type Groups = readonly number[];
type Block = { readonly start: Groups; readonly bits: number };

function block(start: string, bits: number): Block {
  const [head = '', tail = ''] = start.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16)));
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => 0);
  return { start: [...groups(head), ...(start.includes('::') ? zeros : []), ...groups(tail)], bits };
}

/** Blocks that no policy allows. */
const neverAllowed = {
  unspecified: block('::', 128),
  'IPv4-compatible 10/8': block('::a00:0', 104),
  'IPv4-compatible 127/8': block('::7f00:0', 104),
  'IPv4-compatible 128/1': block('::8000:0', 97),
  'IPv4-translated': block('::ffff:0:0:0', 96),
  NAT64: block('64:ff9b::', 96),
  'local NAT64': block('64:ff9b:1::', 48),
  'discard-only': block('100::', 64),
  Teredo: block('2001::', 32),
  benchmarking: block('2001:2::', 48),
  ORCHID: block('2001:10::', 28),
  ORCHIDv2: block('2001:20::', 28),
  documentation: block('2001:db8::', 32),
  'documentation of RFC 9637': block('3fff::', 20),
  '6to4': block('2002::', 16),
  'not assigned': block('4000::', 3),
  'segment routing': block('5f00::', 16),
  'link-local': block('fe80::', 10),
  'site-local': block('fec0::', 10),
  multicast: block('ff00::', 8),
  'metadata service': block('fd00:ec2::254', 128),
  'mapped 0/8': block('::ffff:0:0', 104),
  'mapped 224/3': block('::ffff:e000:0', 99),
  'mapped metadata service': block('::ffff:a9fe:a9fe', 128),
};
const loopback = { loopback: block('::1', 128), 'mapped loopback': block('::ffff:7f00:0', 104) };
const privateBlocks = {
  'unique local': block('fc00::', 7),
  'mapped 10/8': block('::ffff:a00:0', 104),
  'mapped 172.16/12': block('::ffff:ac10:0', 108),
  'mapped 192.168/16': block('::ffff:c0a8:0', 112),
  'mapped 100.64/10': block('::ffff:6440:0', 106),
};
const publicBlocks = {
  'global unicast': block('2606:4700::', 32),
  'more of it': block('2a00:1450::', 32),
  'mapped 93.184/16': block('::ffff:5db8:0', 112),
};

/** An address of the block: of the bits that are free, often none, one or all are set. */
function addressIn({ start, bits }: Block): fc.Arbitrary<Groups> {
  const group = fc.oneof(fc.constantFrom(0, 0, 1, 0xffff, 0x7f00, 0xa9fe), fc.nat({ max: 0xffff }));
  return fc.array(group, { minLength: 8, maxLength: 8 }).map(free =>
    start.map((fixed, index) => {
      const freeBits = Math.min(16, Math.max(0, 16 * (index + 1) - bits));
      return fixed | ((free[index] ?? 0) & (2 ** freeBits - 1));
    }),
  );
}

type Notation = {
  readonly padded: boolean;
  readonly letters: 'lower' | 'upper' | 'mixed';
  /** Which of the runs of zeros is left out; undefined for none. */
  readonly compressed: number | undefined;
  /** The last 32 bits as an IPv4 address. */
  readonly dotted: boolean;
};
const notation: fc.Arbitrary<Notation> = fc.record({
  padded: fc.boolean(),
  letters: fc.constantFrom('lower', 'upper', 'mixed'),
  compressed: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
  dotted: fc.boolean(),
});

function written(address: Groups, { padded, letters, compressed, dotted }: Notation): string {
  const [high = 0, low = 0] = address.slice(6);
  const parts = address.slice(0, dotted ? 6 : 8).map(group => group.toString(16).padStart(padded ? 4 : 1, '0'));
  if (dotted) parts.push([high >> 8, high & 255, low >> 8, low & 255].join('.'));
  const text = withoutZeros(parts, compressed);
  if (letters === 'lower') return text;
  return letters === 'upper' ? text.toUpperCase() : text.replace(/[a-f]/g, letter => letter.toUpperCase());
}

function withoutZeros(parts: readonly string[], compressed: number | undefined): string {
  const runs: [number, number][] = [];
  for (const [index, part] of parts.entries()) {
    if (!/^0+$/.test(part)) continue;
    const last = runs.at(-1);
    if (last && last[1] === index) last[1] = index + 1;
    else runs.push([index, index + 1]);
  }
  const run = compressed === undefined ? undefined : runs[compressed % Math.max(1, runs.length)];
  return run ? `${parts.slice(0, run[0]).join(':')}::${parts.slice(run[1]).join(':')}` : parts.join(':');
}

/** The ways in which a URL carries an address. */
const urls: Readonly<Record<string, (address: string) => string>> = {
  plain: address => `https://[${address}]/`,
  'with a port': address => `https://[${address}]:8443/hooks?tenant=4#top`,
  'with a scheme in capitals': address => `HTTPS://[${address}]`,
};
const neverTakenUrls: Readonly<Record<string, (address: string) => string>> = {
  'by http': address => `http://[${address}]/`,
  'with a user': address => `https://shop.example@[${address}]/`,
  'with a user and a password': address => `https://user:shop.example@[${address}]:8443/`,
  'as the user of a host': address => `https://[${address}]@shop.example/`,
  'behind a backslash': address => `https://shop.example\\@[${address}]/`,
  'without brackets': address => `https://${address}/`,
  'in two pairs of brackets': address => `https://[[${address}]]/`,
  'with a zone': address => `https://[${address}%eth0]/`,
  'with an escaped zone': address => `https://[${address}%25eth0]/`,
  'with a numbered zone': address => `https://[${address}%251]/`,
  'with an escaped colon': address => `https://[${address.replace(':', '%3a')}]/`,
};

const addressOf = (blocks: Readonly<Record<string, Block>>) =>
  fc
    .tuple(fc.constantFrom(...Object.values(blocks)).chain(addressIn), notation)
    .map(([address, how]) => written(address, how));
const refused = addressOf({ ...neverAllowed, ...loopback, ...privateBlocks });
const runs = { numRuns: 4_000, ...seed };

describe('an IPv6 address, in every notation', () => {
  test.each(Object.entries({ ...neverAllowed, ...loopback, ...privateBlocks }))('of %s is refused', (_, of) => {
    fc.assert(
      fc.property(addressIn(of), notation, fc.constantFrom(...Object.values(urls)), (address, how, url) => {
        const text = written(address, how);
        expect([text, mayConnectTo(text, strict)]).toEqual([text, false]);
        expect([url(text), urlProblem(url(text), strict)]).toEqual([url(text), expect.stringMatching(/^must /)]);
      }),
      { ...runs, numRuns: 500 },
    );
  });

  test('that is public is accepted, so that others are not refused for their notation', () => {
    fc.assert(
      fc.property(addressOf(publicBlocks), fc.constantFrom(...Object.values(urls)), (text, url) => {
        expect([text, mayConnectTo(text, strict)]).toEqual([text, true]);
        expect([url(text), urlProblem(url(text), strict)]).toEqual([url(text), undefined]);
      }),
      runs,
    );
  });

  test.each(Object.entries(neverTakenUrls))('%s is refused, public or not', (_, url) => {
    fc.assert(
      fc.property(fc.oneof(refused, addressOf(publicBlocks)), text => {
        expect([url(text), urlProblem(url(text), strict)]).toEqual([url(text), expect.stringMatching(/^must /)]);
      }),
      { ...runs, numRuns: 500 },
    );
  });

  test('with a zone is never connected to', () => {
    fc.assert(
      fc.property(
        fc.oneof(refused, addressOf(publicBlocks)),
        fc.constantFrom('eth0', '1', '25eth0', ''),
        (text, zone) => {
          expect([text, mayConnectTo(`${text}%${zone}`, strict)]).toEqual([text, false]);
        },
      ),
      runs,
    );
  });

  test('is reached, if loopback or private addresses are allowed, only if it is one of them', () => {
    const both: AddressPolicy = { allowLoopback: true, allowPrivate: true };
    const allowed = (text: string) => [
      mayConnectTo(text, { allowLoopback: true }),
      mayConnectTo(text, { allowLoopback: false, allowPrivate: true }),
      mayConnectTo(text, both),
    ];
    const holds = (blocks: Readonly<Record<string, Block>>, expected: readonly boolean[]) =>
      fc.assert(
        fc.property(addressOf(blocks), text => {
          expect([text, allowed(text)]).toEqual([text, expected]);
        }),
        runs,
      );
    holds(loopback, [true, false, true]);
    holds(privateBlocks, [false, true, true]);
    holds(neverAllowed, [false, false, false]);
  });
});

test('an IPv6 address that is not public is refused when a webhook is created', async () => {
  const world = await aBackend({ env: { RATE_LIMIT_PER_KEY: '100000' } });
  const key = await (await world.aBusiness()).key('webhooks:write');
  const creation = fc.asyncProperty(refused, fc.constantFrom(...Object.values(urls)), async (text, form) => {
    const url = form(text);
    const made = await world.client.call(createWebhook, { body: { url, eventType: 'payment.completed' } }, { key });
    expect([url, made]).toMatchObject([
      url,
      { status: 400, body: { error: { message: expect.stringMatching(/^url: must /) } } },
    ]);
  });
  await fc.assert(creation, { ...runs, numRuns: 60 });
});

test('a name is connected to only if none of its addresses, in whatever notation, is refused', async () => {
  let addresses: readonly string[] = [];
  const outbound = guardedOutbound({
    policy: strict,
    timers: testClock(),
    resolve: async () => addresses.map(address => ({ address, family: 6 })),
  });
  onTestFinished(() => outbound.close());
  const connection = fc.asyncProperty(refused, fc.array(addressOf(publicBlocks)), fc.nat(), async (bad, good, at) => {
    addresses = good.toSpliced(at % (good.length + 1), 0, bad);
    const request = { url: 'https://shop.example/', headers: {}, body: '{}', timeoutMs: 30_000 };
    expect(await outbound.post(request)).toEqual({
      kind: 'address_refused',
      reason: `${bad} is a private or internal address`,
    });
    expect(await outbound.problemWith(request.url)).toBe('must not lead to a private or internal address');
  });
  await fc.assert(connection, { ...runs, numRuns: 300 });
});
