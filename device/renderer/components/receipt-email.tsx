import type { ReactNode } from 'react';
import type { ShownReceipt } from '../../ipc/view.ts';
import { useActions } from '../actions.tsx';
import { useText } from '../words/words.ts';
import type { Tone } from './frame.tsx';
import { SendIcon } from './icons.tsx';
import { Notice } from './notice.tsx';
import { TextStep } from './text-step.tsx';

type Email = NonNullable<ShownReceipt['email']>;

/** The e-mail of a receipt while staff type its address, or it is being sent; otherwise null. */
export function openEmail(receipt: ShownReceipt | null): Email | null {
  const email = receipt?.email ?? null;
  return email?.state === 'typing' || email?.state === 'sending' ? email : null;
}

/** The step in which staff type the address that the receipt on the screen is sent to. */
export function ReceiptEmail({ email, tone, summary }: { email: Email; tone: Tone; summary: ReactNode }) {
  const text = useText();
  const { send } = useActions();
  return (
    <TextStep
      name="receipt_email"
      title={text.receiptEmail.title}
      below={email.notice ? <Notice notice={email.notice} /> : <p className="find-hint">{text.receiptEmail.hint}</p>}
      submit={text.receiptEmail.send}
      icon={<SendIcon />}
      keyboard="email"
      typed=""
      maxLength={254}
      isBusy={email.state === 'sending'}
      attempt={email.notice}
      tone={tone}
      summary={summary}
      onSubmit={address => void send({ name: 'email_receipt', address })}
      onBack={() => void send({ name: 'hide_receipt_email' })}
    />
  );
}
