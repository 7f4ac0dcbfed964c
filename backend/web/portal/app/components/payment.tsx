import type { PaymentRecord } from '@florin/shared/contracts/api-v1/payments.ts';
import { useWords } from '../words/words.ts';
import { Status, type Tone } from './notice.tsx';

const tones: Readonly<Record<PaymentRecord['status'], Tone>> = {
  pending: 'attention',
  declined: 'refused',
  failed: 'ended',
  unsettled: 'done',
  settled: 'done',
  cancelled: 'ended',
  settlement_rejected: 'refused',
  partly_refunded: 'returned',
  refunded: 'returned',
};

/** How a payment stands. */
export function PaymentStatus({ status }: { readonly status: PaymentRecord['status'] }) {
  const words = useWords();
  return <Status tone={tones[status]}>{words.statuses[status]}</Status>;
}

type PaidWith = Pick<PaymentRecord, 'method' | 'cardScheme' | 'cardLastFour'>;

/** What was paid with, such as "Visa •••• 0821". */
export function usePaidWith(): (payment: PaidWith) => string {
  const words = useWords();
  return ({ method, cardScheme, cardLastFour }) => {
    const card =
      cardLastFour === null
        ? undefined
        : `${cardScheme === null || cardScheme === 'Other' ? words.methods.card : cardScheme} \u2022\u2022\u2022\u2022\u00a0${cardLastFour}`;
    if (method === 'card') return card ?? words.methods.card;
    return card === undefined ? words.methods[method] : `${words.methods[method]}, ${card}`;
  };
}
