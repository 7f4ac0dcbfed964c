import { expect, test } from 'vitest';
import { accountKeyOf, addressAt } from './account-key.ts';

/** Test vectors of BIP84 and BIP86: the accounts of `abandon … about`. */
const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const xpub86 =
  'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ';
const vpub =
  'vpub5Y6cjg78GGuNLsaPhmYsiw4gYX3HoQiRBiSwDaBXKUafCt9bNwWQiitDk5VZ5BVxYnQdwoTyXSs2JHRPAgjAvtbBrf8ZhDYe2jWAqvZVnsc';
const tpub =
  'tpubDC8msFGeGuwnKG9Upg7DM2b4DaRqg3CUZa5g8v2SRQ6K4NSkxUgd7HsL2XVWbVm39yBA4LAxysQAm397zwQSQoQgewGiYZqrA9DsP4zbQ1M';
const zprv =
  'zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE';
const xprv86 =
  'xprv9xgqHN7yz9MwCkxsBPN5qetuNdQSUttZNKw1dcYTV4mkaAFiBVGQziHs3NRSWMkCzvgjEe3n9xV8oYywvM8at9yRqyaZVz6TYYhX98VjsUk';

async function addresses(given: string, script?: 'bip84' | 'bip86', network: 'bitcoin' | 'regtest' = 'bitcoin') {
  const read = accountKeyOf(given, script);
  if (!read.ok) throw new Error(read.refusal);
  return Promise.all([0, 1].map(index => addressAt(read.value, index, network)));
}

test('the receiving addresses of the BIP84 test account', async () => {
  const wanted = ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'];
  expect(await addresses(zpub)).toEqual(wanted);
  for (const written of [
    `[73c5da0a/84'/0'/0']${zpub}`,
    `wpkh([73c5da0a/84h/0h/0h]${zpub}/0/*)#abcdefgh`,
    ` ${zpub}/<0;1>/* `,
  ])
    expect(await addresses(written)).toEqual(wanted);
});

test('the receiving addresses of the BIP86 test account', async () => {
  const wanted = [
    'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh',
  ];
  expect(await addresses(xpub86, 'bip86')).toEqual(wanted);
  expect(await addresses(`tr(${xpub86}/0/*)`)).toEqual(wanted);
  expect(await addresses(`[73c5da0a/86'/0'/0']${xpub86}`)).toEqual(wanted);
});

test('an account has one address sequence in every notation of its key', async () => {
  const sequence = (given: string, script?: 'bip84' | 'bip86') => {
    const read = accountKeyOf(given, script);
    return read.ok ? read.value.sequence : read.refusal;
  };
  expect(sequence(tpub, 'bip84')).toBe(sequence(vpub));
  expect(sequence(tpub, 'bip86')).not.toBe(sequence(vpub));
  expect(await addresses(tpub, 'bip84', 'regtest')).toEqual(await addresses(vpub, undefined, 'regtest'));
  expect((await addresses(vpub, undefined, 'regtest'))[0]).toMatch(/^bcrt1q/);
});

test.each([
  [zprv, /is a private key/],
  [xprv86, /is a private key/],
  ['KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn', /is a private key/],
  ['abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about', /is a private key/],
  [xpub86, /set `script`/],
  [`tr(${zpub})`, /contradicts/],
  [`[73c5da0a/86'/0'/0']${zpub}`, /contradicts/],
  [`${zpub.slice(0, -1)}t`, /must be the extended public key/],
  ['', /must be the extended public key/],
  ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', /must be the extended public key/],
  [
    'ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7Ke7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP',
    /unsupported type/,
  ],
])('%s is refused', (given, why) => {
  const read = accountKeyOf(given, undefined);
  expect(read.ok ? read.value : read.refusal).toMatch(why);
});

test('a key that is not a point on the curve has no addresses', async () => {
  const read = accountKeyOf(zpub, undefined);
  if (!read.ok) throw new Error(read.refusal);
  expect(await addressAt({ ...read.value, text: 'zpub' }, 0, 'bitcoin')).toBeUndefined();
});
