import { currencyNumber } from '@florin/shared/currency-numbers.ts';
import { type Money, money } from '@florin/shared/money.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type {
  Approved,
  AuthorisationOutcome,
  CardSummary,
  Declined,
  GatewayCallback,
  GatewayPaymentState,
  OperationOutcome,
  PaymentStateOutcome,
  ThreeDSecureStep,
  Unknown,
  UnknownCause,
} from '../gateway.ts';
import { checkSignature, parseBody, type WireField } from './signature.ts';

/** A verified reply: signed with our secret, whole, and naming no field twice. */
export type Reply = ReadonlyMap<string, string>;

/** What ties a reply to the request it answers: the signature alone does not. */
export type Binding = {
  readonly merchantId: string;
  readonly amount: Money;
} & ({ readonly uniqueReference: string; readonly otherThanReference?: string } | { readonly reference: string });

const unknownCodes: ReadonlyMap<number, UnknownCause> = new Map([
  [65536, 'in_progress'],
  [65548, 'gateway_error'],
  [65549, 'gateway_error'],
  [65550, 'gateway_error'],
  [65551, 'gateway_error'],
  [65552, 'gateway_error'],
  // Proves that an equal request arrived before, not that it was approved.
  [65554, 'duplicate'],
]);
const approvedCode = 0;
const partlyApprovedCode = 10;
const threeDSecureRequiredCode = 65802;
const noDataFoundCode = 65575;
const isThreeDSecureCode = (code: number) => code >= 65792 && code <= 65823;

/** States in which a transaction moves, or has moved, money. */
const movingStates = new Set(['approved', 'captured', 'tendered', 'accepted', 'deferred']);
/** States a transaction never leaves and in which it moves no money. */
const endedStates = new Set(['declined', 'referred', 'reversed', 'canceled', 'finished', 'rejected']);

/** Reads a raw reply and checks its signature. */
export function verifyReply(body: Buffer, secret: string): Result<Reply, Unknown> {
  const fields = parseBody(body);
  if (!fields) return err({ kind: 'unknown', cause: 'malformed_reply' });
  if (checkSignature(fields, secret) !== 'valid') return err({ kind: 'unknown', cause: 'bad_signature' });
  return ok(toReply(fields));
}

function toReply(fields: readonly WireField[]): Reply {
  return new Map(fields.map(field => [field.name, field.value]));
}

/** The outcome of a refund (linked or uncapped), decided by code, state and amount together. */
export function refundOutcome(reply: Reply, binding: Binding): OperationOutcome {
  const answer = finalAnswer(reply, binding);
  if (answer.kind !== 'approved') return answer;
  return answer.partly ? mismatch : approvedOf(answer);
}

/** The outcome of a card sale; `three_d_secure` when the customer's bank wants to be asked first. */
export function authorisationOutcome(reply: Reply, binding: Binding): AuthorisationOutcome | ThreeDSecureStep {
  if (codeOf(reply) === threeDSecureRequiredCode) return isBound(reply, binding) ? threeDSecureStep(reply) : mismatch;
  const answer = finalAnswer(reply, binding);
  if (answer.kind !== 'approved') return answer;
  const takenMinor = takenBy(reply);
  const wanted = binding.amount.amountMinor;
  const fits = answer.partly
    ? takenMinor !== undefined && takenMinor > 0 && takenMinor < wanted
    : takenMinor === wanted;
  if (!fits || takenMinor === undefined) return mismatch;
  return {
    ...approvedOf(answer),
    authorisationCode: reply.get('authorisationCode') ?? '',
    amount: money(takenMinor, binding.amount.currency),
    card: cardOf(reply) ?? { scheme: '', lastFour: '' },
  };
}

/** The outcome of a CANCEL: `canceled` is the only state that says the payment was voided. */
export function cancelOutcome(reply: Reply, binding: Binding): OperationOutcome {
  const code = codeOf(reply);
  if (code === undefined) return { kind: 'unknown', cause: 'malformed_reply' };
  if (reply.get('state') === 'canceled') {
    const received = integerOf(reply, 'amountReceived');
    if (!isBound(reply, binding) || (received !== undefined && received !== 0)) return mismatch;
    return { kind: 'approved', gatewayReference: reply.get('xref') ?? '', message: messageOf(reply) };
  }
  const unknown = unknownCodes.get(code);
  if (unknown) return { kind: 'unknown', cause: unknown };
  // A refusal carries no details of the payment; its reference is what ties it to our request.
  if (code === approvedCode || !isOurMerchant(reply, binding) || !hasReference(reply, binding)) return mismatch;
  return declinedOf(reply, code);
}

/** What a QUERY tells about a payment. */
export function paymentState(reply: Reply, expected: { merchantId: string; reference: string }): PaymentStateOutcome {
  const code = codeOf(reply);
  if (code === undefined) return { kind: 'unanswered', cause: 'malformed_reply' };
  if (!reply.get('action')?.startsWith('QUERY:')) {
    if (code === noDataFoundCode) return { kind: 'notFound' };
    return { kind: 'unanswered', cause: unknownCodes.get(code) ?? `response code ${code}` };
  }
  if (merchantOf(reply) !== expected.merchantId || reply.get('xref') !== expected.reference) {
    return { kind: 'unanswered', cause: 'reply_does_not_match' };
  }
  const refundedMinor = integerOf(reply, 'amountRefunded');
  return {
    kind: 'found',
    state: paymentStateOf(reply.get('state') ?? ''),
    receivedMinor: integerOf(reply, 'amountReceived') ?? 0,
    ...(refundedMinor === undefined ? {} : { refundedMinor }),
  };
}

/** What a posted callback says; undefined when it says nothing final. The caller has verified the signature. */
export function callbackOutcome(reply: Reply, merchantId: string): GatewayCallback | undefined {
  const action = reply.get('action') ?? '';
  const amountMinor = callbackAmount(reply, action);
  const uniqueReference = action.startsWith('CANCEL') ? operationOf(reply) : reply.get('transactionUnique');
  if (merchantOf(reply) !== merchantId || amountMinor === undefined || !uniqueReference) return undefined;
  const outcome = action.startsWith('CANCEL') ? canceledCallback(reply) : finalCallback(reply);
  if (!outcome) return undefined;
  const authorisationCode = reply.get('authorisationCode');
  const card = cardOf(reply);
  return {
    uniqueReference,
    outcome,
    amountMinor,
    ...(codeOf(reply) === partlyApprovedCode ? { isPart: true } : {}),
    ...(authorisationCode === undefined ? {} : { authorisationCode }),
    ...(card === undefined ? {} : { card }),
  };
}

/** The outcome a stored transaction shows, by its state alone; undefined while it is undecided or not understood. */
export function outcomeOfState(state: string): 'moves money' | 'ended' | 'received' | undefined {
  if (movingStates.has(state)) return 'moves money';
  if (endedStates.has(state)) return 'ended';
  return state === 'received' ? 'received' : undefined;
}

/** Where callbacks of one operation go. A CANCEL answers with its payment's references, so the address names ours. */
export function callbackUrlFor(callbackUrl: string, uniqueReference: string): string {
  const url = new URL(callbackUrl);
  url.searchParams.set('operation', uniqueReference);
  return url.href;
}

/** The fields sent to the customer's browser or back to the gateway under one name, `threeDSRequest[creq]` → `creq`. */
export function nestedFields(reply: Reply, root: string): Readonly<Record<string, string>> {
  const fields = [...reply].flatMap(([name, value]) => {
    const inner = name.startsWith(`${root}[`) && name.endsWith(']') ? name.slice(root.length + 1, -1) : '';
    return inner === '' ? [] : [[inner, value] as const];
  });
  return Object.fromEntries(fields);
}

type FinalAnswer =
  | { readonly kind: 'approved'; readonly gatewayReference: string; readonly message: string; readonly partly: boolean }
  | Declined
  | Unknown;

const mismatch: Unknown = { kind: 'unknown', cause: 'reply_does_not_match' };

/** Code and state must tell the same story about this very request; anything else stays unknown. */
function finalAnswer(reply: Reply, binding: Binding): FinalAnswer {
  const code = codeOf(reply);
  if (code === undefined) return { kind: 'unknown', cause: 'malformed_reply' };
  const unknown = unknownCodes.get(code);
  if (unknown) return { kind: 'unknown', cause: unknown };
  if (!isBound(reply, binding)) return mismatch;
  const state = reply.get('state') ?? '';
  if (code === approvedCode || code === partlyApprovedCode) {
    const gatewayReference = reply.get('xref') ?? '';
    if (!movingStates.has(state) || gatewayReference === '') return mismatch;
    return { kind: 'approved', gatewayReference, message: messageOf(reply), partly: code === partlyApprovedCode };
  }
  if (state === 'received') return { kind: 'unknown', cause: 'in_progress' };
  // A request refused before it was recorded (codes of the gateway's own) has no state.
  const ended = endedStates.has(state) || (state === '' && code >= 65536);
  return ended ? declinedOf(reply, code) : mismatch;
}

function approvedOf(answer: { gatewayReference: string; message: string }): Approved {
  return { kind: 'approved', gatewayReference: answer.gatewayReference, message: answer.message };
}

function declinedOf(reply: Reply, code: number): Declined {
  const gatewayReference = reply.get('xref');
  return {
    kind: 'declined',
    code: String(code),
    message: messageOf(reply),
    ...(gatewayReference ? { gatewayReference } : {}),
    ...(isThreeDSecureCode(code) ? { threeDSecure: threeDSecureFailure(reply) } : {}),
  };
}

/** `N` and `R` are the bank's own refusal; everything else means that the check did not come to an end. */
function threeDSecureFailure(reply: Reply): 'declined' | 'incomplete' {
  const status = reply.get('threeDSAuthenticated') ?? '';
  return status === 'N' || status === 'R' ? 'declined' : 'incomplete';
}

function threeDSecureStep(reply: Reply): ThreeDSecureStep | Unknown {
  const threeDSecureReference = reply.get('threeDSRef');
  const url = reply.get('threeDSURL');
  if (!threeDSecureReference || !url || !/^https?:\/\//.test(url)) return { kind: 'unknown', cause: 'malformed_reply' };
  const fields = nestedFields(reply, 'threeDSRequest');
  const gatewayReference = reply.get('xref');
  return {
    kind: 'three_d_secure',
    threeDSecureReference,
    ...(gatewayReference ? { gatewayReference } : {}),
    url,
    fields,
    step: 'threeDSMethodData' in fields ? 'method' : 'challenge',
  };
}

/** The amount a callback speaks of: what was taken, where a sale was approved, which may be a part of what was asked. */
function callbackAmount(reply: Reply, action: string): number | undefined {
  const asked = integerOf(reply, 'amount');
  const code = codeOf(reply);
  if (code === approvedCode) return action !== 'SALE' || takenBy(reply) === asked ? asked : undefined;
  if (code !== partlyApprovedCode) return asked;
  const taken = takenBy(reply);
  return action === 'SALE' && taken !== undefined && asked !== undefined && taken < asked ? taken : undefined;
}

function takenBy(reply: Reply): number | undefined {
  return integerOf(reply, 'amountReceived') || integerOf(reply, 'amountApproved') || undefined;
}

function canceledCallback(reply: Reply): Approved | Declined | undefined {
  const code = codeOf(reply);
  if (code === undefined || unknownCodes.has(code)) return undefined;
  if (reply.get('state') === 'canceled') {
    return { kind: 'approved', gatewayReference: reply.get('xref') ?? '', message: messageOf(reply) };
  }
  return code === approvedCode ? undefined : declinedOf(reply, code);
}

function finalCallback(reply: Reply): Approved | Declined | undefined {
  const action = reply.get('action') ?? '';
  if (action !== 'SALE' && action !== 'REFUND_SALE' && action !== 'REFUND') return undefined;
  const code = codeOf(reply);
  if (code === undefined || unknownCodes.has(code) || code === threeDSecureRequiredCode) return undefined;
  const state = reply.get('state') ?? '';
  if (code === approvedCode || code === partlyApprovedCode) {
    const gatewayReference = reply.get('xref') ?? '';
    if (!movingStates.has(state) || gatewayReference === '') return undefined;
    return { kind: 'approved', gatewayReference, message: messageOf(reply) };
  }
  return endedStates.has(state) ? declinedOf(reply, code) : undefined;
}

function operationOf(reply: Reply): string | undefined {
  const url = URL.parse(reply.get('callbackURL') ?? '');
  return url?.searchParams.get('operation') ?? undefined;
}

function paymentStateOf(state: string): GatewayPaymentState {
  switch (state) {
    case 'approved':
    case 'captured':
      return 'unsettled';
    case 'tendered':
    case 'deferred':
      return 'settling';
    case 'accepted':
      return 'settled';
    case 'canceled':
      return 'cancelled';
    case 'declined':
    case 'referred':
    case 'reversed':
    case 'finished':
    case 'rejected':
      return 'declined';
    default:
      return 'other';
  }
}

function isBound(reply: Reply, binding: Binding): boolean {
  const currency = currencyNumber(reply.get('currencyCode') ?? '');
  return (
    isOurMerchant(reply, binding) &&
    hasReference(reply, binding) &&
    integerOf(reply, 'amount') === binding.amount.amountMinor &&
    currency !== undefined &&
    currency === currencyNumber(binding.amount.currency)
  );
}

/** A new transaction is named by our unique reference and has a reference of its own; a CANCEL keeps its payment's. */
function hasReference(reply: Reply, binding: Binding): boolean {
  const reference = reply.get('xref');
  if ('reference' in binding) return reference === binding.reference;
  if (reply.get('transactionUnique') !== binding.uniqueReference) return false;
  return reference === undefined || reference !== binding.otherThanReference;
}

function isOurMerchant(reply: Reply, binding: Binding): boolean {
  return merchantOf(reply) === binding.merchantId;
}

/** The account the request was made for: the gateway may process it on a linked one. */
function merchantOf(reply: Reply): string | undefined {
  return reply.get('requestMerchantID') ?? reply.get('merchantID');
}

function codeOf(reply: Reply): number | undefined {
  return integerOf(reply, 'responseCode');
}

function integerOf(reply: Reply, name: string): number | undefined {
  const text = reply.get(name) ?? '';
  if (!/^\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

function messageOf(reply: Reply): string {
  return (reply.get('responseMessage') ?? '').slice(0, 200);
}

function cardOf(reply: Reply): CardSummary | undefined {
  const lastFour = /(\d{4})$/.exec(reply.get('cardNumberMask') ?? '')?.[1];
  if (lastFour === undefined) return undefined;
  return { scheme: (reply.get('cardScheme') ?? reply.get('cardType') ?? '').trim(), lastFour };
}
