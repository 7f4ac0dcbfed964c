import { currencyNumber } from '@florin/shared/currency-numbers.ts';
import type { SentOperation, VerificationFailure } from '../gateway.ts';
import { integerOf, merchantOf, operationNamedBy, type Reply } from './reply.ts';

/** What ties a reply to the request it answers: the signature alone does not. */
export type Binding = SentOperation & { readonly merchantId: string };

export const actions = { authorise: 'SALE', refundSale: 'REFUND_SALE', refund: 'REFUND', cancel: 'CANCEL' } as const;

/** In what a reply differs from the request it is read against; undefined when it is about that very request. */
export function differenceOf(reply: Reply, binding: Binding): VerificationFailure | undefined {
  const origin = originDifferenceOf(reply, binding);
  if (origin) return origin;
  const { operation, uniqueReference, gatewayReference, amount } = binding;
  if (operation === 'cancel') {
    if (!isAboutPaymentOf(reply, binding)) return 'gateway_reference_differs';
    if ((operationNamedBy(reply) ?? uniqueReference) !== uniqueReference) return 'reference_differs';
  } else {
    if (reply.get('transactionUnique') !== uniqueReference) return 'reference_differs';
    const own = reply.get('xref');
    if (own !== undefined && own === gatewayReference) return 'gateway_reference_differs';
  }
  const currency = currencyNumber(reply.get('currencyCode') ?? '');
  if (currency === undefined || currency !== currencyNumber(amount.currency)) return 'currency_differs';
  return integerOf(reply, 'amount') === amount.amountMinor ? undefined : 'amount_differs';
}

/** Whether the account and the action are those of the request. */
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
