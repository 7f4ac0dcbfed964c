import { type ReactNode, useRef, useState } from 'react';
import type { ShownReceipt } from '../../ipc/view.ts';
import { useActions } from '../actions.tsx';
import { useText } from '../words/words.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Frame, type Tone } from './frame.tsx';
import { SendIcon } from './icons.tsx';
import { deleteFrom, Keyboard, typeInto } from './keyboard.tsx';
import { Notice } from './notice.tsx';

const maxAddressLength = 254;

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
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const isBusy = email.state === 'sending';
  const address = typed.trim();
  return (
    <Frame
      name="receipt_email"
      tone={tone}
      summary={summary}
      onBack={() => void send({ name: 'hide_receipt_email' })}
      onSubmit={() => {
        if (address !== '' && !isBusy) void send({ name: 'email_receipt', address });
      }}
      keyboard={
        <Keyboard
          kind="email"
          label={text.keyboard.title}
          disabled={isBusy}
          onKey={character => typeInto(input, character)}
          onDelete={() => deleteFrom(input)}
        />
      }
      actions={
        <Button look="primary" submits wide busy={isBusy} disabled={address === ''} icon={<SendIcon />}>
          {text.receiptEmail.send}
        </Button>
      }
    >
      <div className="fields">
        <Field
          asHeading
          label={text.receiptEmail.title}
          value={typed}
          onChange={setTyped}
          maxLength={maxAddressLength}
          disabled={isBusy}
          attempt={email.notice}
          fieldRef={input}
        />
      </div>
      {email.notice ? <Notice notice={email.notice} /> : <p className="find-hint">{text.receiptEmail.hint}</p>}
    </Frame>
  );
}
