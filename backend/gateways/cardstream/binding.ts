import type { SentOperation, VerificationFailure } from '../gateway.ts';
import { differenceFrom } from '../matching.ts';
import { integerOf, merchantOf, operationNamedBy, type Reply } from './reply.ts';

/** The fields that tie a reply to its request, which the signature alone does not. */
export type Binding = SentOperation & { readonly merchantId: string };

export const actions = { authorise: 'SALE', refundSale: 'REFUND_SALE', refund: 'REFUND', cancel: 'CANCEL' } as const;

/** The field in which a reply differs from its request; undefined if it matches. */
export function differenceOf(reply: Reply, binding: Binding): VerificationFailure | undefined {
  const origin = originDifferenceOf(reply, binding);
  if (origin) return origin;
  const isCancel = binding.operation === 'cancel';
  if (isCancel && !isAboutPaymentOf(reply, binding)) return 'gateway_reference_differs';
  return differenceFrom(binding, {
    uniqueReference: isCancel ? operationNamedBy(reply) : (reply.get('transactionUnique') ?? ''),
    gatewayReference: reply.get('xref'),
    amountMinor: integerOf(reply, 'amount'),
    currency: reply.get('currencyCode') ?? '',
  });
}

/** The difference in account or action, if any. */
export function originDifferenceOf(reply: Reply, binding: Binding): VerificationFailure | undefined {
  if (merchantOf(reply) !== binding.merchantId) return 'merchant_differs';
  const action = reply.get('action') ?? '';
  const expected = actions[binding.operation];
  const isSame = action === expected || (expected === 'CANCEL' && action.startsWith('CANCEL:'));
  return isSame ? undefined : 'operation_differs';
}

/** A CANCEL keeps the reference of its payment. */
export function isAboutPaymentOf(reply: Reply, { gatewayReference }: Binding): boolean {
  return gatewayReference !== undefined && reply.get('xref') === gatewayReference;
}
