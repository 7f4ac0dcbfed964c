import type { WebhookEvent, WebhookRecord } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Notice } from '../../components/notice.tsx';
import { SecretDialog } from '../../components/secret.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useOpenPage } from '../../shell/page-link.tsx';
import { toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { webhooksTexts } from './texts.ts';

/** Creates an endpoint, shows its secret once, and goes to its page. */
export function NewWebhook({ onClose }: { readonly onClose: () => void }) {
  const { form } = useTexts(webhooksTexts);
  const call = useCall();
  const openPage = useOpenPage();
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string | null }>();
  const { submit, ...state } = useWriteForm();
  if (made !== undefined)
    return (
      <SecretDialog
        title={form.made}
        secret={made.secret}
        why={form.madeWhy}
        gone={form.gone}
        onClose={() => openPage(`dev/webhooks/${made.id}`)}
      />
    );
  const create = (body: Typed) =>
    void submit({
      send: idempotencyKey => call('createWebhook', { body }, { idempotencyKey }),
      onDone: setMade,
    });
  return (
    <Dialog shape="drawer" title={form.new} onClose={onClose}>
      <WebhookForm action={form.create} state={state} onTyped={create} onClose={onClose} />
    </Dialog>
  );
}

type ChangeProps = { readonly webhook: WebhookRecord; readonly onClose: () => void };

/** Changes an endpoint. */
export function ChangeWebhook({ webhook, onClose }: ChangeProps) {
  const { form } = useTexts(webhooksTexts);
  const words = useWords();
  const call = useCall();
  const { submit, ...state } = useWriteForm();
  const save = (body: Typed) =>
    void submit({
      send: () => call('changeWebhook', { params: { id: webhook.id }, body }),
      onDone: () => {
        toast(form.changed);
        onClose();
      },
    });
  return (
    <Dialog shape="drawer" title={form.change} onClose={onClose}>
      <WebhookForm webhook={webhook} action={words.actions.save} state={state} onTyped={save} onClose={onClose} />
    </Dialog>
  );
}

type Typed = { readonly url: string; readonly eventType: WebhookEvent; readonly description: string | null };

type FormProps = {
  readonly webhook?: WebhookRecord;
  readonly action: string;
  readonly state: Omit<ReturnType<typeof useWriteForm>, 'submit'>;
  readonly onTyped: (typed: Typed) => void;
  readonly onClose: () => void;
};

function WebhookForm({ webhook, action, state: { issues, isBusy, message }, onTyped, onClose }: FormProps) {
  const text = useTexts(webhooksTexts);
  const [eventType, setEventType] = useState<WebhookEvent>(webhook?.eventType ?? 'payment.completed');
  const send = (form: FormData) => {
    const description = textOf(form, 'description').trim();
    onTyped({ url: textOf(form, 'url').trim(), eventType, description: description === '' ? null : description });
  };
  return (
    <Form onSubmit={send} action={action} isBusy={isBusy} message={message} onCancel={onClose}>
      <TextField
        label={text.url}
        name="url"
        type="url"
        hint={text.form.urlHint}
        placeholder="https://"
        required
        maxLength={2000}
        defaultValue={webhook?.url}
        issue={issues.url}
      />
      <SelectField
        label={text.event}
        value={eventType}
        hint={text.events[eventType]}
        choices={Object.keys(text.events).map(each => [each, each])}
        onChange={({ target }) => setEventType(target.value as WebhookEvent)}
        issue={issues.eventType}
      />
      {webhook !== undefined && webhook.eventType !== eventType ? (
        <Notice tone="attention">{text.form.otherEvent}</Notice>
      ) : null}
      <TextField
        label={text.description}
        name="description"
        hint={text.form.descriptionHint}
        maxLength={200}
        defaultValue={webhook?.description ?? ''}
        issue={issues.description}
      />
    </Form>
  );
}
