import type { CheckoutRecord, CheckoutStatus } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { Status, type Tone } from '../../components/notice.tsx';
import { useTexts } from '../../words/texts.ts';
import { checkoutsTexts } from './texts.ts';

const tones: Readonly<Record<CheckoutStatus, Tone>> = {
  PENDING: 'act',
  PROCESSING: 'doing',
  COMPLETE: 'done',
  UNDERPAID: 'attention',
  EXPIRED: 'ended',
  CANCELLED: 'ended',
};

/** How a checkout stands, and whether something is to be returned. */
export function CheckoutState({ checkout: { status, claim } }: { readonly checkout: CheckoutRecord }) {
  const text = useTexts(checkoutsTexts);
  return (
    <span className="results">
      <Status tone={tones[status]}>{text.statuses[status]}</Status>
      {claim !== null && claim.status !== 'returned' ? (
        <Status tone="attention" icon="returned">
          {text.toReturn}
        </Status>
      ) : null}
    </span>
  );
}
