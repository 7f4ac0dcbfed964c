import { useContext } from 'react';
import { useActions } from '../actions.tsx';
import { Amount, Figure } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { BitcoinIcon, ClockIcon, InfoIcon } from '../components/icons.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { RequestedBy } from '../components/requested-by.tsx';
import type { BitcoinWords } from '../customer/customer-messages.ts';
import { countdown, HeaderContext, useFormats, useIsOffline, useServiceTime } from '../formats.tsx';
import { bitcoinWordsOf } from '../words/sentences.ts';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';

type Screen = ScreenProps<'bitcoin_sale'>['screen'];

function Countdown({ until, label }: { until: number; label: (time: string) => string }) {
  const leftMs = until - useServiceTime();
  return (
    <p className="elapsed" role="timer">
      <ClockIcon />
      {label(countdown(Math.max(0, leftMs)))}
    </p>
  );
}

/** The warning to show beside the code, if any. */
function warningOf(screen: Screen, words: BitcoinWords, sats: (count: number) => string): string | undefined {
  const { notWithdrawn, receivedSats, processingSats, amountSats, paymentUri, stage } = screen;
  if (stage === 'seen_part' && amountSats !== null) {
    const sentSats = receivedSats + processingSats;
    return words.partSeen(sats(sentSats), sats(amountSats), sats(amountSats - sentSats));
  }
  if (paymentUri === null) return undefined;
  if (receivedSats > 0 && amountSats !== null) return words.part(sats(receivedSats), sats(amountSats - receivedSats));
  return notWithdrawn === null ? undefined : words.notWithdrawn[notWithdrawn];
}

/** Changes from the card to bitcoin: not while offline, where no code can be made. */
export function PayInBitcoin({ words }: { words: BitcoinWords }) {
  const { send } = useActions();
  return (
    <Button
      wide
      icon={<BitcoinIcon />}
      reason={useIsOffline() ? words.problems.not_reached.title : undefined}
      onPress={() => void send({ name: 'pay_in_bitcoin' })}
    >
      {words.payInBitcoin}
    </Button>
  );
}

type BitcoinFrameProps = {
  screen: Screen;
  words: BitcoinWords;
  label: string;
  cancel: string;
  leave: string;
};

function BitcoinActions({ screen, words, cancel, leave }: BitcoinFrameProps) {
  const { send } = useActions();
  const { stage, mayCancel, mayUseCard, mayLeave } = screen;
  const isBusy = stage === 'cancelling' || stage === 'leaving';
  return mayLeave ? (
    <Button wide look={stage === 'seen_part' ? 'plain' : 'primary'} onPress={() => void send({ name: 'show_keypad' })}>
      {leave}
    </Button>
  ) : isBusy || !mayCancel ? (
    <Button wide busy>
      {bitcoinWordsOf(screen, words).title}
    </Button>
  ) : (
    <>
      <Button wide onPress={() => void send({ name: 'cancel_sale' })}>
        {cancel}
      </Button>
      {mayUseCard ? (
        <Button wide onPress={() => void send({ name: 'pay_by_card' })}>
          {words.payByCard}
        </Button>
      ) : null}
    </>
  );
}

/** The amount still to be paid, shown once a partial payment was sent. */
function ToPay({ screen, words, label }: Pick<BitcoinFrameProps, 'screen' | 'words' | 'label'>) {
  const { amount, sats } = useFormats();
  const { amountSats, receivedSats, processingSats } = screen;
  const { amountMinor, currency } = screen.amount;
  const sentSats = receivedSats + processingSats;
  if (amountSats === null || sentSats === 0 || sentSats >= amountSats)
    return (
      <>
        <p className="summary-label">{label}</p>
        <p className="summary-amount">
          <Amount {...screen.amount} />
        </p>
        {amountSats === null ? null : <p className="summary-sats">{sats(amountSats)}</p>}
      </>
    );
  return (
    <>
      <p className="summary-label">{words.leftToPay}</p>
      <p className="summary-amount">
        <Figure>{sats(amountSats - sentSats)}</Figure>
      </p>
      <p className="summary-sats">{words.total(`${amount(amountMinor, currency)} / ${sats(amountSats)}`)}</p>
    </>
  );
}

/** A bitcoin sale: the code, its amount and its progress. */
export function BitcoinFrame(props: BitcoinFrameProps) {
  const { screen, words, label } = props;
  const { mode } = useContext(HeaderContext);
  const { sats } = useFormats();
  const { stage, paymentUri, expiresAt } = screen;
  const { title, detail } = bitcoinWordsOf(screen, words);
  const warning = warningOf(screen, words, sats);
  return (
    <Frame
      name="bitcoin_sale"
      tone={
        stage === 'checking' || stage === 'seen_part' || (paymentUri === null && screen.problem !== null)
          ? 'attention'
          : 'neutral'
      }
      summary={
        <>
          <ToPay screen={screen} words={words} label={label} />
          {mode === 'kiosk' ? null : <RequestedBy requestedBy={screen.requestedBy} />}
        </>
      }
      actions={<BitcoinActions {...props} />}
    >
      <div className="pay-code" data-coded={paymentUri !== null}>
        {paymentUri === null ? (
          <span className="pay-code-icon" data-stage={stage}>
            <BitcoinIcon />
          </span>
        ) : (
          <QrCode text={paymentUri} label={words.code} />
        )}
        <div className="stage-words">
          <h1 tabIndex={-1}>{title}</h1>
          {warning === undefined ? null : (
            <p className="pay-code-warning" role="alert">
              <InfoIcon />
              {warning}
            </p>
          )}
          {warning === undefined || stage === 'seen_part' ? <p className="stage-detail">{detail}</p> : null}
          {expiresAt === null ? null : <Countdown until={expiresAt} label={words.codeValidFor} />}
        </div>
      </div>
    </Frame>
  );
}

/** Shown to staff during a sale in bitcoin: the customer scans the code; staff may cancel or change to card payment. */
export function BitcoinScreen({ screen }: ScreenProps<'bitcoin_sale'>) {
  const text = useText();
  return (
    <BitcoinFrame
      screen={screen}
      words={text.bitcoin}
      label={text.sale.label}
      cancel={text.sale.cancel}
      leave={text.newSale}
    />
  );
}
