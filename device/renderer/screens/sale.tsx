import type { SaleStage } from '../../ipc/view.ts';
import { useActions } from '../actions.tsx';
import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { AttentionIcon, InfoIcon } from '../components/icons.tsx';
import { StageIllustration } from '../components/illustration.tsx';
import { LateHint } from '../components/late-hint.tsx';
import { RequestedBy } from '../components/requested-by.tsx';
import { useIsOffline } from '../formats.tsx';
import { saleWordsOf, waitsForCard } from '../words/sentences.ts';
import { useText } from '../words/words.ts';
import { PayInBitcoin } from './bitcoin.tsx';
import type { ScreenProps } from './props.ts';
import { ResultFrame } from './result.tsx';
import { IncludedTip } from './tip.tsx';

const stepOf: Record<SaleStage, 0 | 1 | 2> = {
  starting: 0,
  remove_previous_card: 0,
  waiting_for_reader: 0,
  present_card: 0,
  insert_card: 0,
  card_inserted: 0,
  card_tapped: 0,
  card_swiped: 0,
  choose_application: 0,
  enter_pin: 0,
  wrong_pin: 0,
  authorising: 1,
  finishing: 1,
  checking: 1,
  reversing: 1,
  remove_card: 2,
};

function Steps({ stage }: { stage: SaleStage }) {
  const text = useText();
  const current = stepOf[stage];
  return (
    <ol className="steps" aria-label={text.sale.progress}>
      {text.sale.steps.map((step, index) => (
        <li
          key={step}
          data-state={index < current ? 'past' : index === current ? 'now' : 'ahead'}
          {...(index === current ? { 'aria-current': 'step' as const } : {})}
        >
          {step}
        </li>
      ))}
    </ol>
  );
}

/** A card sale for staff: its progress, and the button that cancels it or the reason why it cannot be cancelled. */
export function SaleScreen({ screen }: ScreenProps<'sale'>) {
  const text = useText();
  const { send } = useActions();
  const isOffline = useIsOffline();
  const words = saleWordsOf(screen, text, isOffline);
  const isTooSoon = isOffline && waitsForCard.has(screen.stage) && !screen.cancelling;
  const isChecking = screen.stage === 'checking';
  const timed = stepOf[screen.stage] === 1;
  const attention = isTooSoon || isChecking || screen.stage === 'reversing' || screen.stage === 'wrong_pin';
  return (
    <Frame
      name="sale"
      summary={
        <>
          <p className="summary-label">{text.sale.label}</p>
          <p className="summary-amount">
            <Amount {...screen.amount} />
          </p>
          <IncludedTip tipMinor={screen.tipMinor} currency={screen.amount.currency} words={text.tip.included} />
          <RequestedBy requestedBy={screen.requestedBy} />
          <Steps stage={screen.stage} />
        </>
      }
      actions={
        screen.cancelling ? (
          <Button wide busy>
            {text.sale.cancelling}
          </Button>
        ) : screen.cancellable ? (
          <>
            <Button wide onPress={() => void send({ name: 'cancel_sale' })}>
              {isChecking ? text.sale.stopWaiting : text.sale.cancel}
            </Button>
            {screen.mayUseBitcoin ? <PayInBitcoin words={text.bitcoin} /> : null}
          </>
        ) : (
          <p className="reason">
            <InfoIcon />
            {(isChecking ? null : screen.whyNotCancellable) ?? text.sale.cannotCancel}
          </p>
        )
      }
    >
      <div className="stage" data-attention={attention}>
        {isTooSoon ? (
          <span className="pay-code-icon">
            <AttentionIcon />
          </span>
        ) : (
          <StageIllustration key={screen.stage} stage={screen.stage} />
        )}
        <div className="stage-words">
          <h1 tabIndex={-1}>{words.title}</h1>
          <p className="stage-detail">{words.detail}</p>
          <LateHint
            key={screen.stage}
            since={screen.since}
            hints={words.late}
            timedSince={timed ? (screen.bankSince ?? screen.since) : undefined}
          />
        </div>
      </div>
    </Frame>
  );
}

/** The result of a sale by card or in bitcoin, for staff, who may charge the amount again if that is safe. */
export function SaleResultScreen({ screen }: ScreenProps<'sale_result'>) {
  const text = useText();
  return <ResultFrame screen={screen} label={text.sale.label} amount={screen.amount} />;
}
