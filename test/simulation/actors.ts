import type { KeyedOutcome } from '@florin/backend/idempotency/service.ts';
import type { Argon2Parameters } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { canonicalAuthorisation } from '@florin/shared/signing/canonical.ts';
import type { KeyPair } from '@florin/shared/signing/ed25519.ts';
import { keyPairOf, signText } from '@florin/shared/signing/ed25519.ts';
import type { PaymentRow } from '../../backend/database/schema.ts';
import { refundRecordOf } from '../../backend/refunds/refund.ts';
import type { CardRefundRequest } from '../../backend/refunds/reservation.ts';
import type { RefundOutcome } from '../../backend/refunds/service.ts';
import type { Instance } from './instance.ts';
import { InstanceDied } from './instance.ts';
import type { Action, ActorPlan, Tampering } from './plan.ts';
import type { StaffMember } from './refund-calls.ts';
import { otherBusiness, type Shop } from './shop.ts';
import { gbp } from './world.ts';

type ApiCall = { readonly key: string; readonly payment: PaymentRow; readonly body: ApiBody };
type ApiBody = { readonly kind: 'CANCEL' | 'REFUND_SALE' | 'REFUND' | 'BITCOIN'; readonly amount: number | null };
type Authorisation = { staffId: string; nonce: string; issuedAt: string; signature: string };
type TillRequest = {
  readonly of: 'CANCEL' | 'REFUND_SALE';
  readonly payment: PaymentRow;
  readonly amountMinor: number | null;
  readonly terminalId: string;
  readonly authorisation: Authorisation | undefined;
  readonly requestId: string;
};

/** What callers see, over all processes: the promises of the service to those outside it. */
export class Callers {
  readonly #answers = new Map<string, string>();
  readonly #firsts = new Map<string, number>();
  readonly #refunds = new Map<string, string>();
  readonly #shop: Shop;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  /** Invariant 6: the same key gives the same reply, and one first. */
  answered(key: string, isFirst: boolean, answer: string): void {
    const known = this.#answers.get(key);
    if (known !== undefined && known !== answer) this.#shop.auditor.accuse(`key ${key} got two answers`);
    this.#answers.set(key, answer);
    const firsts = (this.#firsts.get(key) ?? 0) + (isFirst ? 1 : 0);
    this.#firsts.set(key, firsts);
    if (firsts > 1) this.#shop.auditor.accuse(`key ${key} was served twice`);
  }

  wasAnswered(key: string): boolean {
    return this.#answers.has(key);
  }

  /** The same request id stands for one refund. */
  refunded(requestId: string, refundId: string): void {
    const known = this.#refunds.get(requestId);
    if (known !== undefined && known !== refundId) this.#shop.auditor.accuse(`${requestId} made two refunds`);
    this.#refunds.set(requestId, refundId);
  }
}

/** One person or program at work: goes through its actions, and tries again when the line breaks. */
export class Actor {
  readonly #shop: Shop;
  readonly #plan: ActorPlan;
  readonly #callers: Callers;
  readonly #calls: ApiCall[] = [];
  #requests = 0;
  #signer: StaffMember | undefined;
  #used: { authorisation: Authorisation; request: TillRequest } | undefined;

  constructor(shop: Shop, plan: ActorPlan, callers: Callers) {
    this.#shop = shop;
    this.#plan = plan;
    this.#callers = callers;
  }

  async work(): Promise<void> {
    for (const action of this.#plan.actions) {
      await this.#shop.wait(action.afterMs);
      this.#shop.note(`${this.#name} ${action.kind}`);
      await this.#act(action);
    }
  }

  get #name(): string {
    return `${this.#plan.kind} ${this.#plan.id}`;
  }

  async #act(action: Action): Promise<void> {
    switch (action.kind) {
      case 'sale':
        return this.#sell(action);
      case 'reverseUnheard':
        return this.#reverseUnheard();
      case 'staffRefund':
        return this.#staffRefund(action);
      case 'guesses':
        return this.#guess(action);
      case 'passwordChange':
        return this.#changePassword(action);
      case 'offlineCheck':
        return this.#offlineCheck(action);
      case 'apiRefund':
        return this.#apiRefund(action);
      case 'repeatKey':
        return this.#repeatKey(action);
      case 'bitcoin':
        return this.#bitcoin(action);
      case 'foreign':
        return this.#foreign(action);
      case 'resolve':
        return this.#resolve(action);
      case 'limits':
      case 'permission':
      case 'unlock':
        return this.#manageStaff(action);
      case 'settlement':
        return this.#settle(action);
      case 'forgedCallback':
      case 'oldCallback':
        return this.#callback(action);
    }
  }

  /** Calls until a process lived long enough to answer; undefined when the caller gave up before. */
  async #tryHard<Value>(call: (instance: Instance) => Promise<Value>, turn?: number): Promise<Value | undefined> {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      try {
        return await call(await this.#shop.anInstance(turn === undefined ? undefined : turn + attempt));
      } catch (error) {
        if (!(error instanceof InstanceDied)) throw error;
      }
    }
    return undefined;
  }

  #payment(at: number): PaymentRow {
    const { payments } = this.#shop;
    const chosen = payments[at % payments.length];
    if (!chosen) throw new Error('the shop has no payment');
    return chosen;
  }

  #staff(at: number): StaffMember {
    const { staff } = this.#shop;
    const chosen = staff[at % staff.length];
    if (!chosen) throw new Error('the shop has no staff');
    return chosen;
  }

  get #terminal(): string {
    const { terminals } = this.#shop.world;
    return terminals[this.#plan.id % terminals.length] ?? '';
  }

  #heard(outcome: RefundOutcome | undefined): void {
    const said =
      outcome?.kind === 'done'
        ? `${outcome.view.refund.kind} ${outcome.view.refund.status}`
        : outcome?.kind === 'refused'
          ? outcome.refusal.kind
          : 'nothing';
    this.#shop.note(`${this.#name} is answered ${said}`);
  }

  #requestId(): string {
    this.#requests += 1;
    return `${this.#plan.id}-${this.#requests}`;
  }

  async #sell({ amountMinor, ending }: Extract<Action, { kind: 'sale' }>): Promise<void> {
    const { world, payments } = this.#shop;
    const sale = { businessId: world.business.id, terminalId: this.#terminal, saleId: world.aSaleId() };
    const taking = this.#tryHard(instance =>
      world.authorise({ amount: gbp(amountMinor), terminalId: sale.terminalId, saleId: sale.saleId }, instance),
    );
    // Some sales are given up while the bank is still being asked.
    const taken = ending === 'reverse' && amountMinor < 300 ? undefined : await taking;
    if (taken?.ok && taken.value.status === 'unsettled' && (ending === 'complete' || ending === 'nothing'))
      payments.push(taken.value);
    if (ending === 'complete') await this.#tryHard(instance => instance.call(e => e.payments.completeSale(sale)));
    const reverse = () => this.#tryHard(instance => instance.call(e => e.payments.reverseSale(sale, 'card_refused')));
    if (ending === 'reverse') await reverse();
    if (ending === 'reverseLate') {
      await this.#shop.wait(45_000);
      await reverse();
      await this.#shop.wait(20_000);
      await reverse();
    }
    await taking;
  }

  /** The terminal gives a sale up; its authorisation, delayed on its way, comes afterwards and must not reach the bank. */
  async #reverseUnheard(): Promise<void> {
    const { world, auditor } = this.#shop;
    const sale = { businessId: world.business.id, terminalId: this.#terminal, saleId: world.aSaleId() };
    const given = await this.#tryHard(instance =>
      instance.call(e => e.payments.reverseSale(sale, 'customer_cancelled')),
    );
    if (!given) return;
    const taken = await this.#tryHard(instance => world.authorise({ amount: gbp(500), ...sale }, instance));
    if (taken?.ok) auditor.accuse(`sale ${sale.saleId} was authorised after it was given up`);
  }

  async #sign(
    payment: PaymentRow,
    request: {
      challenged?: { staff: StaffMember | undefined; terminalId: string | undefined } | undefined;

      of: 'CANCEL' | 'REFUND_SALE';
      amountMinor: number | null;
      staff: StaffMember;
      password: 'right' | 'wrong';
    },
    instance: Instance,
  ): Promise<Authorisation | undefined> {
    const { world } = this.#shop;
    rememberPassword(this.#shop, request.staff);
    const signed = await world.calls.signed(
      payment,
      {
        kind: request.of,
        amountMinor: request.amountMinor,
        staff: request.staff,
        terminalId: this.#terminal,
        ...(request.challenged ? { challenged: request.challenged } : {}),
        ...(request.password === 'wrong' ? { password: 'a wrong guess' } : {}),
      },
      instance,
    );
    return 'refused' in signed ? undefined : signed;
  }

  async #staffRefund(action: Extract<Action, { kind: 'staffRefund' }>): Promise<void> {
    const { of, password, tampering } = action;
    const { plan, auditor } = this.#shop;
    const payment = this.#payment(action.payment);
    const staff = this.#staff(action.staff);
    const amountMinor = of === 'CANCEL' ? null : shareOf(payment, action.share);
    const requestId = this.#requestId();
    for (let turn = 0; turn <= action.repeats; turn += 1) {
      let attempts = 0;
      const outcome = await this.#tryHard(async instance => {
        attempts += 1;
        const authorisation = plan.shop.isPasswordProtected
          ? await this.#sign(
              payment,
              { of, amountMinor, staff, password, ...this.#borrowed(tampering, staff) },
              instance,
            )
          : undefined;
        if (!authorisation && plan.shop.isPasswordProtected) return undefined;
        const request = { of, payment, amountMinor, terminalId: this.#terminal, authorisation, requestId };
        if (tampering !== null && authorisation)
          return this.#tamper(tampering, { ...request, authorisation }, instance);
        const told = await refundAtTill(instance, request);
        // Of a request that was known already nobody looked at the authorisation: it is not used up.
        if (authorisation && told.kind === 'done' && attempts === 1 && turn === 0) {
          this.#used = { authorisation, request };
          if (action.other === 0)
            await this.#tamper('replay', { ...request, authorisation, requestId: this.#requestId() }, instance);
        }
        return told;
      });
      this.#heard(outcome);
      if (outcome?.kind !== 'done') continue;
      if (plan.shop.isPasswordProtected && password === 'wrong')
        auditor.accuse(`a wrong password made ${outcome.view.refund.id}`);
      this.#callers.refunded(`${this.#terminal} ${requestId}`, outcome.view.refund.id);
    }
  }

  /** Sends something else than was signed: none of it may ever do anything. */
  async #tamper(
    tampering: Tampering,
    request: TillRequest & { authorisation: Authorisation },
    instance: Instance,
  ): Promise<undefined> {
    const { world, staff, auditor } = this.#shop;
    const changed: Record<Tampering, Partial<TillRequest>> = {
      amount: { amountMinor: (request.amountMinor ?? 0) + 1, of: 'REFUND_SALE' },
      payment: { payment: this.#shop.payments.find(({ id }) => id !== request.payment.id) ?? request.payment },
      kind: request.of === 'CANCEL' ? { of: 'REFUND_SALE', amountMinor: 100 } : { of: 'CANCEL', amountMinor: null },
      terminal: { terminalId: world.terminals.find(id => id !== request.terminalId) ?? '' },
      staff: { authorisation: { ...request.authorisation, staffId: staff.at(-1)?.row.id ?? '' } },
      nonceOfStaff: {},
      nonceOfTerminal: {},
      replay: this.#used ? { ...this.#used.request, requestId: request.requestId } : {},
      late: {},
    };
    const forged = { ...request, ...changed[tampering] };
    const isUnchanged =
      forged.payment.id === request.payment.id &&
      forged.of === request.of &&
      forged.amountMinor === request.amountMinor &&
      forged.terminalId === request.terminalId &&
      forged.authorisation?.staffId === request.authorisation.staffId;
    const { challenged } = this.#borrowed(tampering, this.#signer);
    if (challenged?.staff === this.#signer || challenged?.terminalId === this.#terminal) return undefined;
    if (tampering === 'late') await this.#shop.wait(65_000);
    else if (isUnchanged && !challenged && !(tampering === 'replay' && this.#used)) return undefined;
    const outcome = await refundAtTill(instance, forged);
    if (outcome.kind === 'done') auditor.accuse(`a request with another ${tampering} than signed was carried out`);
    return undefined;
  }

  /** A challenge that was given to somebody else, or on another terminal. */
  #borrowed(tampering: Tampering | null, signer: StaffMember | undefined) {
    const { staff, world } = this.#shop;
    this.#signer = signer;
    if (tampering === 'nonceOfStaff')
      return { challenged: { staff: staff.find(one => one !== signer) ?? this.#staff(0), terminalId: undefined } };
    if (tampering === 'nonceOfTerminal')
      return {
        challenged: {
          staff: undefined,
          terminalId: world.terminals.find(id => id !== this.#terminal) ?? this.#terminal,
        },
      };
    return { challenged: undefined };
  }

  async #guess({ staff, payment, times, atOnce }: Extract<Action, { kind: 'guesses' }>): Promise<void> {
    if (!this.#shop.plan.shop.isPasswordProtected) return;
    const one = async () => {
      await this.#tryHard(async instance => {
        const request = { of: 'REFUND_SALE', amountMinor: 100, staff: this.#staff(staff), password: 'wrong' } as const;
        const authorisation = await this.#sign(this.#payment(payment), request, instance);
        if (!authorisation) return;
        const { of, amountMinor } = request;
        const till = { of, amountMinor, terminalId: this.#terminal, authorisation, requestId: this.#requestId() };
        const outcome = await refundAtTill(instance, { ...till, payment: this.#payment(payment) });
        if (outcome.kind === 'done') this.#shop.auditor.accuse(`a guess made ${outcome.view.refund.id}`);
      });
    };
    if (atOnce) await Promise.all(Array.from({ length: times }, one));
    else for (let turn = 0; turn < times; turn += 1) await one();
  }

  async #changePassword({ staff: at, password }: Extract<Action, { kind: 'passwordChange' }>): Promise<void> {
    const { world, numbers, auditor } = this.#shop;
    const staff = this.#staff(at);
    const outcome = await this.#tryHard(async instance => {
      const next = keyPairOf(Uint8Array.from({ length: 32 }, () => numbers.word() & 0xff));
      keysOf(this.#shop).set(next.publicKey, next);
      const { businessId, id: staffId, staffNumber, salt, argon2Json } = staff.row;
      const challenge = await instance.call(e =>
        e.staff.challenge({ businessId, terminalId: this.#terminal, staffNumber }),
      );
      if (!challenge.ok) return undefined;
      rememberPassword(this.#shop, staff);
      const { nonce } = challenge.value;
      const argon2 = JSON.parse(argon2Json) as Argon2Parameters;
      const issuedAt = new Date(world.now()).toISOString();
      const text = canonicalAuthorisation({
        purpose: 'password',
        businessId,
        deviceId: this.#terminal,
        staffId,
        newPublicKey: next.publicKey,
        newSalt: salt,
        newArgon2: argon2,
        nonce,
        issuedAt,
      });
      const keys = password === 'wrong' ? wrongKeys : (world.keys.get(staffId)?.keys ?? wrongKeys);
      const authorisation = { staffId, nonce, issuedAt, signature: signText(keys.privateKey, text) };
      const change = { businessId, terminalId: this.#terminal, staffId, publicKey: next.publicKey, salt };
      return instance.call(e => e.staff.changePassword({ ...change, argon2, authorisation }));
    });
    if (outcome?.ok && password === 'wrong') auditor.accuse('a password was changed without the old one');
  }

  /** A wrong password counted while the terminal was offline, handed over once. */
  async #offlineCheck({ staff, payment }: Extract<Action, { kind: 'offlineCheck' }>): Promise<void> {
    const { world } = this.#shop;
    const sale = this.#payment(payment);
    await this.#tryHard(instance =>
      instance.call(services =>
        world.database.write(tx =>
          services.staff.checks.recordOfflineCheck(tx, {
            businessId: world.business.id,
            terminalId: this.#terminal,
            staffId: this.#staff(staff).row.id,
            sale: { ...sale, paymentId: sale.id },
            kind: 'REFUND_SALE',
            amountMinor: 100,
            status: 'failed',
            reason: 'invalid_signature',
            detail: null,
            attemptedAt: world.now() - 1_000,
          }),
        ),
      ),
    );
  }

  async #apiRefund({ of, times, payment, share }: Extract<Action, { kind: 'apiRefund' }>): Promise<void> {
    const row = this.#payment(payment);
    const body: ApiBody = { kind: of, amount: of === 'CANCEL' ? null : shareOf(row, share) };
    const call = { key: `key-${this.#requestId()}`, payment: row, body };
    this.#calls.push(call);
    // Repetitions reach different processes where there are several.
    await Promise.all(Array.from({ length: times }, (_, turn) => this.#callApi(call, { turn })));
  }

  async #repeatKey({ other, isSameBody }: Extract<Action, { kind: 'repeatKey' }>): Promise<void> {
    const call = this.#calls[other % Math.max(1, this.#calls.length)];
    if (!call) return;
    if (isSameBody) {
      await this.#callApi(call);
      return;
    }
    const wasAnswered = this.#callers.wasAnswered(call.key);
    const outcome = await this.#callApi(
      { ...call, body: { ...call.body, amount: (call.body.amount ?? 0) + 1 } },
      { isOther: true },
    );
    if (wasAnswered && outcome && outcome.kind !== 'reused')
      this.#shop.auditor.accuse(`key ${call.key} served another body`);
  }

  async #callApi(
    { key, payment, body }: ApiCall,
    { isOther = false, turn }: { isOther?: boolean; turn?: number } = {},
  ) {
    const { world } = this.#shop;
    const outcome = await this.#tryHard(
      instance =>
        instance.call(services =>
          services.idempotency.run(
            {
              businessId: world.business.id,
              key,
              requestHash: JSON.stringify([payment.id, body]),
              runId: this.#requestId(),
              isGone: () => false,
            },
            async call => {
              const { kind, amount } = body;
              const response = (view: Parameters<typeof refundRecordOf>[0]) => ({
                status: view.refund.status === 'pending' ? 202 : 201,
                body: refundRecordOf(view),
              });
              const write = call.storing(response);
              const common = {
                businessId: world.business.id,
                paymentId: payment.id,
                by: { kind: 'api_key', apiKeyId: 'key_000001' } as const,
                reason: null,
                clientRequestId: write.clientRequestId,
                write,
              };
              const outcome =
                kind === 'BITCOIN'
                  ? await services.refunds.recordBitcoin({ ...common, amountSats: amount ?? 0 })
                  : await services.refunds.requestCard({ ...common, kind, amountMinor: amount });
              return outcome.kind === 'done' ? response(outcome.view) : { status: 409, error: outcome.refusal };
            },
          ),
        ),
      turn,
    );
    const response = outcome && responseIn(outcome);
    this.#shop.note(`${this.#name} is answered ${response ? answerOf(response) : outcome?.kind}`);
    // An error wrote nothing and stands for nothing: the same key may do better the next time.
    if (!isOther && outcome && response && response.status < 300)
      this.#callers.answered(key, outcome.kind === 'first', `${response.status} ${response.body}`);
    return outcome;
  }

  async #bitcoin({ share }: Extract<Action, { kind: 'bitcoin' }>): Promise<void> {
    const payment = this.#shop.bitcoin;
    if (!payment) return;
    const amount = Math.max(1, Math.floor((payment.amountSats ?? 0) * share));
    await this.#callApi({ key: `key-${this.#requestId()}`, payment, body: { kind: 'BITCOIN', amount } });
  }

  /** Another business's key and another business's terminal get nowhere. */
  async #foreign({ payment }: Extract<Action, { kind: 'foreign' }>): Promise<void> {
    const row = this.#payment(payment);
    const request: CardRefundRequest = {
      businessId: otherBusiness,
      paymentId: row.id,
      kind: 'REFUND_SALE',
      amountMinor: 100,
      by: { kind: 'api_key', apiKeyId: 'key_other' },
      reason: null,
      clientRequestId: `other-${this.#requestId()}`,
    };
    const outcome = await this.#tryHard(instance => instance.call(e => e.refunds.requestCard(request)));
    if (outcome && (outcome.kind !== 'refused' || outcome.refusal.kind !== 'payment_not_found'))
      this.#shop.auditor.accuse('a payment was found by another business');
    const found = await this.#tryHard(instance => instance.call(e => e.payments.byId(otherBusiness, row.id)));
    if (found) this.#shop.auditor.accuse('a payment was read by another business');
  }

  /** A manager decides; hastily, what the bank may decide otherwise. */
  async #resolve({ isHasty, other }: Extract<Action, { kind: 'resolve' }>): Promise<void> {
    const { auditor, world } = this.#shop;
    const pending = [...auditor.refunds.values()].filter(({ status }) => status === 'pending');
    const chosen = pending[other % Math.max(1, pending.length)];
    if (!chosen?.uniqueReference) return;
    const isSettled = auditor.ledger.rows.get(chosen.uniqueReference)?.booking !== undefined;
    const isCertain = isSettled || auditor.ledger.rows.get(chosen.uniqueReference)?.isDropped === true;
    if (!isCertain && !isHasty) return;
    if (!isCertain || isHasty) auditor.misjudged.add(auditor.payments.get(chosen.paymentId)?.gatewayReference ?? '');
    const isApproved = auditor.ledger.isApproved(chosen.uniqueReference) !== isHasty;
    await this.#tryHard(instance =>
      instance.call(e =>
        e.refunds.resolve({
          businessId: world.business.id,
          id: chosen.id,
          outcome: isApproved ? 'approved' : 'failed',
          evidence: 'read on the bank statement',
          gatewayReference: 'by hand',
          by: { kind: 'api_key', apiKeyId: 'key_000001' },
        }),
      ),
    );
  }

  async #manageStaff(action: Extract<Action, { kind: 'limits' | 'permission' | 'unlock' }>): Promise<void> {
    const { businessId, id } = this.#staff(action.staff).row;
    const by = { kind: 'api_key', apiKeyId: 'key_000001' } as const;
    await this.#tryHard(instance =>
      instance.call(async ({ staff }) => {
        if (action.kind === 'unlock') return staff.unlock(businessId, id, by);
        if (action.kind === 'permission')
          return staff.change(businessId, id, { mayRefundAndVoid: action.mayRefundAndVoid }, by);
        const { dailyLimitMinor, perTransactionLimitMinor } = action;
        return staff.change(businessId, id, { dailyLimitMinor, perTransactionLimitMinor }, by);
      }),
    );
  }

  async #settle({ isAll, payment, stage }: Extract<Action, { kind: 'settlement' }>): Promise<void> {
    this.#shop.world.gateway.settle(isAll ? undefined : (this.#payment(payment).gatewayReference ?? ''), stage);
  }

  async #callback({ kind, other }: Extract<Action, { kind: 'forgedCallback' | 'oldCallback' }>): Promise<void> {
    const { world, auditor } = this.#shop;
    const pending = [...auditor.refunds.values()].find(({ status }) => status === 'pending');
    const { bookings } = world.gateway;
    const old = bookings[other % Math.max(1, bookings.length)];
    const forged = pending && {
      operation: 'refundSale',
      uniqueReference: pending.uniqueReference,
      amountMinor: pending.amountMinor,
      approved: true,
      gatewayReference: 'forged',
      seal: 'forged',
    };
    if (kind === 'oldCallback' && old) auditor.ledger.requoted(old.uniqueReference);
    const body = kind === 'oldCallback' ? old && world.gateway.callbackOf(old) : forged && JSON.stringify(forged);
    if (!body) return;
    const outcome = await this.#tryHard(instance =>
      instance.call(({ gateways }) => gateways.takeCallback(world.gatewayAccountId, { rawBody: body, headers: {} })),
    );
    if (kind === 'forgedCallback' && outcome && outcome !== 'not_genuine')
      auditor.accuse('a callback that nobody signed was believed');
  }
}

function refundAtTill(instance: Instance, request: TillRequest): Promise<RefundOutcome> {
  const { of, payment, amountMinor, terminalId, authorisation, requestId } = request;
  return instance.call(services =>
    services.refunds.requestCard({
      businessId: payment.businessId,
      paymentId: payment.id,
      kind: of,
      amountMinor,
      by: { kind: 'terminal', terminalId },
      authorisation,
      reason: null,
      clientRequestId: `${terminalId}:${requestId}`,
    }),
  );
}

function shareOf(payment: PaymentRow, share: number): number {
  return Math.max(1, Math.floor(payment.amountMinor * share));
}

const wrongKeys = keyPairOf(new Uint8Array(32).fill(7));

const passwords = new WeakMap<Shop, Map<string, KeyPair>>();
function keysOf(shop: Shop): Map<string, KeyPair> {
  const known = passwords.get(shop) ?? new Map<string, KeyPair>();
  passwords.set(shop, known);
  return known;
}

/** Staff remember the password they chose last. */
function rememberPassword(shop: Shop, { row }: StaffMember): void {
  const entry = shop.world.keys.get(row.id);
  const current = shop.auditor.staff.get(row.id)?.publicKey ?? row.publicKey;
  const chosen = keysOf(shop).get(current);
  if (entry && chosen) shop.world.keys.set(row.id, { ...entry, keys: chosen });
}

/** What the caller of a key got, where the operation came that far. */
function responseIn(outcome: KeyedOutcome<object>): { readonly status: number; readonly body: string } | undefined {
  if (outcome.kind === 'replayed') return outcome;
  if (outcome.kind !== 'first') return undefined;
  const { status, body, error } = outcome.response as { status: number; body?: unknown; error?: unknown };
  return { status, body: JSON.stringify(body ?? error) };
}

function answerOf({ status, body }: { status: number; body: string }): string {
  const { kind, status: state } = JSON.parse(body) as { kind: string; status?: string };
  return `${status} ${kind} ${state ?? ''}`;
}
