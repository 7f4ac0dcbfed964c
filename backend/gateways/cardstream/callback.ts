import {
  type CallbackReading,
  type ClaimedCallback,
  type FindSentOperation,
  isVerificationFailure,
  type VerificationFailure,
} from '../gateway.ts';
import type { Binding } from './binding.ts';
import { meaningOf } from './codes.ts';
import {
  codeOf,
  integerOf,
  merchantOf,
  merchantsNamed,
  operationNamedBy,
  type Reply,
  takenBy,
  toReply,
} from './reply.ts';
import { checkSignature, parseBody } from './signature.ts';
import { authorisationOutcome, cancelOutcome, refundOutcome } from './transform.ts';

/** Reads a posted callback about the operation it names, with the same checks as a reply. */
export async function readCallback(
  body: Buffer,
  options: { readonly secret: string; readonly merchantId: string },
  find: FindSentOperation,
): Promise<CallbackReading> {
  const fields = parseBody(body);
  if (!fields) return { kind: 'rejected', reason: 'malformed', claimed: { approved: false } };
  const reply = toReply(fields);
  const uniqueReference = uniqueReferenceOf(reply);
  const rejected = (reason: VerificationFailure): CallbackReading => ({
    kind: 'rejected',
    reason,
    claimed: claimOf(reply, uniqueReference),
  });
  if (checkSignature(fields, options.secret) !== 'valid') return rejected('bad_signature');
  // A callback that names another account as well is rejected.
  const merchants = [merchantOf(reply), ...merchantsNamed(reply)];
  if (merchants.some(merchant => merchant !== options.merchantId)) return rejected('merchant_differs');
  const sent = uniqueReference === undefined ? undefined : await find(uniqueReference);
  if (!sent || uniqueReference === undefined) return { kind: 'not_ours' };
  const outcome = outcomeOf(reply, { ...sent, merchantId: options.merchantId });
  switch (outcome.kind) {
    case 'approved':
    case 'declined':
      return { kind: 'outcome', uniqueReference, outcome };
    case 'three_d_secure':
      return { kind: 'undecided', uniqueReference, cause: 'in_progress' };
    case 'unknown':
      return isVerificationFailure(outcome.cause)
        ? rejected(outcome.cause)
        : { kind: 'undecided', uniqueReference, cause: outcome.cause };
  }
}

function outcomeOf(reply: Reply, binding: Binding) {
  switch (binding.operation) {
    case 'authorise':
      return authorisationOutcome(reply, binding);
    case 'cancel':
      return cancelOutcome(reply, binding);
    case 'refundSale':
    case 'refund':
      return refundOutcome(reply, binding);
  }
}

function claimOf(reply: Reply, uniqueReference: string | undefined): ClaimedCallback {
  const code = codeOf(reply);
  const meaning = code === undefined ? undefined : meaningOf(code);
  const gatewayReference = reply.get('xref');
  const amountMinor = takenBy(reply) ?? integerOf(reply, 'amount');
  return {
    ...(uniqueReference === undefined ? {} : { uniqueReference }),
    ...(gatewayReference === undefined ? {} : { gatewayReference }),
    ...(amountMinor === undefined ? {} : { amountMinor }),
    ...(code === undefined ? {} : { code: String(code) }),
    approved: meaning === 'approved' || meaning === 'partly_approved',
  };
}

/** The unique reference a callback is about. */
function uniqueReferenceOf(reply: Reply): string | undefined {
  return reply.get('action')?.startsWith('CANCEL') ? operationNamedBy(reply) : reply.get('transactionUnique');
}
