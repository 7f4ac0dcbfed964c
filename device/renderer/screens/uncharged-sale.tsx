import { useActions } from '../actions.tsx';
import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { InfoIcon } from '../components/icons.tsx';
import { EndedChip, Facts } from '../components/sale-facts.tsx';
import { useFormats } from '../formats.tsx';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';

/** A sale that asked for no money, for a customer who comes back: there is nothing to return and no receipt. */
export function UnchargedSaleScreen({ screen: { sale, notice } }: ScreenProps<'uncharged_sale'>) {
  const { send } = useActions();
  const text = useText();
  const formats = useFormats();
  const { amountMinor, tipMinor, currency, reference } = sale;
  const words = text.saleDetail;
  return (
    <Frame
      name="uncharged_sale"
      tone="ended"
      summary={
        <>
          <h1 className="summary-label" tabIndex={-1}>
            {words.title}
          </h1>
          <p className="summary-amount">
            <Amount amountMinor={amountMinor} currency={currency} />
          </p>
          <p className="summary-chip">
            <EndedChip outcome={sale.outcome} />
          </p>
        </>
      }
      onBack={() => void send({ name: 'back' })}
      actions={<Button onPress={() => void send({ name: 'show_keypad' })}>{text.newSale}</Button>}
    >
      <p className="hint">
        <InfoIcon />
        <span>
          <strong className="hint-title">{notice.message}</strong> {notice.detail}
        </span>
      </p>
      <Facts
        facts={[
          { label: words.startedAt, value: formats.moment(sale.startedAt) },
          ...(tipMinor === 0 ? [] : [{ label: text.tip.label, value: formats.amount(tipMinor, currency) }]),
          ...(reference === null ? [] : [{ label: words.reference, value: reference }]),
        ]}
      />
    </Frame>
  );
}
