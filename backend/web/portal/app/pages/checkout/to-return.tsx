import type { CheckoutRecord } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { LinesField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Notice } from '../../components/notice.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useMay } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { checkoutsTexts } from '../checkouts/texts.ts';

type Props = { readonly checkout: CheckoutRecord };

/** What is to be returned of a checkout, and where to. */
export function ToReturn({ checkout }: Props) {
  const text = useTexts(checkoutsTexts);
  const formats = useFormats();
  const may = useMay();
  const [isEntering, setEntering] = useState(false);
  const { claim, id } = checkout;
  if (claim === null) return null;
  if (claim.status === 'returned') return <Notice tone="done">{text.returned}</Notice>;
  return (
    <>
      <Notice
        tone="attention"
        title={text[claim.reason](formats.sats(claim.amountSats))}
        action={
          may('take-payments:write') && claim.status === 'open' ? (
            <Button onClick={() => setEntering(true)}>{text.destination.button}</Button>
          ) : undefined
        }
      >
        <PageLink to="returns" search={{ purpose: 'checkout', purposeId: id }}>
          {text.toReturns}
        </PageLink>
      </Notice>
      {isEntering ? <DestinationDialog checkout={checkout} onClose={() => setEntering(false)} /> : null}
    </>
  );
}

function DestinationDialog({ checkout, onClose }: Props & { readonly onClose: () => void }) {
  const { destination: text } = useTexts(checkoutsTexts);
  const call = useCall();
  const ofField = Object.entries(text.refusals).map(([reason, words]) => [reason, ['destination', words] as const]);
  const { submit, isBusy, issues, message } = useWriteForm({
    nothing_to_claim: text.nothing_to_claim,
    ...Object.fromEntries(ofField),
  });
  const send = (form: FormData) => {
    const body = { destination: textOf(form, 'destination').trim() };
    void submit({
      send: idempotencyKey => call('claimCheckout', { params: { id: checkout.id }, body }, { idempotencyKey }),
      onDone: () => {
        toast(text.done);
        onClose();
      },
    });
  };
  return (
    <Dialog title={text.title} onClose={onClose}>
      <Form onSubmit={send} action={text.submit} isBusy={isBusy} message={message} onCancel={onClose}>
        <p className="muted">{text.why}</p>
        <LinesField
          label={text.label}
          name="destination"
          className="code-input"
          rows={4}
          required
          maxLength={2000}
          spellCheck={false}
          issue={issues.destination}
        />
      </Form>
    </Dialog>
  );
}
