import type { WebhookRecord } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, SelectField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { type RowChoice, RowMenu } from '../../components/row-menu.tsx';
import { SecretDialog } from '../../components/secret.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { clock } from '../../platform/time.ts';
import { useOpenPage } from '../../shell/page-link.tsx';
import { report, toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { ChangeWebhook } from '../webhooks/webhook-drawer.tsx';
import { webhookTexts } from './texts.ts';

type Props = { readonly webhook: WebhookRecord };
type Closed = Props & { readonly onClose: () => void };

/** What can be done with an endpoint. */
export function WebhookActions({ webhook }: Props) {
  const text = useTexts(webhookTexts);
  const call = useCall();
  const openPage = useOpenPage();
  const [open, setOpen] = useState<'change' | 'rotate' | 'recover' | 'disable' | 'remove'>();
  const close = () => setOpen(undefined);
  const params = { id: webhook.id };
  const test = async () => {
    const answer = await call('testWebhook', { params });
    report(answer, text.tested);
  };
  const disable: RowChoice = ['ended', text.disable, () => setOpen('disable')];
  return (
    <>
      <Button kind="primary" onClick={() => void test()}>
        {text.test}
      </Button>
      <RowMenu
        label={text.actions}
        choices={[
          ['returned', text.recover, () => setOpen('recover')],
          ['settings', text.change, () => setOpen('change')],
          ['lock', text.rotate, () => setOpen('rotate')],
          ...(webhook.status === 'enabled' ? [disable] : []),
          ['trash', text.remove, () => setOpen('remove')],
        ]}
      />
      {open === 'change' ? <ChangeWebhook webhook={webhook} onClose={close} /> : null}
      {open === 'rotate' ? <RotateSecret webhook={webhook} onClose={close} /> : null}
      {open === 'recover' ? <Recover webhook={webhook} onClose={close} /> : null}
      {open === 'disable' ? (
        <Confirm
          title={text.disableTitle}
          action={text.disableNow}
          send={() => call('disableWebhook', { params })}
          onDone={() => toast(text.disabledNow)}
          onClose={close}
        >
          {text.disableWhy}
        </Confirm>
      ) : null}
      {open === 'remove' ? (
        <Confirm
          title={text.removeTitle}
          action={text.removeNow}
          send={() => call('deleteWebhook', { params })}
          onDone={() => {
            toast(text.removed);
            openPage('dev/webhooks');
          }}
          onClose={close}
        >
          {text.removeWhy}
        </Confirm>
      ) : null}
    </>
  );
}

function RotateSecret({ webhook, onClose }: Closed) {
  const { rotation } = useTexts(webhookTexts);
  const call = useCall();
  const [secret, setSecret] = useState<string | null>();
  const { submit, isBusy, message } = useWriteForm();
  if (secret !== undefined)
    return (
      <SecretDialog
        title={rotation.made}
        secret={secret}
        why={rotation.madeWhy}
        gone={rotation.gone}
        onClose={onClose}
      />
    );
  const rotate = (form: FormData) =>
    void submit({
      send: idempotencyKey =>
        call(
          'rotateWebhookSecret',
          { params: { id: webhook.id }, body: { keepPreviousSecret: form.get('keep') !== null } },
          { idempotencyKey },
        ),
      onDone: rotated => setSecret(rotated.secret),
    });
  return (
    <Dialog title={rotation.title} onClose={onClose}>
      <Form onSubmit={rotate} action={rotation.now} kind="danger" isBusy={isBusy} message={message} onCancel={onClose}>
        <p className="muted">{rotation.why}</p>
        <CheckField label={rotation.keep} hint={rotation.keepWhy} name="keep" defaultChecked />
      </Form>
    </Dialog>
  );
}

const hourMs = 3_600_000;
const periodMs = { hour: hourMs, day: 24 * hourMs, week: 168 * hourMs, month: 720 * hourMs } as const;
type Period = keyof typeof periodMs;

/** Sends again what an endpoint has missed since a time. */
export function Recover({ webhook, onClose }: Closed) {
  const { recovery } = useTexts(webhookTexts);
  const call = useCall();
  const { submit, isBusy, message } = useWriteForm();
  const recover = (form: FormData) => {
    const since = new Date(clock.now() - periodMs[textOf(form, 'since') as Period]).toISOString();
    void submit({
      send: idempotencyKey =>
        call('recoverWebhook', { params: { id: webhook.id }, query: { since } }, { idempotencyKey }),
      onDone: ({ deliveries }) => {
        toast(recovery.done(deliveries));
        onClose();
      },
    });
  };
  return (
    <Dialog title={recovery.title} onClose={onClose}>
      <Form onSubmit={recover} action={recovery.now} isBusy={isBusy} message={message} onCancel={onClose}>
        <p className="muted">{recovery.why}</p>
        <SelectField
          label={recovery.since}
          name="since"
          defaultValue="day"
          choices={(Object.keys(periodMs) as Period[]).map(each => [each, recovery.periods[each]])}
        />
      </Form>
    </Dialog>
  );
}
