import type { Argon2Parameters } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { canonicalAuthorisation } from '@florin/shared/signing/canonical.ts';
import type { KeyPair } from '@florin/shared/signing/ed25519.ts';
import { keyPairOf, signText } from '@florin/shared/signing/ed25519.ts';
import type { Services } from '../../backend/compose.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import type { RefundOutcome } from '../../backend/money/refunds/service.ts';
import { clocksDifferMs } from './auditor.ts';
import { type Caller, shareOf } from './caller.ts';
import type { Instance } from './instance.ts';
import type { Action, Tampering } from './plan.ts';
import type { StaffMember } from './refund-calls.ts';
import type { Shop } from './shop.ts';
import { gbp } from './world.ts';

type Authorisation = { staffId: string; nonce: string; issuedAt: string; signature: string };
type TillRequest = {
  readonly of: 'CANCEL' | 'REFUND_SALE';
  readonly payment: PaymentRow;
  readonly amountMinor: number | null;
  readonly terminalId: string;
  readonly authorisation: Authorisation | undefined;
  readonly approval?: Authorisation;
  readonly requestId: string;
};

type AuthorisedRequest = TillRequest & { readonly authorisation: Authorisation };

/** Longer than a refused request may be approved. */
const approvableForMs = 5 * 60_000 + 1;
/** Refusals that follow once an approval was accepted as such. */
const limits: ReadonlySet<string> = new Set(['permission_denied', 'limit_exceeded', 'daily_limit_exceeded']);

function mayBeApproved(outcome: RefundOutcome): boolean {
  return (
    outcome.kind === 'refused' && 'approvableUntil' in outcome.refusal && outcome.refusal.approvableUntil !== undefined
  );
}

/** Staff at a terminal: sales, refunds, voids, and the misuse that must be refused. */
export class Till {
  readonly #caller: Caller;
  #signer: StaffMember | undefined;
  #used: { authorisation: Authorisation; request: TillRequest } | undefined;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async sell({ amountMinor, ending }: Extract<Action, { kind: 'sale' }>): Promise<void> {
    const { world, payments } = this.#caller.shop;
    const sale = { businessId: world.business.id, terminalId: this.#caller.terminal, saleId: world.aSaleId() };
    const taking = this.#caller.callWithRetries(instance =>
      world.authorise({ amount: gbp(amountMinor), terminalId: sale.terminalId, saleId: sale.saleId }, instance),
    );
    // Some sales are reversed while the authorisation is in progress.
    const taken = ending === 'reverse' && amountMinor < 300 ? undefined : await taking;
    if (taken?.ok && taken.value.status === 'unsettled' && (ending === 'complete' || ending === 'nothing'))
      payments.push(taken.value);
    if (ending === 'complete')
      await this.#caller.callWithRetries(instance => instance.call(e => e.payments.completeSale(sale)));
    const reverse = (reason: 'card_refused' | 'outcome_unknown') =>
      this.#caller.callWithRetries(instance => instance.call(e => e.payments.reverseSale(sale, reason)));
    if (ending === 'reverse') await reverse('card_refused');
    if (ending === 'reverseLate') {
      await this.#caller.shop.wait(45_000);
      // If the bank does not answer, staff stop waiting for it.
      const found = await this.#caller.callWithRetries(instance => instance.call(e => e.payments.sale(sale)));
      const reason = found?.status === 'pending' ? 'outcome_unknown' : 'card_refused';
      await reverse(reason);
      await this.#caller.shop.wait(20_000);
      await reverse(reason);
    }
    await taking;
  }

  /** Reverses a sale before its delayed authorisation arrives: that must not reach the bank. */
  async reverseBeforeAuthorising(): Promise<void> {
    const { world, auditor } = this.#caller.shop;
    const sale = { businessId: world.business.id, terminalId: this.#caller.terminal, saleId: world.aSaleId() };
    const given = await this.#caller.callWithRetries(instance =>
      instance.call(e => e.payments.reverseSale(sale, 'customer_cancelled')),
    );
    if (!given) return;
    const taken = await this.#caller.callWithRetries(instance =>
      world.authorise({ amount: gbp(500), ...sale }, instance),
    );
    if (taken?.ok) auditor.report(`sale ${sale.saleId} was authorised after it was reversed`);
  }

  async #sign(
    payment: PaymentRow,
    request: {
      challenged?: { staff: StaffMember | undefined; terminalId: string | undefined } | undefined;

      of: 'CANCEL' | 'REFUND_SALE';
      amountMinor: number | null;
      staff: StaffMember;
      password: 'right' | 'wrong';
      requested?: Authorisation;
    },
    instance: Instance,
  ): Promise<Authorisation | undefined> {
    const { world } = this.#caller.shop;
    rememberPassword(this.#caller.shop, request.staff);
    const signed = await world.calls.signed(
      payment,
      {
        kind: request.of,
        amountMinor: request.amountMinor,
        staff: request.staff,
        terminalId: this.#caller.terminal,
        ...(request.challenged ? { challenged: request.challenged } : {}),
        ...(request.requested ? { requested: request.requested } : {}),
        ...(request.password === 'wrong' ? { password: 'a wrong guess' } : {}),
      },
      instance,
    );
    return 'refused' in signed ? undefined : signed;
  }

  async staffRefund(action: Extract<Action, { kind: 'staffRefund' }>): Promise<void> {
    const { of, password, tampering } = action;
    const { plan, auditor } = this.#caller.shop;
    const payment = this.#caller.payment(action.payment);
    const staff = this.#caller.staff(action.staff);
    const amountMinor = of === 'CANCEL' ? null : shareOf(payment, action.share);
    const requestId = this.#caller.requestId();
    let refused: AuthorisedRequest | undefined;
    for (let turn = 0; turn <= action.repeats; turn += 1) {
      let attempts = 0;
      let { terminal: terminalId } = this.#caller;
      const outcome = await this.#caller.callWithRetries(async instance => {
        attempts += 1;
        const authorisation = plan.shop.isPasswordProtected
          ? await this.#sign(
              payment,
              { of, amountMinor, staff, password, ...this.#borrowed(tampering, staff) },
              instance,
            )
          : undefined;
        if (!authorisation && plan.shop.isPasswordProtected) return undefined;
        // A machine that was enrolled again calls as another terminal, with other request ids.
        terminalId = this.#caller.terminal;
        const request = { of, payment, amountMinor, terminalId, authorisation, requestId };
        if (tampering !== null && authorisation)
          return this.#tamper(tampering, { ...request, authorisation }, instance);
        const refund = await this.#send(instance, request);
        if (authorisation && mayBeApproved(refund)) refused = { ...request, authorisation };
        // A repeated request does not use up its authorisation.
        if (authorisation && refund.kind === 'done' && attempts === 1 && turn === 0) {
          this.#used = { authorisation, request };
          if (action.other === 0)
            await this.#tamper('replay', { ...request, authorisation, requestId: this.#caller.requestId() }, instance);
        }
        return refund;
      });
      this.#caller.noteOutcome(outcome);
      if (outcome?.kind !== 'done') continue;
      if (plan.shop.isPasswordProtected && password === 'wrong')
        auditor.report(`a wrong password made ${outcome.view.refund.id}`);
      this.#caller.callers.refunded(`${terminalId} ${requestId}`, outcome.view.refund.id);
    }
    if (refused) await this.#approve(refused, action);
  }

  /** A colleague approves what the first person was refused. Nothing else may be approved, and nothing twice. */
  async #approve(refused: AuthorisedRequest, action: Extract<Action, { kind: 'staffRefund' }>): Promise<void> {
    const { shop } = this.#caller;
    const approver = this.#caller.staff(action.staff + 1);
    const requestId = this.#caller.requestId();
    const send = (request: AuthorisedRequest, staff: StaffMember) =>
      this.#caller.callWithRetries(async instance => {
        const { of, payment, amountMinor, authorisation: requested } = request;
        const signed = { of, amountMinor, staff, password: 'right', requested } as const;
        const approval = await this.#sign(payment, signed, instance);
        return approval && this.#send(instance, { ...request, approval });
      });
    const mustFail = async (what: string, request: AuthorisedRequest, staff = approver) => {
      const outcome = await send({ ...request, requestId: this.#caller.requestId() }, staff);
      const isAllowed = outcome?.kind === 'done' || (outcome?.kind === 'refused' && limits.has(outcome.refusal.kind));
      if (isAllowed) shop.auditor.report(`${what} was approved`);
    };
    const first = shop.staff.find(({ row }) => row.id === refused.authorisation.staffId);
    if (first && action.other === 1) await mustFail('a request by the person who made it', refused, first);
    if (refused.of === 'REFUND_SALE' && action.other === 2)
      await mustFail('another amount than was requested', { ...refused, amountMinor: 1 });
    if (action.other === 3) {
      // On the process with the slowest clock too.
      await shop.wait(approvableForMs + clocksDifferMs);
      await mustFail('a request of long ago', refused);
      return;
    }
    const outcome = await send({ ...refused, requestId }, approver);
    this.#caller.noteOutcome(outcome);
    if (outcome?.kind !== 'done') return;
    this.#caller.callers.refunded(`${refused.terminalId} ${requestId}`, outcome.view.refund.id);
    await mustFail('an approved request once more', refused);
  }

  /** A delayed request that the terminal withdraws and may replace: at most one refund may be made. */
  async withdraw(action: Extract<Action, { kind: 'withdrawal' }>): Promise<void> {
    const { shop, terminal } = this.#caller;
    const { plan, auditor } = shop;
    const { of, lateMs } = action;
    const payment = this.#caller.payment(action.payment);
    const staff = this.#caller.staff(action.staff);
    const amountMinor = of === 'CANCEL' ? null : shareOf(payment, action.share);
    const requestId = this.#caller.requestId();
    const request = { of, payment, amountMinor, terminalId: terminal };
    const authorise = async (instance: Instance) =>
      plan.shop.isPasswordProtected
        ? this.#sign(payment, { of, amountMinor, staff, password: 'right' }, instance)
        : undefined;
    const authorisation = await this.#caller.callWithRetries(authorise);
    if (!authorisation && plan.shop.isPasswordProtected) return;
    const late = (async () => {
      await shop.wait(lateMs);
      return this.#caller.callWithRetries(instance => this.#send(instance, { ...request, authorisation, requestId }));
    })();
    const clientRequestId = `${terminal}:${requestId}`;
    const withdrawal = { businessId: shop.world.business.id, terminalId: terminal, clientRequestId };
    const withdrawn = await this.#caller.callWithRetries(async instance => ({
      known: await instance.call(e => e.refunds.withdraw(withdrawal)),
    }));
    if (withdrawn && !withdrawn.known) {
      auditor.withdrawn.add(clientRequestId);
      if (action.isAgain)
        await this.staffRefund({ ...action, kind: 'staffRefund', password: 'right', tampering: null, repeats: 0 });
    }
    const outcome = await late;
    this.#caller.noteOutcome(outcome);
    if (outcome?.kind === 'done' && auditor.withdrawn.has(clientRequestId))
      auditor.report(`${clientRequestId} was carried out after it was withdrawn`);
  }

  /** Sends requests that differ from what was signed: none may have an effect. */
  async #tamper(
    tampering: Tampering,
    request: TillRequest & { authorisation: Authorisation },
    instance: Instance,
  ): Promise<undefined> {
    const { world, staff, auditor } = this.#caller.shop;
    const changed: Record<Tampering, Partial<TillRequest>> = {
      amount: { amountMinor: (request.amountMinor ?? 0) + 1, of: 'REFUND_SALE' },
      payment: { payment: this.#caller.shop.payments.find(({ id }) => id !== request.payment.id) ?? request.payment },
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
    if (challenged?.staff === this.#signer || challenged?.terminalId === this.#caller.terminal) return undefined;
    if (tampering === 'late') await this.#caller.shop.wait(65_000);
    else if (isUnchanged && !challenged && !(tampering === 'replay' && this.#used)) return undefined;
    const outcome = await this.#send(instance, forged);
    if (outcome.kind === 'done') auditor.report(`a request with another ${tampering} than signed was carried out`);
    return undefined;
  }

  /** A challenge issued to another staff member or on another terminal. */
  #borrowed(tampering: Tampering | null, signer: StaffMember | undefined) {
    const { staff, world } = this.#caller.shop;
    this.#signer = signer;
    if (tampering === 'nonceOfStaff')
      return {
        challenged: { staff: staff.find(one => one !== signer) ?? this.#caller.staff(0), terminalId: undefined },
      };
    if (tampering === 'nonceOfTerminal')
      return {
        challenged: {
          staff: undefined,
          terminalId: world.terminals.find(id => id !== this.#caller.terminal) ?? this.#caller.terminal,
        },
      };
    return { challenged: undefined };
  }

  async guess({ staff, payment, times, atOnce }: Extract<Action, { kind: 'guesses' }>): Promise<void> {
    if (!this.#caller.shop.plan.shop.isPasswordProtected) return;
    const one = async () => {
      await this.#caller.callWithRetries(async instance => {
        const request = {
          of: 'REFUND_SALE',
          amountMinor: 100,
          staff: this.#caller.staff(staff),
          password: 'wrong',
        } as const;
        const authorisation = await this.#sign(this.#caller.payment(payment), request, instance);
        if (!authorisation) return;
        const { of, amountMinor } = request;
        const till = {
          of,
          amountMinor,
          terminalId: this.#caller.terminal,
          authorisation,
          requestId: this.#caller.requestId(),
        };
        const outcome = await this.#send(instance, { ...till, payment: this.#caller.payment(payment) });
        if (outcome.kind === 'done') this.#caller.shop.auditor.report(`a guess made ${outcome.view.refund.id}`);
      });
    };
    if (atOnce) await Promise.all(Array.from({ length: times }, one));
    else for (let turn = 0; turn < times; turn += 1) await one();
  }

  async changePassword({ staff: at, password }: Extract<Action, { kind: 'passwordChange' }>): Promise<void> {
    const { world, numbers, auditor } = this.#caller.shop;
    const staff = this.#caller.staff(at);
    const outcome = await this.#caller.callWithRetries(async instance => {
      const next = keyPairOf(Uint8Array.from({ length: 32 }, () => numbers.word() & 0xff));
      keysOf(this.#caller.shop).set(next.publicKey, next);
      const { businessId, id: staffId, staffNumber, salt, argon2Json } = staff.row;
      const challenge = await instance.call(e =>
        e.staff.challenge({ businessId, terminalId: this.#caller.terminal, staffNumber }),
      );
      if (!challenge.ok) return undefined;
      rememberPassword(this.#caller.shop, staff);
      const { nonce } = challenge.value;
      const argon2 = JSON.parse(argon2Json) as Argon2Parameters;
      const issuedAt = new Date(world.now()).toISOString();
      const text = canonicalAuthorisation({
        purpose: 'password',
        businessId,
        deviceId: this.#caller.terminal,
        staffId,
        newPublicKey: next.publicKey,
        newSalt: salt,
        newArgon2: argon2,
        nonce,
        issuedAt,
      });
      const keys = password === 'wrong' ? wrongKeys : (world.keys.get(staffId)?.keys ?? wrongKeys);
      const authorisation = { staffId, nonce, issuedAt, signature: signText(keys.privateKey, text) };
      const change = { businessId, terminalId: this.#caller.terminal, staffId, publicKey: next.publicKey, salt };
      return instance.call(e => e.staff.changePassword({ ...change, argon2, authorisation }));
    });
    if (outcome?.ok && password === 'wrong') auditor.report('a password was changed without the old one');
  }

  /** A wrong password while the terminal was offline, possibly synced much later. */
  async offlineCheck({ staff, payment, isKept }: Extract<Action, { kind: 'offlineCheck' }>): Promise<void> {
    const { machine } = this.#caller;
    machine.recordOffline({ staffId: this.#caller.staff(staff).row.id, paymentId: this.#caller.payment(payment).id });
    if (!isKept) await machine.deliver(this.#call);
  }

  /** Pending reports and reversals of one enrolment are delivered under the next. */
  async enrolAgain({ staff, payment, amountMinor }: Extract<Action, { kind: 'enrolAgain' }>): Promise<void> {
    const { machine, shop } = this.#caller;
    const { world, auditor } = shop;
    const { id: businessId } = world.business;
    const saleId = world.aSaleId();
    const { terminalId } = machine;
    const taken = await this.#caller.callWithRetries(instance =>
      world.authorise({ amount: gbp(amountMinor), terminalId, saleId }, instance),
    );
    machine.recordOffline({ staffId: this.#caller.staff(staff).row.id, paymentId: this.#caller.payment(payment).id });
    await machine.enrolAgain(this.#call);
    shop.note(`${terminalId} is now ${machine.terminalId}`);
    const reversed = await this.#call(e =>
      e.payments.reverseSale({ businessId, terminalId: machine.terminalId, saleId }, 'card_refused'),
    );
    if (taken?.ok && reversed && !reversed.ok)
      auditor.report(
        `sale ${saleId} has to be reversed and is unknown under the new enrolment: ${reversed.refusal.kind}`,
      );
    await machine.deliver(this.#call);
  }

  /**
   * A staff authorisation that is abandoned for a colleague's: the log must name the one whose password was checked.
   */
  async takeOver(action: Extract<Action, { kind: 'takeOver' }>): Promise<void> {
    const { shop } = this.#caller;
    if (!shop.plan.shop.isPasswordProtected) return;
    const { of } = action;
    const payment = this.#caller.payment(action.payment);
    const amountMinor = of === 'CANCEL' ? null : shareOf(payment, action.share);
    const request = { of, payment, amountMinor, terminalId: this.#caller.terminal };
    const [first, second] = [this.#caller.staff(action.staff), this.#caller.staff(action.staff + 1)];
    const startedAt = shop.world.now();
    let attempts = 0;
    const asked = await this.#caller.callWithRetries(async instance => {
      attempts += 1;
      const of1 = await this.#sign(payment, { of, amountMinor, staff: first, password: 'wrong' }, instance);
      const of2 = await this.#sign(payment, { of, amountMinor, staff: second, password: 'right' }, instance);
      return { of1, of2 };
    });
    const send = (authorisation: Authorisation | undefined, at: Instance) =>
      authorisation && this.#send(at, { ...request, authorisation, requestId: this.#caller.requestId() });
    await Promise.all([
      this.#caller.callWithRetries(async instance => {
        attempts += 1;
        const outcome = await send(asked?.of2, instance);
        this.#caller.noteOutcome(outcome);
        const isInTime = shop.world.now() - startedAt < 50_000;
        const isExpired = outcome?.kind === 'refused' && outcome.refusal.kind === 'authorisation_expired';
        if (isExpired && isInTime && attempts === 2 && request.terminalId === this.#caller.terminal)
          shop.auditor.report(`${second.row.id} was given a challenge and could not use it in time`);
      }),
      action.comesBack ? this.#caller.callWithRetries(async instance => send(asked?.of1, instance)) : undefined,
    ]);
  }

  readonly #call = <Value>(work: (services: Services) => Promise<Value>): Promise<Value | undefined> =>
    this.#caller.callWithRetries(instance => instance.call(work));

  /** Sends a request and counts it as an attempt of the staff member it names. */
  #send(instance: Instance, request: TillRequest): Promise<RefundOutcome> {
    const { of, payment, amountMinor, terminalId, authorisation, approval, requestId } = request;
    const { auditor } = this.#caller.shop;
    const signer = approval ?? authorisation;
    if (signer) auditor.attempted({ staffId: signer.staffId, terminalId, paymentId: payment.id, of, amountMinor });
    return instance.call(services =>
      services.refunds.requestCard({
        businessId: payment.businessId,
        paymentId: payment.id,
        kind: of,
        amountMinor,
        by: { kind: 'terminal', terminalId },
        authorisation,
        approval,
        reason: null,
        clientRequestId: `${terminalId}:${requestId}`,
      }),
    );
  }
}

const wrongKeys = keyPairOf(new Uint8Array(32).fill(7));

const passwords = new WeakMap<Shop, Map<string, KeyPair>>();
function keysOf(shop: Shop): Map<string, KeyPair> {
  const known = passwords.get(shop) ?? new Map<string, KeyPair>();
  passwords.set(shop, known);
  return known;
}

/** Keeps the new password for the staff member's next requests. */
function rememberPassword(shop: Shop, { row }: StaffMember): void {
  const entry = shop.world.keys.get(row.id);
  const current = shop.auditor.staff.get(row.id)?.publicKey ?? row.publicKey;
  const chosen = keysOf(shop).get(current);
  if (entry && chosen) shop.world.keys.set(row.id, { ...entry, keys: chosen });
}
