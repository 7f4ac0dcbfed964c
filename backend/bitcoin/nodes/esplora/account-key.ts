import { hash } from 'node:crypto';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { createBase58check } from '@scure/base';
import type { AddressSequence } from '../adapter.ts';
import type { BitcoinNetwork } from '../node.ts';

/** The address type of a key: BIP84 (`bc1q…`) or BIP86 (`bc1p…`, taproot). */
export type Script = 'bip84' | 'bip86';

/** The extended public key of an account, as wallets export it. */
export type AccountKey = {
  /** Base58 with its original version bytes. */
  readonly text: string;
  readonly version: number;
  readonly script: Script;
  readonly isMainnet: boolean;
  /** Identifies its address sequence, independent of the key's notation. */
  readonly sequence: AddressSequence;
};

type Version = { readonly script?: Script; readonly isMainnet: boolean };

/** SLIP-132: the meaning of the first four bytes of an extended public key. */
const publicVersions: ReadonlyMap<number, Version> = new Map<number, Version>([
  [0x0488b21e, { isMainnet: true }],
  [0x04b24746, { isMainnet: true, script: 'bip84' }],
  [0x043587cf, { isMainnet: false }],
  [0x045f1cf6, { isMainnet: false, script: 'bip84' }],
]);
const privateVersions: ReadonlySet<number> = new Set([
  0x0488ade4, 0x049d7878, 0x04b2430c, 0x04358394, 0x044a4e28, 0x045f18bc, 0x0295b005, 0x02aa7a99, 0x024285b5,
  0x02575048,
]);

const descriptor = /^(wpkh|tr)\((.*)\)(?:#[a-z0-9]{8})?$/;
const withOrigin = /^\[[0-9a-fA-F]{8}((?:\/\d+['hH]?)*)\](.*)$/;
const branch = /\/(?:0|<0;1>)\/\*$/;

/** A key in wallet import format, or seed words. */
const looksPrivate = /^[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}$|^([a-z]+ ){11,}[a-z]+$/;
const isPrivate =
  'is a private key, which can spend funds: give the public key of the account (xpub, zpub, tpub or vpub)';
const isNone = 'must be the extended public key of an account (xpub, zpub, tpub or vpub), as a wallet exports it';

/**
 * Parses a key in the notations of wallets: alone, with its origin (`[d34db33f/84h/0h/0h]xpub…`), or as a descriptor
 * (`wpkh(…)`, `tr(…)`) of its receiving addresses. Anything else is refused with the reason.
 */
export function accountKeyOf(given: string, wanted: Script | undefined): Result<AccountKey, string> {
  const [, wrapper, inside = given.trim()] = descriptor.exec(given.trim()) ?? [];
  const [, path = '', bare = inside] = withOrigin.exec(inside) ?? [];
  const text = bare.replace(branch, '');
  const bytes = decoded(text);
  if (bytes?.length !== 78) return err(looksPrivate.test(text) ? isPrivate : isNone);
  const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (privateVersions.has(version) || bytes[45] === 0) return err(isPrivate);
  const known = publicVersions.get(version);
  if (!known) return err('has an unsupported type: give a BIP84 or BIP86 account');
  const scripts = [scriptOfWrapper[wrapper ?? ''], scriptOfPath(path), known.script, wanted].filter(
    one => one !== undefined,
  );
  const [script] = scripts;
  if (script === undefined) return err('does not state its address type: set `script` to bip84 or bip86');
  if (scripts.some(one => one !== script))
    return err(`is a ${script} key, which contradicts \`script\` or its own notation`);
  const sequence = `addresses:${script}:${hash('sha256', bytes.subarray(13)).slice(0, 32)}` as const;
  return ok({ text, version, script, isMainnet: known.isMainnet, sequence });
}

const scriptOfWrapper: Readonly<Record<string, Script>> = { wpkh: 'bip84', tr: 'bip86' };

function scriptOfPath(path: string): Script | undefined {
  const purpose = /^\/(\d+)['hH]/.exec(path)?.[1];
  return purpose === '84' ? 'bip84' : purpose === '86' ? 'bip86' : undefined;
}

const base58 = createBase58check((bytes: Uint8Array) => new Uint8Array(hash('sha256', bytes, 'buffer')));

function decoded(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text);
  } catch {
    // Not base58, or an invalid checksum.
    return undefined;
  }
}

const prefixes: Readonly<Record<BitcoinNetwork, string>> = {
  bitcoin: 'bc',
  testnet: 'tb',
  signet: 'tb',
  regtest: 'bcrt',
};

/**
 * The receiving address of an index (`…/0/index`). Undefined for the rare index without one, and for a key that is not
 * on the curve.
 */
export async function addressAt(key: AccountKey, index: number, network: BitcoinNetwork): Promise<string | undefined> {
  const [{ HDKey }, { NETWORK, p2tr, p2wpkh }] = await Promise.all([
    import('@scure/bip32'),
    import('@scure/btc-signer'),
  ]);
  try {
    const account = HDKey.fromExtendedKey(key.text, { public: key.version, private: 1 });
    const { publicKey } = account.deriveChild(0).deriveChild(index);
    if (!publicKey) return undefined;
    const on = { ...NETWORK, bech32: prefixes[network] };
    return key.script === 'bip84' ? p2wpkh(publicKey, on).address : p2tr(publicKey.subarray(1), undefined, on).address;
  } catch {
    // The library throws for invalid keys.
    return undefined;
  }
}
