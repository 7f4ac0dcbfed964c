import { useActions } from '../actions.tsx';
import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { StageIllustration } from '../components/illustration.tsx';
import { useFormats } from '../formats.tsx';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';

/** While the customer is asked on the reader for a tip: staff go on without one, or leave the sale. */
export function TipScreen({ screen }: ScreenProps<'tip'>) {
  const text = useText();
  const { send } = useActions();
  return (
    <Frame
      name="tip"
      summary={
        <>
          <p className="summary-label">{text.sale.label}</p>
          <p className="summary-amount">
            <Amount {...screen.amount} />
          </p>
        </>
      }
      actions={
        <>
          <Button wide onPress={() => void send({ name: 'cancel_sale' })}>
            {text.sale.cancel}
          </Button>
          <Button wide onPress={() => void send({ name: 'skip_tip' })}>
            {text.tip.skip}
          </Button>
        </>
      }
    >
      <div className="stage">
        <StageIllustration stage="starting" />
        <div className="stage-words">
          <h1 tabIndex={-1}>{text.tip.title}</h1>
          <p className="stage-detail">{text.tip.detail}</p>
        </div>
      </div>
    </Frame>
  );
}

/** What of an amount is a tip, in the words for staff or for customers; nothing without one. */
export function IncludedTip(props: {
  readonly tipMinor: number | undefined;
  readonly currency: string;
  readonly words: (amount: string) => string;
}) {
  const formats = useFormats();
  const { tipMinor = 0, currency, words } = props;
  return tipMinor === 0 ? null : <p className="summary-note">{words(formats.amount(tipMinor, currency))}</p>;
}
