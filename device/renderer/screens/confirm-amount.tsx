import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { useEnter } from '../components/enter.ts';
import { Frame } from '../components/frame.tsx';
import { AttentionIcon } from '../components/icons.tsx';
import { useFormats, useIsOffline } from '../formats.tsx';
import { useText } from '../words/words.ts';

type ConfirmAmountProps = {
  readonly amountMinor: number;
  /** Staff confirm what is more than this. */
  readonly confirmAboveMinor: number;
  readonly onCharge: () => void;
  readonly onBack: () => void;
};

/** A large amount is read once more before it is charged. */
export function ConfirmAmount({ amountMinor, confirmAboveMinor, onCharge, onBack }: ConfirmAmountProps) {
  const text = useText();
  const { amount, currency } = useFormats();
  const isOffline = useIsOffline();
  useEnter(() => {
    if (!isOffline) onCharge();
  });
  return (
    <Frame
      name="confirm_amount"
      onBack={onBack}
      summary={
        <>
          <p className="summary-label">{text.keypad.title}</p>
          <p className="summary-amount">
            <Amount amountMinor={amountMinor} currency={currency} />
          </p>
        </>
      }
      actions={
        <Button look="primary" wide reason={isOffline ? text.offline.title : undefined} onPress={onCharge}>
          {text.keypad.charge(amount(amountMinor, currency))}
        </Button>
      }
    >
      <div className="stage" data-attention="true">
        <span className="pay-code-icon">
          <AttentionIcon />
        </span>
        <div className="stage-words">
          <h1 tabIndex={-1}>{text.keypad.confirm.title}</h1>
          <p className="stage-detail">{text.keypad.confirm.detail(amount(confirmAboveMinor, currency))}</p>
        </div>
      </div>
    </Frame>
  );
}
