import { useState } from 'react';
import { useCall, useReadAll } from '../../api/use-read.ts';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, CheckGroup, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { SecretDialog } from '../../components/secret.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useTexts } from '../../words/texts.ts';
import { kioskKeysTexts } from './texts.ts';

type Made = { readonly name: string; readonly key: string | null };

/** Creates the key of an installation, and shows it once. */
export function NewKioskKey({ onClose }: { readonly onClose: () => void }) {
  const { form } = useTexts(kioskKeysTexts);
  const [made, setMade] = useState<Made>();
  if (made === undefined)
    return (
      <Dialog shape="drawer" title={form.title} onClose={onClose}>
        <KeyForm onMade={setMade} onClose={onClose} />
      </Dialog>
    );
  return (
    <SecretDialog
      title={form.made(made.name)}
      secret={made.key}
      why={form.madeWhy}
      gone={form.gone}
      onClose={onClose}
    />
  );
}

type KeyFormProps = { readonly onMade: (made: Made) => void; readonly onClose: () => void };

function KeyForm({ onMade, onClose }: KeyFormProps) {
  const text = useTexts(kioskKeysTexts);
  const call = useCall();
  const terminals = useReadAll('listDevices');
  const [isChecked, setChecked] = useState(false);
  const { submit, isBusy, issues, message } = useWriteForm();
  const send = (form: FormData) => {
    const name = textOf(form, 'name').trim();
    const deviceIds = form.getAll('device').map(String);
    setChecked(deviceIds.length === 0);
    if (deviceIds.length === 0) return;
    void submit({
      send: idempotencyKey => call('createKioskKey', { body: { name, deviceIds } }, { idempotencyKey }),
      onDone: ({ key }) => onMade({ name, key }),
    });
  };
  return (
    <Form onSubmit={send} action={text.form.create} isBusy={isBusy} message={message} onCancel={onClose}>
      <TextField label={text.name} name="name" hint={text.form.nameHint} required maxLength={100} issue={issues.name} />
      <Loaded read={terminals} skeleton={<SkeletonLines lines={3} />}>
        {found => (
          <CheckGroup
            label={text.terminals}
            hint={found.length === 0 ? text.form.noTerminals : text.form.terminalsHint}
            issue={issues.deviceIds ?? (isChecked ? text.form.none : undefined)}
          >
            {found.map(({ id, name, serial }) => (
              <CheckField key={id} label={name} hint={serial ?? undefined} name="device" value={id} />
            ))}
          </CheckGroup>
        )}
      </Loaded>
    </Form>
  );
}
