import type { PaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { Status, type Tone } from '../../components/notice.tsx';
import { useTexts } from '../../words/texts.ts';
import { moneyBackOf } from './money-back.ts';
import { linksTexts } from './texts.ts';

const tones: Readonly<Record<PaymentLink['status'], Tone>> = {
  ACTIVE: 'act',
  PARTIALLY_PAID: 'attention',
  PAID: 'done',
  EXPIRED: 'ended',
};

/** How a payment link stands. */
export function LinkStatus({ link }: { readonly link: PaymentLink }) {
  const text = useTexts(linksTexts);
  if (link.deletedAt !== null) return <Status tone="ended">{text.deleted}</Status>;
  const back = link.status === 'PAID' ? moneyBackOf(link) : undefined;
  if (back !== undefined) return <Status tone="returned">{text.paidThen[back]}</Status>;
  return (
    <Status tone={tones[link.status]} {...(link.status === 'ACTIVE' ? { icon: 'links' as const } : {})}>
      {text.statuses[link.status]}
    </Status>
  );
}
