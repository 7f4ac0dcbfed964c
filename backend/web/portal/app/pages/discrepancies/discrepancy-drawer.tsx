import type { DiscrepancyRecord } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { Fact, Facts, Money, Time } from '../../components/values.tsx';
import { useBusiness, useMay } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { choiceTexts, effectOf } from '../problems/choice-texts.ts';
import { Disagreement } from '../problems/disagreement.tsx';
import { Side } from '../problems/side.tsx';
import { discrepanciesTexts } from './texts.ts';

type Props = { readonly discrepancy: DiscrepancyRecord };

/** One discrepancy: both sides, and the decision between them. */
export function DiscrepancyDrawer({ discrepancy, onClose }: Props & { readonly onClose: () => void }) {
  const text = useTexts(discrepanciesTexts);
  const { currency } = useBusiness();
  const may = useMay();
  const { kind, message, paymentId, contestedInCents, createdAt, recorded, gateway, resolution } = discrepancy;
  const mayDecide = may('take-payments:write') && may('refunds:write') && resolution === null;
  const done = () => {
    toast(text.done);
    onClose();
  };
  return (
    <Dialog shape="drawer" className="wide" title={text.kinds[kind]} onClose={onClose}>
      <Notice tone={resolution === null ? 'attention' : 'done'}>{message}</Notice>
      <Facts>
        <Fact name={text.found}>
          <Time at={createdAt} />
        </Fact>
        {paymentId === null ? null : (
          <Fact name={text.payment}>
            <PageLink to={`payments/${paymentId}`}>{text.showPayment}</PageLink>
          </Fact>
        )}
        {contestedInCents === 0 ? null : (
          <Fact name={text.held}>
            <Money minor={contestedInCents} currency={currency} />
          </Fact>
        )}
      </Facts>
      {mayDecide ? (
        <Disagreement id={discrepancy.id} onDone={done} onClose={onClose} />
      ) : (
        <>
          <Side side="recorded" facts={recorded} />
          <Side side="gateway" facts={gateway} />
        </>
      )}
      <Resolution discrepancy={discrepancy} />
    </Dialog>
  );
}

/** Who decided is in the payment's timeline. */
function Resolution({ discrepancy }: Props) {
  const text = useTexts(discrepanciesTexts);
  const { effects } = useTexts(choiceTexts);
  const { needs, resolution } = discrepancy;
  if (resolution === null) return null;
  const [decided] = effects[effectOf(discrepancy)][resolution.outcome];
  return (
    <section className="stack-tight">
      <h3>{text.resolution.title}</h3>
      <Facts>
        <Fact name={text.state}>{needs === 'decision' ? decided : text.resolution.acknowledged}</Fact>
        <Fact name={text.resolution.at}>
          <Time at={resolution.resolvedAt} />
        </Fact>
        {resolution.evidence === '' ? null : <Fact name={text.resolution.evidence}>{resolution.evidence}</Fact>}
      </Facts>
    </section>
  );
}
