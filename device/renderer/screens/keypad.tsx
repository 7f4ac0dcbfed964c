import { createContext, useContext, useEffect, useState } from 'react';
import { useActions } from '../actions.tsx';
import { Amount } from '../components/amount.tsx';
import { useAmountEntry } from '../components/amount-entry.ts';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { BitcoinIcon, ListIcon, LockIcon, NoteIcon } from '../components/icons.tsx';
import { Keys, QuickKey } from '../components/keys.tsx';
import { LanguageButton } from '../components/language-button.tsx';
import { Notice } from '../components/notice.tsx';
import { HeaderContext, useFormats, useIsOffline } from '../formats.tsx';
import { useText } from '../words/words.ts';
import { ConfirmAmount } from './confirm-amount.tsx';
import { NoteScreen } from './note.tsx';
import type { ScreenProps } from './props.ts';

/** What staff typed of the next sale, kept while a sale started over the API is shown. */
type Kept = { amountMinor: number; reference: string };
export const nothingKept: Readonly<Kept> = { amountMinor: 0, reference: '' };
export const KeptSale = createContext<Kept>({ ...nothingKept });

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
        <Button key="mode" look="onSummary" icon={<LockIcon />} onPress={() => void send({ name: 'change_mode' })}>
          {text.keypad.kioskMode}
        </Button>
      ) : (
        <Button key="clear" look="onSummary" onPress={onClear}>
          {text.keypad.clear}
        </Button>
      )}
    </div>
  );
}

/** What staff may note of the sale: what the business wants, and what is noted already, also if it wants none since. */
function useNoteKind(): 'none' | 'note' | 'table_number' {
  const { saleReference } = useContext(HeaderContext).counter;
  const { reference } = useContext(KeptSale);
  return saleReference === 'none' && reference !== '' ? 'note' : saleReference;
}

/** What the screen is for, or what the sale is noted as, and the buttons that take no room of the amount. */
function KeypadHead({ onNote }: { onNote: () => void }) {
  const text = useText();
  const noteKind = useNoteKind();
  const { reference } = useContext(KeptSale);
  const isNoted = reference !== '';
  return (
    <div className="summary-head">
      <h1 className={isNoted ? 'visually-hidden' : 'summary-label'} tabIndex={-1}>
        {text.keypad.title}
      </h1>
      {isNoted ? (
        <p className="summary-hint" data-long={reference.length > 16}>
          {reference}
        </p>
      ) : null}
      {noteKind === 'none' ? null : (
        <Button look="onSummary" icon={<NoteIcon />} onPress={onNote}>
          <span className="visually-hidden">{text.note.titles[noteKind]}</span>
        </Button>
      )}
      <LanguageButton look="onSummary" />
    </div>
  );
}

type Rail = 'card' | 'bitcoin';

/** Keys that add what is sold most. */
function QuickAmounts({ onAdd }: { onAdd: (amountMinor: number) => void }) {
  const text = useText();
  const { amount, currency } = useFormats();
  const { quickAmountsMinor } = useContext(HeaderContext).counter;
  if (quickAmountsMinor.length === 0) return null;
  const isLong = quickAmountsMinor.some(each => amount(each, currency).length > 7);
  return (
    <fieldset className="quick-amounts" data-long={isLong} aria-label={text.keypad.quickAmounts}>
      {quickAmountsMinor.map((each, index) => (
        <QuickKey
          // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be equal
          key={`${index} ${each}`}
          label={text.keypad.add(amount(each, currency))}
          onPress={() => onAdd(each)}
        >
          {amount(each, currency)}
        </QuickKey>
      ))}
    </fieldset>
  );
}

/** The start of a sale: staff type the amount and charge it, by card or in bitcoin. Both require a connection. */
export function KeypadScreen({ screen }: ScreenProps<'keypad'>) {
  const { send } = useActions();
  const { confirmAboveMinor } = useContext(HeaderContext).counter;
  const noteKind = useNoteKind();
  const kept = useContext(KeptSale);
  const [isNoting, setNoting] = useState(false);
  const [asked, setAsked] = useState<{ readonly amountMinor: number; readonly rail: Rail } | null>(null);
  const start = (amountMinor: number, rail: Rail) => {
    const noted = kept.reference === '' ? {} : { reference: kept.reference };
    void send({ name: rail === 'card' ? 'start_sale' : 'start_bitcoin_sale', amountMinor, ...noted });
  };
  if (isNoting && noteKind !== 'none')
    return (
      <NoteScreen
        kind={noteKind}
        reference={kept.reference}
        onDone={reference => {
          kept.reference = reference;
          setNoting(false);
        }}
        onBack={() => setNoting(false)}
      />
    );
  if (asked !== null && confirmAboveMinor !== null)
    return (
      <ConfirmAmount
        amountMinor={asked.amountMinor}
        confirmAboveMinor={confirmAboveMinor}
        onCharge={() => start(asked.amountMinor, asked.rail)}
        onBack={() => setAsked(null)}
      />
    );
  const charge = (amountMinor: number, rail: Rail) => {
    if (confirmAboveMinor === null || amountMinor <= confirmAboveMinor) start(amountMinor, rail);
    else setAsked({ amountMinor, rail });
  };
  return <Keypad screen={screen} onCharge={charge} onNote={() => setNoting(true)} />;
}

type KeypadProps = ScreenProps<'keypad'> & {
  readonly onCharge: (amountMinor: number, rail: Rail) => void;
  readonly onNote: () => void;
};

function Keypad({ screen, onCharge, onNote }: KeypadProps) {
  const text = useText();
  const formats = useFormats();
  const isOffline = useIsOffline();
  const [isStale, setStale] = useState(false);
  const { takesBitcoin } = useContext(HeaderContext);
  const kept = useContext(KeptSale);
  const charge = (amountMinor: number, rail: Rail) => {
    setStale(false);
    if (!isOffline) onCharge(amountMinor, rail);
  };
  const entry = useAmountEntry({
    currency: formats.currency,
    keptMinor: kept.amountMinor,
    onEnter: amountMinor => charge(amountMinor, 'card'),
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
          <KeypadHead onNote={onNote} />
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
            <Button
              icon={<BitcoinIcon />}
              disabled={nothing || isOffline}
              onPress={() => charge(entry.amountMinor, 'bitcoin')}
            >
              {text.keypad.bitcoin}
            </Button>
          ) : null}
          <Button
            look="primary"
            wide
            disabled={nothing}
            reason={isOffline ? text.offline.title : undefined}
            onPress={() => charge(entry.amountMinor, 'card')}
          >
            {nothing
              ? text.keypad.chargeNothing
              : text.keypad.charge(formats.amount(entry.amountMinor, formats.currency))}
          </Button>
        </>
      }
    >
      <QuickAmounts onAdd={entry.add} />
      <Keys
        label={text.keypad.keys}
        onKey={entry.type}
        onDelete={entry.deleteLast}
        corner={{ label: entry.zeros, press: () => entry.type(entry.zeros) }}
      />
    </Frame>
  );
}
