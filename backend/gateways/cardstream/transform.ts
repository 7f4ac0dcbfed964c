import { money } from '@florin/shared/money.ts';
import type {
  Approved,
  AuthorisationOutcome,
  Declined,
  GatewayPaymentState,
  NotSent,
  PaymentStateOutcome,
  ThreeDSecureStep,
  Unknown,
} from '../gateway.ts';
import { type Binding, differenceOf, isAboutPaymentOf, originDifferenceOf } from './binding.ts';
import { isThreeDSecureCode, meaningOf, noDataFoundCode } from './codes.ts';
import {
  cardOf,
  codeOf,
  integerOf,
  merchantOf,
  messageOf,
  nestedFields,
  operationNamedBy,
  type Reply,
  takenBy,
  unknown,
} from './reply.ts';

/** States in which a transaction moves or has moved money. */
const movingStates = new Set(['approved', 'captured', 'tendered', 'accepted', 'deferred']);
/** Final states in which a transaction moves no money. */
const endedStates = new Set(['declined', 'referred', 'reversed', 'canceled', 'finished', 'rejected']);

/** The outcomes of a reply, which exclude `notSent`. */
export type ReplyOutcome = Approved | Declined | Unknown;

/** The outcome of a refund (linked or uncapped), from code, state and amount together. */
export function refundOutcome(reply: Reply, binding: Binding): ReplyOutcome {
  const outcome = transactionOutcome(reply, binding);
  if (outcome.kind !== 'approved') return outcome;
  const { partly, ...approved } = outcome;
  return partly ? unknown('amount_differs') : approved;
}

/** The outcome of a card sale; `three_d_secure` if the customer's bank requires a check first. */
export function authorisationOutcome(
  reply: Reply,
  binding: Binding,
): Exclude<AuthorisationOutcome, NotSent> | ThreeDSecureStep {
  const code = codeOf(reply);
  if (code !== undefined && meaningOf(code) === 'three_d_secure') {
    const failure = differenceOf(reply, binding);
    return failure ? unknown(failure) : threeDSecureStep(reply);
  }
  const outcome = transactionOutcome(reply, binding);
  if (outcome.kind !== 'approved') return outcome;
  const { partly, ...approved } = outcome;
  const takenMinor = takenBy(reply);
  const askedMinor = integerOf(reply, 'amount');
  if (takenMinor === undefined || askedMinor === undefined) return unknown('amount_differs');
  if (partly ? takenMinor >= askedMinor : takenMinor !== askedMinor) return unknown('amount_differs');
  return {
    ...approved,
    authorisationCode: reply.get('authorisationCode') ?? '',
    amount: money(takenMinor, binding.amount.currency),
    card: cardOf(reply) ?? { scheme: null, lastFour: '' },
  };
}

/** The outcome of a CANCEL: only the state `canceled` means the payment was voided. */
export function cancelOutcome(reply: Reply, binding: Binding): ReplyOutcome {
  const code = codeOf(reply);
  if (code === undefined) return unknown('malformed');
  const meaning = meaningOf(code);
  const isCanceled = reply.get('state') === 'canceled';
  switch (meaning) {
    case 'approved': {
      const failure = differenceOf(reply, binding);
      if (failure) return unknown(failure);
      if (!isCanceled || (integerOf(reply, 'amountReceived') ?? 0) !== 0) return unknown('contradictory');
      return { kind: 'approved', gatewayReference: reply.get('xref') ?? '', message: messageOf(reply) };
    }
    case 'declined': {
      const failure = refusedCancelDifference(reply, binding);
      if (failure) return unknown(failure);
      return isCanceled ? unknown('contradictory') : declinedOf(reply, code);
    }
    case 'partly_approved':
    case 'three_d_secure':
      return unknown('contradictory');
    case 'in_progress':
    case 'gateway_error':
    case 'duplicate':
    case 'unrecognised_code':
      return unknown(meaning);
  }
}

/** The state of a payment from the reply to a QUERY. */
export function paymentState(reply: Reply, expected: { merchantId: string; reference: string }): PaymentStateOutcome {
  const code = codeOf(reply);
  if (code === undefined) return { kind: 'unanswered', cause: 'malformed' };
  if (!reply.get('action')?.startsWith('QUERY:')) {
    if (code === noDataFoundCode) return { kind: 'notFound' };
    return { kind: 'unanswered', cause: `response code ${code}` };
  }
  if (merchantOf(reply) !== expected.merchantId) return { kind: 'unanswered', cause: 'merchant_differs' };
  if (reply.get('xref') !== expected.reference) return { kind: 'unanswered', cause: 'gateway_reference_differs' };
  const refundedMinor = integerOf(reply, 'amountRefunded');
  return {
    kind: 'found',
    state: paymentStateOf(reply.get('state') ?? ''),
    receivedMinor: integerOf(reply, 'amountReceived') ?? 0,
    ...(refundedMinor === undefined ? {} : { refundedMinor }),
  };
}

/** The outcome of a stored transaction by its state alone; undefined if undecided or unrecognised. */
export function outcomeOfState(state: string): 'moves money' | 'ended' | 'received' | undefined {
  if (movingStates.has(state)) return 'moves money';
  if (endedStates.has(state)) return 'ended';
  return state === 'received' ? 'received' : undefined;
}

type TransactionOutcome =
  | {
      readonly kind: 'approved';
      readonly gatewayReference: string;
      readonly message: string;
      readonly partly: boolean;
    }
  | Declined
  | Unknown;

/** Code, state and amounts must describe the same outcome of this request; otherwise it is unknown. */
function transactionOutcome(reply: Reply, binding: Binding): TransactionOutcome {
  const code = codeOf(reply);
  if (code === undefined) return unknown('malformed');
  const meaning = meaningOf(code);
  switch (meaning) {
    case 'approved':
    case 'partly_approved':
    case 'declined': {
      const failure = differenceOf(reply, binding);
      if (failure) return unknown(failure);
      break;
    }
    case 'three_d_secure':
      return unknown('contradictory');
    case 'in_progress':
    case 'gateway_error':
    case 'duplicate':
    case 'unrecognised_code':
      return unknown(meaning);
  }
  const state = reply.get('state') ?? '';
  if (meaning !== 'declined') {
    const gatewayReference = reply.get('xref') ?? '';
    if (!movingStates.has(state) || gatewayReference === '') return unknown('contradictory');
    return { kind: 'approved', gatewayReference, message: messageOf(reply), partly: meaning === 'partly_approved' };
  }
  if (state === 'received') return unknown('in_progress');
  // A request refused before it was recorded (with one of the gateway's own codes) has no state.
  const ended = endedStates.has(state) || (state === '' && code >= 65536);
  return ended && (integerOf(reply, 'amountReceived') ?? 0) === 0 ? declinedOf(reply, code) : unknown('contradictory');
}

/** A refused CANCEL repeats no field of the payment: its reference or our callback URL ties it to our request. */
function refusedCancelDifference(reply: Reply, binding: Binding) {
  const isTied = isAboutPaymentOf(reply, binding) || operationNamedBy(reply) === binding.uniqueReference;
  return originDifferenceOf(reply, binding) ?? (isTied ? undefined : 'gateway_reference_differs');
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

/** `N` and `R` are refusals by the bank; any other status means the check was not completed. */
function threeDSecureFailure(reply: Reply): 'declined' | 'incomplete' {
  const status = reply.get('threeDSAuthenticated') ?? '';
  return status === 'N' || status === 'R' ? 'declined' : 'incomplete';
}

function threeDSecureStep(reply: Reply): ThreeDSecureStep | Unknown {
  const threeDSecureReference = reply.get('threeDSRef');
  const url = reply.get('threeDSURL');
  if (!threeDSecureReference || !url || !/^https?:\/\//.test(url)) return unknown('malformed');
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
      return 'declined';
    case 'rejected':
      return 'rejected';
    default:
      return 'other';
  }
}
