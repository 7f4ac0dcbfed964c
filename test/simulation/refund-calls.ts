import { createHash } from 'node:crypto';
import type { Money } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { canonicalAuthorisation } from '@florin/shared/signing/canonical.ts';
import { type KeyPair, keyPairOf, signText } from '@florin/shared/signing/ed25519.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import type { CardRefundKind } from '../../backend/money/refunds/refund.ts';
import type { CardRefundRequest } from '../../backend/money/refunds/reservation.ts';
import type { RefundOutcome } from '../../backend/money/refunds/service.ts';
import type { DerivePassword } from '../../backend/people/staff/password.ts';
import type { StaffRow } from '../../backend/people/staff/rows.ts';
import type { Instance } from './instance.ts';

export type StaffMember = { readonly row: StaffRow; readonly password: string };

const seeds: Uint8Array[] = [];
const keysOf = new Map<Uint8Array, KeyPair>();
let seedOf = new Map<string, Uint8Array>();

/** Restarts with the first seed: worlds share keys, which are expensive to derive. */
export function forgetPasswords(): void {
  seedOf = new Map();
}

/** Without Argon2's cost, which the invariants do not depend on: each password and salt of a world has its own seed. */
function quickSeed(password: string, salt: Uint8Array): Uint8Array {
  const name = `${Buffer.from(salt).toString('hex')} ${password}`;
  const known = seedOf.get(name);
  if (known) return known;
  const at = seedOf.size;
  const seed = seeds[at] ?? createHash('sha256').update(`password ${at}`).digest();
  seeds[at] = seed;
  seedOf.set(name, seed);
  return seed;
}

export const quickDerivation: DerivePassword = async (password, salt) => quickSeed(password, salt);

export function quickKeys(password: string, salt: Uint8Array): KeyPair {
  const seed = quickSeed(password, salt);
  const keys = keysOf.get(seed) ?? keyPairOf(seed);
  keysOf.set(seed, keys);
  return keys;
}

const keysOfMachines = new Map<string, KeyPair>();

/** A machine's key pair, cached by its id across worlds. */
export function machineKeys(name: string): KeyPair {
  const keys = keysOfMachines.get(name) ?? keyPairOf(createHash('sha256').update(`machine ${name}`).digest());
  keysOfMachines.set(name, keys);
  return keys;
}

/** The actor of a manager's decisions. */
export const manager = { kind: 'api_key', apiKeyId: 'key_000001' } as const;

/** The part of the world that callers use. */
type Environment = {
  readonly instance: Instance;
  readonly terminal: string;
  readonly keys: ReadonlyMap<string, { readonly salt: Uint8Array; readonly keys: KeyPair }>;
  now(): Instant;
};

/** Refund calls, as made by the shop's software and its terminals. */
export class RefundCalls {
  readonly #world: Environment;

  constructor(world: Environment) {
    this.#world = world;
  }

  apiRefund(
    payment: PaymentRow,
    request: { kind: CardRefundKind; amount?: Money; clientRequestId?: string },
    instance: Instance = this.#world.instance,
  ): Promise<RefundOutcome> {
    return instance.call(services => services.refunds.requestCard(this.apiRequest(payment, request)));
  }

  async terminalRefund(
    payment: PaymentRow,
    request: {
      kind?: 'CANCEL' | 'REFUND_SALE';
      amount?: Money;
      staff?: StaffMember;
      password?: string;
      terminal?: string;
      requestId?: string;
    },
    instance: Instance = this.#world.instance,
  ): Promise<RefundOutcome | { kind: 'refused'; refusal: { kind: 'staff_locked' | 'staff_unknown' } }> {
    const terminalId = request.terminal ?? this.#world.terminal;
    const kind = request.kind ?? 'REFUND_SALE';
    const amountMinor = request.amount?.amountMinor ?? null;
    const authorised = request.staff
      ? await this.signed(payment, { ...request, staff: request.staff, kind, amountMinor, terminalId }, instance)
      : undefined;
    if (authorised && 'refused' in authorised) return { kind: 'refused', refusal: authorised.refused };
    return instance.call(services =>
      services.refunds.requestCard({
        businessId: payment.businessId,
        paymentId: payment.id,
        kind,
        amountMinor,
        by: { kind: 'terminal', terminalId },
        authorisation: authorised,
        reason: null,
        clientRequestId: request.requestId === undefined ? null : `${terminalId}:${request.requestId}`,
      }),
    );
  }

  apiRequest(
    payment: PaymentRow,
    request: { kind: CardRefundKind; amount?: Money; clientRequestId?: string },
  ): CardRefundRequest {
    return {
      businessId: payment.businessId,
      paymentId: payment.id,
      kind: request.kind,
      amountMinor: request.amount?.amountMinor ?? null,
      by: { kind: 'api_key', apiKeyId: 'key_000001' },
      reason: null,
      clientRequestId: request.clientRequestId ?? null,
    };
  }

  /** Authorises a request as a terminal does: challenge, key, signature over the exact request. */
  async signed(
    payment: PaymentRow,
    request: {
      kind: 'CANCEL' | 'REFUND_SALE';
      amountMinor: number | null;
      staff: StaffMember;
      password?: string;
      terminalId: string;
      /** The staff member and terminal of the challenge; by default those of the request. */
      challenged?: { staff: StaffMember | undefined; terminalId: string | undefined };
      /** What another staff member signed, to approve it. */
      requested?: { readonly staffId: string; readonly nonce: string };
    },
    instance: Instance = this.#world.instance,
  ) {
    const { staff, terminalId, kind, challenged } = request;
    const challenge = await instance.call(services =>
      services.staff.challenge({
        businessId: payment.businessId,
        terminalId: challenged?.terminalId ?? terminalId,
        staffNumber: (challenged?.staff ?? staff).row.staffNumber,
      }),
    );
    if (!challenge.ok) return { refused: challenge.refusal };
    const { nonce } = challenge.value;
    const known = this.#world.keys.get(staff.row.id);
    if (!known) throw new Error(`no key of ${staff.row.id}`);
    const keys = request.password === undefined ? known.keys : quickKeys(request.password, known.salt);
    const issuedAt = new Date(this.#world.now()).toISOString();
    const { requested } = request;
    const operation = {
      businessId: payment.businessId,
      deviceId: terminalId,
      staffId: staff.row.id,
      paymentId: payment.id,
      kind,
      amount: kind === 'CANCEL' ? null : request.amountMinor,
      currency: payment.currency,
      nonce,
      issuedAt,
    };
    const text = canonicalAuthorisation(
      requested
        ? { purpose: 'approval', ...operation, requestedBy: requested.staffId, requestNonce: requested.nonce }
        : { purpose: kind === 'CANCEL' ? 'void' : 'refund', ...operation },
    );
    return { staffId: staff.row.id, nonce, issuedAt, signature: signText(keys.privateKey, text) };
  }
}
