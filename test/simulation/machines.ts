import { createHash } from 'node:crypto';
import { canonicalEnrolment, canonicalOutboxEntry } from '@florin/shared/signing/canonical.ts';
import { type KeyPair, signText } from '@florin/shared/signing/ed25519.ts';
import type { Services } from '../../backend/compose.ts';
import type { OfflineAttempt } from './observed.ts';
import { machineKeys, manager } from './refund-calls.ts';

/** Calls the service; undefined when the attempts run out. */
type Call = <Value>(work: (services: Services) => Promise<Value>) => Promise<Value | undefined>;
/** What a machine needs of its shop. */
type Environment = {
  readonly world: { readonly terminals: string[]; readonly business: { readonly id: string }; now(): number };
  readonly auditor: { readonly delivered: Map<string, OfflineAttempt>; report(what: string): void };
};

/** A terminal's machine: keeps its key and its outbox when it is enrolled again as another terminal. */
export class Machine {
  readonly #shop: Environment;
  readonly #slot: number;
  readonly #keys: KeyPair;
  readonly #sequences = new Map<string, number>();
  #serial: string | undefined;
  #outbox: { readonly attempt: OfflineAttempt; readonly entry: object }[] = [];

  constructor(shop: Environment, slot: number) {
    this.#shop = shop;
    this.#slot = slot;
    this.#keys = machineKeys(this.terminalId);
  }

  /** The id of the terminal that the machine is enrolled as now. */
  get terminalId(): string {
    return this.#shop.world.terminals[this.#slot] ?? '';
  }

  /** The machine id sent at enrolment. */
  get serial(): string {
    return this.#serial ?? this.terminalId;
  }

  /** Adds a wrong password to its outbox. */
  recordOffline({ staffId, paymentId }: Pick<OfflineAttempt, 'staffId' | 'paymentId'>): void {
    const { terminalId } = this;
    const sequence = (this.#sequences.get(terminalId) ?? 0) + 1;
    this.#sequences.set(terminalId, sequence);
    const entryId = `out_${createHash('sha256').update(`${terminalId} ${sequence}`).digest('hex').slice(0, 20)}`;
    const attemptedAt = this.#shop.world.now() - 1_000;
    const unsigned = {
      entryId,
      terminalId,
      sequence,
      kind: 'staff_check',
      staffId,
      paymentId,
      operation: 'REFUND_SALE',
      amountInCents: 100,
      status: 'failed',
      reason: 'invalid_signature',
      detail: null,
      attemptedAt: new Date(attemptedAt).toISOString(),
    } as const;
    const signature = signText(this.#keys.privateKey, canonicalOutboxEntry(unsigned));
    const attempt = { entryId, terminalId, staffId, paymentId, attemptedAt };
    this.#outbox.push({ attempt, entry: { ...unsigned, signature } });
  }

  /** Syncs its outbox, including entries of earlier enrolments, until they are acknowledged. */
  async deliver(call: Call): Promise<void> {
    const { terminalId } = this;
    const { auditor, world } = this.#shop;
    const sent = this.#outbox;
    if (sent.length === 0) return;
    const sender = { businessId: world.business.id, terminalId };
    const entries = sent.map(({ entry }) => entry);
    const lastSequence = this.#sequences.get(terminalId) ?? 0;
    const answer = await call(e => e.terminals.sync(sender, { configurationVersion: null, entries, lastSequence }));
    for (const { entryId, outcome, message } of answer?.acknowledged ?? []) {
      const attempt = sent.find(one => one.attempt.entryId === entryId)?.attempt;
      this.#outbox = this.#outbox.filter(one => one.attempt.entryId !== entryId);
      if (!attempt) auditor.report(`the service acknowledged ${entryId}, which was never sent`);
      else if (outcome !== 'refused') auditor.delivered.set(entryId, attempt);
      // A terminal may have recorded more wrong passwords than its lockout allows.
      else if (!message?.includes('lockout')) auditor.report(`a correct entry was refused: ${message}`);
    }
  }

  /** Removes the terminal and enrols the machine again. */
  async enrolAgain(call: Call): Promise<void> {
    const { world } = this.#shop;
    const { id: businessId } = world.business;
    const removed = this.terminalId;
    const terminalId = await call(async ({ terminals }) => {
      await terminals.remove(businessId, removed, manager);
      const { terminal, enrolment } = await terminals.create({ businessId, name: 'Till', mode: 'staff', by: manager });
      const { publicKey, privateKey } = this.#keys;
      const request = { code: enrolment.code, serial: `machine-${this.#slot}`, publicKey };
      const signature = signText(privateKey, canonicalEnrolment(request));
      const enrolled = await terminals.enrol({ ...request, signature });
      return enrolled.ok ? terminal.id : undefined;
    });
    if (terminalId === undefined) return;
    world.terminals[this.#slot] = terminalId;
    this.#serial = `machine-${this.#slot}`;
  }
}
