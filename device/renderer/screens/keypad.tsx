import { createContext, useContext, useEffect, useState } from 'react';
import { useActions } from '../actions.tsx';
import { Amount } from '../components/amount.tsx';
import { useAmountEntry } from '../components/amount-entry.ts';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { BitcoinIcon, ListIcon, LockIcon } from '../components/icons.tsx';
import { Keys } from '../components/keys.tsx';
import { LanguageButton } from '../components/language-button.tsx';
import { Notice } from '../components/notice.tsx';
import { HeaderContext, useFormats, useIsOffline } from '../formats.tsx';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';

/** The typed amount, kept while a sale started over the API is shown. */
export const KeptAmount = createContext<{ amountMinor: number }>({ amountMinor: 0 });

/** One button takes the place of the other: the key makes it a new one, which ignores the second tap of a double tap. */
function KeypadFoot(props: { isNotified: boolean; isEmpty: boolean; onClear: () => void }) {
  const text = useText();
  const { isNotified, isEmpty, onClear } = props;
  const { send } = useActions();
  return (
    <div className="summary-foot">
      <Button look="onSummary" icon={<ListIcon />} onPress={() => void send({ name: 'show_recent_sales' })}>
        {text.keypad.recentSales}
      </Button>
      {isEmpty && isNotified ? null : isEmpty ? (
        <>
          <Button key="mode" look="onSummary" icon={<LockIcon />} onPress={() => void send({ name: 'change_mode' })}>
            {text.keypad.kioskMode}
          </Button>
          <LanguageButton look="onSummary" />
        </>
      ) : (
        <Button key="clear" look="onSummary" onPress={onClear}>
          {text.keypad.clear}
        </Button>
      )}
    </div>
  );
}

/** The start of a sale: staff type the amount and charge it, by card or in bitcoin. Both require a connection. */
export function KeypadScreen({ screen }: ScreenProps<'keypad'>) {
  const text = useText();
  const { send } = useActions();
  const formats = useFormats();
  const isOffline = useIsOffline();
  const [isStale, setStale] = useState(false);
  const { takesBitcoin } = useContext(HeaderContext);
  const kept = useContext(KeptAmount);
  const takeBitcoin = () => {
    setStale(false);
    void send({ name: 'start_bitcoin_sale', amountMinor: entry.amountMinor });
  };
  const charge = (amountMinor: number) => {
    setStale(false);
    if (!isOffline) void send({ name: 'start_sale', amountMinor });
  };
  const entry = useAmountEntry({
    currency: formats.currency,
    keptMinor: kept.amountMinor,
    onEnter: charge,
    onChange: () => setStale(true),
  });
  useEffect(() => {
    kept.amountMinor = entry.amountMinor;
  }, [kept, entry.amountMinor]);
  const nothing = entry.amountMinor === 0;
  return (
    <Frame
      name="keypad"
      summary={
        <>
          <h1 className="summary-label" tabIndex={-1}>
            {text.keypad.title}
          </h1>
          <output className="summary-amount">
            <Amount amountMinor={entry.amountMinor} currency={formats.currency} faint={nothing} />
          </output>
          {entry.full ? <p className="summary-hint">{text.keypad.tooLong}</p> : null}
          <Notice notice={isStale ? null : screen.notice} />
          <KeypadFoot isNotified={screen.notice !== null} isEmpty={nothing} onClear={entry.clear} />
        </>
      }
      actions={
        <>
          {takesBitcoin ? (
            <Button icon={<BitcoinIcon />} disabled={nothing || isOffline} onPress={takeBitcoin}>
              {text.keypad.bitcoin}
            </Button>
          ) : null}
          <Button
            look="primary"
            wide
            disabled={nothing}
            reason={isOffline ? text.offline.title : undefined}
            onPress={() => charge(entry.amountMinor)}
          >
            {nothing
              ? text.keypad.chargeNothing
              : text.keypad.charge(formats.amount(entry.amountMinor, formats.currency))}
          </Button>
        </>
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
