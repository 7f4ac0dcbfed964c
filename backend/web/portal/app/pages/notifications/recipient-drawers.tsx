import type {
  NotificationKind,
  NotificationRecipient,
} from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, CheckGroup, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { useWriteForm } from '../../components/write-form.ts';
import { toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { notificationsTexts } from './texts.ts';

/** Adds somebody who is told by e-mail. */
export function AddRecipient({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(notificationsTexts);
  const { form: words } = text;
  const call = useCall();
  const [kinds, setKinds] = useState<readonly NotificationKind[]>(['problem', 'webhook']);
  const { submit, isBusy, issues, message } = useWriteForm({
    recipient_exists: ['email', words.recipient_exists],
    too_many_recipients: words.too_many_recipients,
  });
  const send = (form: FormData) => {
    if (kinds.length === 0) return;
    const email = textOf(form, 'email').trim();
    const body = { email, kinds: [...kinds] };
    void submit({
      send: idempotencyKey => call('createNotificationRecipient', { body }, { idempotencyKey }),
      onDone: () => {
        toast(words.done(email));
        onClose();
      },
    });
  };
  return (
    <Dialog shape="drawer" title={text.add} onClose={onClose}>
      <Form onSubmit={send} action={words.submit} isBusy={isBusy} message={message} onCancel={onClose}>
        <TextField
          label={text.email}
          name="email"
          type="email"
          hint={words.hint}
          autoComplete="off"
          required
          maxLength={254}
          issue={issues.email}
        />
        <KindFields chosen={kinds} onChange={setKinds} />
      </Form>
    </Dialog>
  );
}

type ChangeProps = { readonly recipient: NotificationRecipient; readonly onClose: () => void };

/** Changes what somebody is told. */
export function ChangeRecipient({ recipient: { id, email, kinds: present }, onClose }: ChangeProps) {
  const text = useTexts(notificationsTexts);
  const words = useWords();
  const call = useCall();
  const [kinds, setKinds] = useState<readonly NotificationKind[]>(present);
  const { submit, isBusy, message } = useWriteForm();
  const save = () => {
    if (kinds.length === 0) return;
    void submit({
      send: () => call('changeNotificationRecipient', { params: { id }, body: { kinds: [...kinds] } }),
      onDone: () => {
        toast(text.changed(email));
        onClose();
      },
    });
  };
  return (
    <Dialog shape="drawer" title={text.changeTitle(email)} onClose={onClose}>
      <Form onSubmit={save} action={words.actions.save} isBusy={isBusy} message={message} onCancel={onClose}>
        <KindFields chosen={kinds} onChange={setKinds} />
      </Form>
    </Dialog>
  );
}

type KindProps = {
  readonly chosen: readonly NotificationKind[];
  readonly onChange: (chosen: readonly NotificationKind[]) => void;
};

function KindFields({ chosen, onChange }: KindProps) {
  const text = useTexts(notificationsTexts);
  return (
    <CheckGroup label={text.gets} issue={chosen.length === 0 ? text.form.none : undefined}>
      {(Object.keys(text.kinds) as NotificationKind[]).map(kind => (
        <CheckField
          key={kind}
          label={text.kinds[kind][0]}
          hint={text.kinds[kind][1]}
          checked={chosen.includes(kind)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, kind] : chosen.filter(other => other !== kind))
          }
        />
      ))}
    </CheckGroup>
  );
}
