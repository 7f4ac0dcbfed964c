import { type ReactNode, use } from 'react';
import type { CustomerOutcome, SaleStage, ShownReceipt } from '../../ipc/view.ts';
import { useActions } from '../actions.tsx';
import { Amount } from '../components/amount.tsx';
import { Button } from '../components/button.tsx';
import { DisplayContext, Frame, type Tone } from '../components/frame.tsx';
import {
  AttentionIcon,
  CheckIcon,
  ClockIcon,
  CodeIcon,
  CrossIcon,
  InfoIcon,
  LockIcon,
  Mark,
  PrinterIcon,
} from '../components/icons.tsx';
import { StageIllustration } from '../components/illustration.tsx';
import { LanguageButton } from '../components/language-button.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { ReceiptCode, ReceiptContext } from '../components/receipt-tools.tsx';
import { Receipt } from '../components/sale-facts.tsx';
import type { CustomerMessages } from '../customer/customer-messages.ts';
import { HeaderContext, useIsOffline } from '../formats.tsx';
import { bitcoinWordsOf } from '../words/sentences.ts';
import { useMessages } from '../words/words.ts';
import { BitcoinFrame, PayInBitcoin } from './bitcoin.tsx';
import type { ScreenProps } from './props.ts';
import { IncludedTip } from './tip.tsx';

/** The idle screen: the business, and whether it takes cards. */
export function KioskIdleScreen() {
  const { send } = useActions();
  const { businessName, service, reader, isCardLeft } = use(HeaderContext);
  const { idle, stages } = useMessages();
  const takesCards = service !== 'offline' && (reader === 'ready' || reader === 'busy' || reader === 'connecting');
  const unready = isCardLeft ? stages.remove_previous_card : idle.unavailable;
  return (
    <Frame
      name="kiosk_idle"
      tone={takesCards ? 'neutral' : 'ended'}
      summary={
        <div className="kiosk-idle">
          <Mark />
          <h1 tabIndex={-1}>{businessName}</h1>
          <div className="kiosk-idle-words" role="status">
            <p>{takesCards ? idle.ready : unready.title}</p>
            {takesCards ? null : <p className="kiosk-idle-detail">{unready.detail}</p>}
          </div>
        </div>
      }
      actions={
        <>
          <LanguageButton isNamed />
          <Button icon={<LockIcon />} onPress={() => void send({ name: 'change_mode' })}>
            {idle.staff}
          </Button>
        </>
      }
    />
  );
}

/** Before a card is read, none can be accepted without the service. */
const beforeCard: ReadonlySet<SaleStage> = new Set([
  'starting',
  'remove_previous_card',
  'waiting_for_reader',
  'present_card',
  'insert_card',
]);

/** The customer's display of a counter while the reader asks for a tip. A terminal in kiosk mode asks for none. */
export function KioskTipScreen({ screen }: ScreenProps<'tip'>) {
  const { toPay, tip } = useMessages();
  return (
    <Frame
      name="kiosk_tip"
      summary={
        <>
          <p className="summary-label">{toPay}</p>
          <p className="summary-amount">
            <Amount {...screen.amount} />
          </p>
        </>
      }
    >
      <div className="stage">
        <StageIllustration stage="choose_application" />
        <div className="stage-words">
          <h1 tabIndex={-1}>{tip.title}</h1>
          <p className="stage-detail">{tip.detail}</p>
        </div>
      </div>
      <p className="visually-hidden" role="status">
        {`${tip.title}. ${tip.detail}`}
      </p>
    </Frame>
  );
}

/** A card sale in kiosk mode, in the customer's language: the customer follows the reader and may cancel. */
export function KioskSaleScreen({ screen }: ScreenProps<'sale'>) {
  const { send } = useActions();
  const { isCardLeft } = use(HeaderContext);
  const isUnavailable = useIsOffline() && beforeCard.has(screen.stage) && !screen.cancelling;
  const messages = useMessages();
  const words = isUnavailable ? messages.idle.unavailable : messages.stages[screen.stage];
  return (
    <Frame
      name="kiosk_sale"
      tone={isUnavailable ? 'attention' : 'neutral'}
      summary={
        <>
          <p className="summary-label">{messages.toPay}</p>
          <p className="summary-amount">
            <Amount {...screen.amount} />
          </p>
          <IncludedTip tipMinor={screen.tipMinor} currency={screen.amount.currency} words={messages.tip.included} />
        </>
      }
      actions={
        screen.cancelling ? (
          <Button wide busy>
            {messages.cancelling}
          </Button>
        ) : screen.cancellable ? (
          <>
            <Button wide onPress={() => void send({ name: 'cancel_sale' })}>
              {messages.cancel}
            </Button>
            {screen.mayUseBitcoin ? <PayInBitcoin words={messages.bitcoin} /> : null}
            {beforeCard.has(screen.stage) ? <LanguageButton /> : null}
          </>
        ) : (
          <p className="reason">
            <InfoIcon />
            {messages.cannotCancel}
          </p>
        )
      }
    >
      <div
        className="stage"
        data-attention={isUnavailable || screen.stage === 'checking' || screen.stage === 'wrong_pin'}
      >
        {isUnavailable ? (
          <span className="pay-code-icon">
            <AttentionIcon />
          </span>
        ) : (
          <StageIllustration key={screen.stage} stage={screen.stage} />
        )}
        <div className="stage-words">
          <h1 tabIndex={-1}>{words.title}</h1>
          <p className="stage-detail">{words.detail}</p>
          <div role="alert">{isCardLeft ? <p className="kiosk-take-card">{messages.takeCard}</p> : null}</div>
        </div>
      </div>
      <p className="visually-hidden" role="status">
        {`${words.title}. ${words.detail}`}
      </p>
    </Frame>
  );
}

/** The code that a customer pays with a wallet. */
export function KioskBitcoinScreen({ screen }: ScreenProps<'bitcoin_sale'>) {
  const messages = useMessages();
  return (
    <>
      <BitcoinFrame
        screen={screen}
        words={messages.bitcoin}
        label={messages.toPay}
        cancel={messages.cancel}
        leave={messages.done}
      />
      <p className="visually-hidden" role="status">
        {Object.values(bitcoinWordsOf(screen, messages.bitcoin)).join('. ')}
      </p>
    </>
  );
}

const looks: Record<CustomerOutcome, { readonly tone: Tone; readonly icon: ReactNode }> = {
  approved: { tone: 'success', icon: <CheckIcon /> },
  declined: { tone: 'refused', icon: <CrossIcon /> },
  cancelled: { tone: 'ended', icon: <CrossIcon /> },
  no_card: { tone: 'ended', icon: <ClockIcon /> },
  not_paid: { tone: 'ended', icon: <ClockIcon /> },
  underpaid: { tone: 'attention', icon: <AttentionIcon /> },
  not_charged: { tone: 'ended', icon: <CrossIcon /> },
  being_returned: { tone: 'attention', icon: <AttentionIcon /> },
  ask_staff: { tone: 'attention', icon: <AttentionIcon /> },
};

/** The outcome of a customer's payment. The core leaves it after a while. */
export function KioskResultScreen({ screen }: ScreenProps<'sale_result'>) {
  const { send } = useActions();
  const { customerOutcome, amount, receipt: lines, requestedBy } = screen;
  const receipt = use(ReceiptContext);
  const { isCardLeft } = use(HeaderContext);
  const { tone, icon } = looks[customerOutcome];
  const messages = useMessages();
  const isDisplay = use(DisplayContext);
  const outcomes = isDisplay ? { ...messages.outcomes, ...messages.counterOutcomes } : messages.outcomes;
  const words = outcomes[customerOutcome];
  if (receipt?.isCodeShown)
    return (
      <ReceiptCode
        receipt={receipt}
        tone={tone}
        summary={
          <p className="summary-amount">
            <Amount {...amount} />
          </p>
        }
        scan={messages.scanReceipt}
        close={messages.done}
      />
    );
  return (
    <Frame
      name="kiosk_outcome"
      tone={tone}
      summary={
        <div className="kiosk-result">
          <span className="outcome-icon">{icon}</span>
          <h1 tabIndex={-1}>{words.title}</h1>
          <p className="kiosk-result-detail" role="status">
            {printWords(messages, receipt) ?? words.detail}
          </p>
          <div role="alert">{isCardLeft ? <p className="kiosk-take-card">{messages.takeCard}</p> : null}</div>
          <p className="summary-amount">
            <Amount {...amount} />
          </p>
          {requestedBy === null || requestedBy.reference === null ? null : (
            <p className="kiosk-reference">{messages.reference(requestedBy.reference)}</p>
          )}
        </div>
      }
      actions={
        <>
          {receipt === null ? null : <CustomerReceipt receipt={receipt} messages={messages} />}
          <Button wide onPress={() => void send({ name: 'show_keypad' })}>
            {messages.done}
          </Button>
        </>
      }
    >
      {isDisplay && receipt !== null ? (
        // Customers cannot ask this page for it, and take it with them by its code.
        <div className="pay-code" data-coded="true">
          <QrCode text={receipt.url} label={messages.scanReceipt} />
          <div className="stage-words">
            <h2>{messages.scanReceipt}</h2>
          </div>
        </div>
      ) : lines.length === 0 ? undefined : (
        <div className="outcome">
          <Receipt title={messages.receipt} scan={messages.scanReceipt} lines={lines} />
        </div>
      )}
    </Frame>
  );
}

/** What the customer has to know of the printer, in place of the words of the outcome. */
function printWords({ print }: CustomerMessages, receipt: ShownReceipt | null): string | undefined {
  const state = receipt?.print?.state ?? 'possible';
  if (state === 'possible') return undefined;
  return print.states[state === 'not_sent' ? 'failed' : state];
}

/** The code of the receipt, and printing it once. */
function CustomerReceipt({ receipt, messages }: { receipt: ShownReceipt; messages: CustomerMessages }) {
  const { send } = useActions();
  const { print } = receipt;
  return (
    <>
      <Button icon={<CodeIcon />} onPress={() => void send({ name: 'show_receipt_code' })}>
        {messages.receipt}
      </Button>
      {print === null || print.state === 'printed' ? null : (
        <Button
          icon={<PrinterIcon />}
          busy={print.state === 'printing'}
          onPress={() => void send({ name: 'print_receipt' })}
        >
          {messages.print.print}
        </Button>
      )}
    </>
  );
}
