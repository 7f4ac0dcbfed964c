import { useState } from 'react';
import { useActions } from '../actions.tsx';
import { Amount } from '../components/amount.tsx';
import { useAmountEntry } from '../components/amount-entry.ts';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { InfoIcon } from '../components/icons.tsx';
import { StageIllustration } from '../components/illustration.tsx';
import { Keys } from '../components/keys.tsx';
import { LateHint } from '../components/late-hint.tsx';
import { Notice } from '../components/notice.tsx';
import { CardName, ReturnSummary, returnedAmountMinor } from '../components/sale-facts.tsx';
import { useFormats, useIsOffline } from '../formats.tsx';
import { returnWordsOf } from '../words/sentences.ts';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';
import { ResultFrame } from './result.tsx';

/** Staff type the amount of a refund, at most what is left of the sale; a button enters all of it. */
export function RefundAmountScreen({ screen }: ScreenProps<'refund_amount'>) {
  const text = useText();
  const { send } = useActions();
  const formats = useFormats();
  const { sale } = screen;
  const money = (amountMinor: number) => formats.amount(amountMinor, sale.currency);
  const [isStale, setStale] = useState(false);
  const submit = (amountMinor: number) => {
    if (amountMinor > sale.remainingInCents) return;
    setStale(false);
    void send({ name: 'enter_refund_amount', amountMinor });
  };
  const entry = useAmountEntry({
    currency: sale.currency,
    chosenMinor: screen.amountMinor,
    onEnter: submit,
    onChange: () => setStale(true),
  });
  const tooMuch = entry.amountMinor > sale.remainingInCents;
  const nothing = entry.amountMinor === 0;
  const isPart = sale.remainingInCents < sale.amountInCents;
  return (
    <Frame
      name="refund_amount"
      tone="return"
      onBack={() => void send({ name: 'back' })}
      summary={
        <>
          <h1 className="summary-label" tabIndex={-1}>
            {text.refundAmount.title}
          </h1>
          <output className="summary-amount">
            <Amount amountMinor={entry.amountMinor} currency={sale.currency} faint={nothing} />
          </output>
          {tooMuch || entry.full ? (
            <p className="summary-hint" role="alert">
              {text.refundAmount.tooMuch(money(sale.remainingInCents))}
            </p>
          ) : (
            <p className="summary-note">{text.refundAmount.of(money(sale.remainingInCents))}</p>
          )}
          <Notice notice={isStale ? null : screen.notice} />
          <p className="summary-note summary-parts">
            <span>{text.refundAmount.sale(sale.invoiceNumber)}</span>
            <span>
              <CardName sale={sale} />
            </span>
          </p>
          <div className="summary-foot">
            <Button look="onSummary" onPress={() => entry.set(sale.remainingInCents)}>
              {(isPart ? text.refundAmount.rest : text.refundAmount.all)(money(sale.remainingInCents))}
            </Button>
          </div>
        </>
      }
      actions={
        <Button look="return" disabled={nothing || tooMuch} onPress={() => submit(entry.amountMinor)}>
          {nothing || tooMuch ? text.refundAmount.submitNothing : text.refundAmount.submit(money(entry.amountMinor))}
        </Button>
      }
    >
      <Keys
        label={text.keypad.keys}
        onKey={entry.type}
        onDelete={entry.deleteLast}
        corner={{ label: entry.zeros, press: () => entry.type(entry.zeros) }}
      />
    </Frame>
  );
}

/** The last step before a void or refund is sent if the business requires no staff password. */
export function ConfirmReturnScreen({ screen }: ScreenProps<'confirm_return'>) {
  const text = useText();
  const { send } = useActions();
  const formats = useFormats();
  const { returning } = screen;
  const words = text.confirmReturn;
  const voiding = returning.kind === 'CANCEL';
  const amount = formats.amount(returnedAmountMinor(returning), returning.sale.currency);
  return (
    <Frame
      name="confirm_return"
      tone="return"
      summary={<ReturnSummary returning={returning} />}
      onBack={() => void send({ name: 'back' })}
      actions={
        <Button look="return" onPress={() => void send({ name: 'confirm_return' })}>
          {voiding ? words.void(amount) : words.refund(amount)}
        </Button>
      }
    >
      <div className="question">
        <h1 tabIndex={-1}>{voiding ? words.voidTitle : words.refundTitle}</h1>
        <p>{voiding ? words.voidDetail : words.refundDetail}</p>
      </div>
    </Frame>
  );
}

/** Shown while a void or refund is sent or its outcome looked up. It cannot be cancelled, only left if `mayLeave`. */
export function ReturnProgressScreen({ screen }: ScreenProps<'return_progress'>) {
  const text = useText();
  const { send } = useActions();
  const { leave, noCancel } = text.returnProgress;
  const isOffline = useIsOffline();
  const words = returnWordsOf(screen, text, isOffline);
  const shownStage = isOffline || screen.stage === 'checking' ? 'checking' : 'authorising';
  return (
    <Frame
      name="return_progress"
      tone="return"
      summary={<ReturnSummary returning={screen.returning} />}
      actions={
        screen.mayLeave ? (
          <Button wide onPress={() => void send({ name: 'back' })}>
            {leave}
          </Button>
        ) : (
          <p className="reason">
            <InfoIcon />
            {noCancel}
          </p>
        )
      }
    >
      <div className="stage" data-attention={shownStage === 'checking'}>
        <StageIllustration key={shownStage} stage={shownStage} />
        <div className="stage-words">
          <h1 tabIndex={-1}>{words.title}</h1>
          <p className="stage-detail">{words.detail}</p>
          <LateHint key={screen.stage} since={screen.since} hints={words.late} timedSince={screen.since} />
        </div>
      </div>
    </Frame>
  );
}

/** The result of a void or refund, with the receipt if it was approved. */
export function ReturnResultScreen({ screen }: ScreenProps<'return_result'>) {
  const text = useText();
  const { returning } = screen;
  const amount = { amountMinor: returnedAmountMinor(returning), currency: returning.sale.currency };
  return <ResultFrame screen={screen} label={text.returning[returning.kind]} amount={amount} />;
}
