import type { ReactNode } from 'react';
import type { Screen } from '../../ipc/view.ts';
import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { Frame, type Tone } from '../components/frame.tsx';
import { AttentionIcon, CheckIcon, ClockIcon, CrossIcon } from '../components/icons.tsx';
import { Receipt } from '../components/sale-facts.tsx';
import { useIntents } from '../intents.tsx';
import { text } from '../text.ts';

type Result = Extract<Screen, { name: 'sale_result' | 'return_result' }>;
type Outcome = Result['outcome'];

const outcomeTones: Record<Outcome, Tone> = {
  approved: 'success',
  declined: 'refused',
  refused: 'refused',
  failed: 'attention',
  pending: 'attention',
  cancelled: 'ended',
  timed_out: 'ended',
};

function OutcomeIcon({ outcome }: { outcome: Outcome }): ReactNode {
  const tone = outcomeTones[outcome];
  return (
    <span className="outcome-icon">
      {outcome === 'pending' || outcome === 'timed_out' ? (
        <ClockIcon />
      ) : tone === 'success' ? (
        <CheckIcon />
      ) : tone === 'attention' ? (
        <AttentionIcon />
      ) : (
        <CrossIcon />
      )}
    </span>
  );
}

/** How money taken or returned came out: what happened, what it means, the receipt, and what to do next. */
export function ResultFrame(props: {
  screen: Result;
  amount: { readonly amountMinor: number; readonly currency: string };
}) {
  const { send } = useIntents();
  const { name, outcome, notice, sale, receipt } = props.screen;
  return (
    <Frame
      name={name}
      tone={outcomeTones[outcome]}
      tally={
        <>
          <OutcomeIcon outcome={outcome} />
          <h1 className="tally-title" tabIndex={-1}>
            {notice.message}
          </h1>
          <p className="tally-amount">
            <Amount {...props.amount} />
          </p>
          {notice.detail === null ? null : <p className="tally-note">{notice.detail}</p>}
        </>
      }
      actions={
        <>
          {sale === null ? null : (
            <Button onPress={() => void send({ name: 'show_sale', saleId: sale.saleId })}>{text.viewSale}</Button>
          )}
          <Button look="primary" onPress={() => void send({ name: 'show_keypad' })}>
            {text.newSale}
          </Button>
        </>
      }
    >
      {receipt.length === 0 ? undefined : <Receipt lines={receipt} />}
    </Frame>
  );
}
