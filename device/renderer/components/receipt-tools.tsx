import { createContext, type ReactNode, useContext } from 'react';
import { Button as PressButton } from 'react-aria-components/Button';
import type { ShownReceipt } from '../../ipc/view.ts';
import { useActions } from '../actions.tsx';
import { useText } from '../words/words.ts';
import { Button } from './button.tsx';
import { Frame, type Tone } from './frame.tsx';
import { CheckIcon, CodeIcon, MailIcon, PrinterIcon } from './icons.tsx';
import { Notice } from './notice.tsx';
import { QrCode } from './qr-code.tsx';

/** The receipt of the sale, void or refund on the screen; null if it has none. */
export const ReceiptContext = createContext<ShownReceipt | null>(null);

/** The title of a receipt that is looked up later: a copy, unless this terminal knows that it was never printed. */
export function useLaterReceiptTitle(): string {
  const text = useText();
  const print = useContext(ReceiptContext)?.print;
  return print?.isCopy === false ? text.receipt : text.receiptCopy;
}

type ToolProps = {
  readonly name: string;
  readonly look?: 'plain' | 'onSummary';
  readonly label: string;
  /** That it was done before, while the same press would do it again. */
  readonly done?: string | undefined;
  readonly busy?: boolean;
  readonly icon: ReactNode;
  readonly onPress: () => void;
};

/** A button that says that it was done, above what the same press does again. */
export function Tool({ name, look = 'onSummary', label, done, busy = false, icon, onPress }: ToolProps) {
  return (
    <PressButton
      className={`button button-${look} ${name}`}
      data-done={done !== undefined}
      isDisabled={busy}
      onPress={onPress}
    >
      {busy ? (
        <span className="spinner" aria-hidden="true" />
      ) : done === undefined ? (
        icon
      ) : (
        <span className="receipt-tool-done">
          <CheckIcon />
          {done}
        </span>
      )}
      <span className="receipt-tool-words">{label}</span>
    </PressButton>
  );
}

/** For staff, on the summary: the code for the customer's camera, printing, and sending it by e-mail. */
export function ReceiptTools() {
  const text = useText();
  const { send } = useActions();
  const receipt = useContext(ReceiptContext);
  if (receipt === null) return null;
  const { print, email, merchantCopy } = receipt;
  const state = print === null || print.state === 'not_sent' ? 'possible' : print.state;
  const label = text.print[state === 'possible' && print?.isCopy ? 'printed' : state];
  const printed = print?.state === 'printed' ? text.print.done : undefined;
  const sent = email?.state === 'sent' ? text.receiptEmail.sent : undefined;
  return (
    <div className="receipt-tools">
      <Tool
        name="receipt-code"
        label={text.receiptCode}
        icon={<CodeIcon />}
        onPress={() => void send({ name: 'show_receipt_code' })}
      />
      {print === null || (print.state === 'failed' && merchantCopy === null) ? null : (
        <Tool
          name="receipt-print"
          label={label}
          done={printed}
          busy={print.state === 'printing'}
          icon={<PrinterIcon />}
          onPress={() => void send({ name: 'print_receipt' })}
        />
      )}
      {email === null ? null : (
        <Tool
          name="receipt-email"
          label={text.receiptEmail.open}
          done={sent}
          icon={<MailIcon />}
          onPress={() => void send({ name: 'show_receipt_email' })}
        />
      )}
      <p className="visually-hidden" role="status">
        {[printed, sent].filter(done => done !== undefined).join('. ')}
      </p>
    </div>
  );
}

/**
 * Why the receipt, or first what the customer signs, was not printed, with the next step; otherwise the children, below
 * the reason if nothing was sent to the printer.
 */
export function UnlessNotPrinted({ children }: { children: ReactNode }) {
  const text = useText();
  const { send } = useActions();
  const { print = null, merchantCopy = null } = useContext(ReceiptContext) ?? {};
  if (merchantCopy === null && print?.state !== 'failed')
    return (
      <>
        {print?.state === 'not_sent' ? (
          <div role="alert">
            <Notice notice={print.notice} />
          </div>
        ) : null}
        {children}
      </>
    );
  const copyFor = merchantCopy === null ? 'customer' : 'merchant';
  return (
    <div className="not-printed" role="alert">
      <Notice notice={merchantCopy === null ? (print?.notice ?? null) : merchantCopy.notice} />
      <Button icon={<PrinterIcon />} onPress={() => void send({ name: 'print_receipt', copyFor })}>
        {merchantCopy === null ? text.print.failed : text.print.merchantCopy}
      </Button>
    </div>
  );
}

/** The code of the receipt, as large as the screen allows, beside the amount. */
export function ReceiptCode(props: {
  receipt: ShownReceipt;
  tone: Tone;
  summary: ReactNode;
  scan: string;
  close: string;
}) {
  const { receipt, tone, summary, scan, close } = props;
  const { send } = useActions();
  const hide = () => void send({ name: 'hide_receipt_code' });
  return (
    <Frame
      name="receipt_code"
      tone={tone}
      summary={summary}
      actions={
        <Button wide look="primary" onPress={hide}>
          {close}
        </Button>
      }
    >
      <div className="pay-code" data-coded="true">
        <QrCode text={receipt.url} label={scan} />
        <div className="stage-words">
          <h1 tabIndex={-1}>{scan}</h1>
        </div>
      </div>
    </Frame>
  );
}
