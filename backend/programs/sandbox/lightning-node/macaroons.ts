import type { Random } from '@florin/shared/ports.ts';
import type { Call } from './faults.ts';
import { kept, type Store } from './store.ts';

/** The permission each call requires, in LND's terms. */
const permissionOf: Readonly<Record<Call, string>> = {
  GET_INFO: 'info:read',
  ADD_INVOICE: 'invoices:write',
  LOOKUP_INVOICE: 'invoices:read',
  LIST_INVOICES: 'invoices:read',
  CANCEL_INVOICE: 'invoices:write',
  SUBSCRIBE_INVOICES: 'invoices:read',
  NEW_ADDRESS: 'address:write',
  TRANSACTIONS: 'onchain:read',
  BALANCE: 'offchain:read',
  SEND_PAYMENT: 'offchain:write',
  TRACK_PAYMENT: 'offchain:read',
  LIST_PAYMENTS: 'offchain:read',
  SEND_COINS: 'onchain:write',
  BACKUP: 'offchain:read',
};

const receiving = ['info:read', 'invoices:read', 'invoices:write', 'address:write', 'onchain:read', 'offchain:read'];

/** `admin` permits everything; `receive` cannot send; `readonly` cannot create anything. */
const permissions = {
  admin: [...receiving, 'offchain:write', 'onchain:write'],
  receive: receiving,
  readonly: ['info:read', 'invoices:read', 'onchain:read', 'offchain:read'],
} as const;
export type Macaroons = Readonly<Record<keyof typeof permissions, string>>;

/** The node's macaroons in hexadecimal: created at the first start, and the same after a restart or a reset. */
export function macaroonsOf(store: Store, random: Random): Macaroons {
  // Version 2 of the format, as far as clients can tell.
  const make = (name: string) =>
    kept(store, `macaroon ${name}`, () => `0201036c6e64${Buffer.from(random.bytes(48)).toString('hex')}`);
  return { admin: make('admin'), receive: make('receive'), readonly: make('readonly') };
}

/** LND's message if it refuses a call with this macaroon. */
export function whyRefused(macaroons: Macaroons, given: string | undefined, call: Call): string | undefined {
  if (given === undefined || given === '') return 'expected 1 macaroon, got 0';
  const known = (Object.keys(permissions) as (keyof Macaroons)[]).find(name => macaroons[name] === given.toLowerCase());
  if (!known) return 'verification failed: signature mismatch after caveat verification';
  const allowed: readonly string[] = permissions[known];
  return allowed.includes(permissionOf[call]) ? undefined : 'permission denied';
}
