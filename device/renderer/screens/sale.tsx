import type { SaleStage } from '../../ipc/view.ts';
import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { Frame, type Tone } from '../components/frame.tsx';
import { AttentionIcon, CheckIcon, ClockIcon, CrossIcon, InfoIcon } from '../components/icons.tsx';
import { StageIllustration } from '../components/illustration.tsx';
import { LateHint } from '../components/late-hint.tsx';
import { Receipt } from '../components/sale-facts.tsx';
import { useIntents } from '../intents.tsx';
import { text } from '../text.ts';
import type { ScreenProps } from './props.ts';

const stepOf: Record<SaleStage, 0 | 1 | 2> = {
  starting: 0,
  waiting_for_reader: 0,
  present_card: 0,
  card_inserted: 0,
  card_tapped: 0,
  card_swiped: 0,
  choose_application: 0,
  enter_pin: 0,
  wrong_pin: 0,
  authorising: 1,
  checking: 1,
  reversing: 1,
  remove_card: 2,
};

function Steps({ stage }: { stage: SaleStage }) {
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

export function SaleScreen({ screen }: ScreenProps<'sale'>) {
  const { send } = useIntents();
  const words = text.stages[screen.stage];
  const attention = screen.stage === 'checking' || screen.stage === 'reversing' || screen.stage === 'wrong_pin';
  return (
    <Frame
      name="sale"
      tally={
        <>
          <p className="tally-label">{text.sale.label}</p>
          <p className="tally-amount">
            <Amount {...screen.amount} />
          </p>
          <Steps stage={screen.stage} />
        </>
      }
      actions={
        screen.cancelling ? (
          <Button wide busy>
            {text.sale.cancelling}
          </Button>
        ) : screen.cancellable ? (
          <Button wide onPress={() => void send({ name: 'cancel_sale' })}>
            {text.sale.cancel}
          </Button>
        ) : (
          <p className="reason">
            <InfoIcon />
            {screen.whyNotCancellable ?? text.sale.cannotCancel}
          </p>
        )
      }
    >
      <div className="stage" data-attention={attention}>
        <StageIllustration key={screen.stage} stage={screen.stage} />
        <div className="stage-words">
          <h1 tabIndex={-1}>{words.title}</h1>
          <p className="stage-detail">{screen.cancelling ? text.sale.cancellingDetail : words.detail}</p>
          <LateHint key={screen.stage} since={screen.since} hints={words.late} />
        </div>
      </div>
    </Frame>
  );
}

type Outcome = ScreenProps<'sale_result'>['screen']['outcome'] | ScreenProps<'return_result'>['screen']['outcome'];

export const outcomeTones: Record<Outcome, Tone> = {
  approved: 'success',
  declined: 'refused',
  refused: 'refused',
  failed: 'attention',
  pending: 'attention',
  cancelled: 'ended',
  timed_out: 'ended',
};

export function OutcomeIcon({ outcome }: { outcome: Outcome }) {
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

export function SaleResultScreen({ screen }: ScreenProps<'sale_result'>) {
  const { send } = useIntents();
  const { sale } = screen;
  return (
    <Frame
      name="sale_result"
      tone={outcomeTones[screen.outcome]}
      tally={
        <>
          <OutcomeIcon outcome={screen.outcome} />
          <h1 className="tally-title" tabIndex={-1}>
            {screen.notice.message}
          </h1>
          <p className="tally-amount">
            <Amount {...screen.amount} />
          </p>
          {screen.notice.detail === null ? null : <p className="tally-note">{screen.notice.detail}</p>}
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
      {screen.receipt.length === 0 ? undefined : <Receipt lines={screen.receipt} />}
    </Frame>
  );
}
