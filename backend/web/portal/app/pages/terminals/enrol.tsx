import { useState } from 'react';
import { useCall, useRead } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Notice } from '../../components/notice.tsx';
import { Qr } from '../../components/qr.tsx';
import { CopyButton } from '../../components/values.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { terminalsTexts } from './texts.ts';

/** A code as it was made, and the terminal that it enrols. */
export type Enrolment = {
  readonly terminal: { readonly id: string; readonly name: string };
  /** Null where the code was shown before. */
  readonly code: string | null;
  readonly expiresAt: string;
};

/** Names a new terminal, and shows the code to enrol it by. */
export function EnrolDrawer({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(terminalsTexts);
  const [enrolment, setEnrolment] = useState<Enrolment>();
  if (enrolment !== undefined) return <CodeDrawer enrolment={enrolment} onClose={onClose} />;
  return (
    <Dialog shape="drawer" title={text.form.title} onClose={onClose}>
      <NameForm onMade={setEnrolment} onClose={onClose} />
    </Dialog>
  );
}

type NameFormProps = { readonly onMade: (enrolment: Enrolment) => void; readonly onClose: () => void };

function NameForm({ onMade, onClose }: NameFormProps) {
  const { form, name: nameLabel } = useTexts(terminalsTexts);
  const call = useCall();
  const { submit, isBusy, issues, message } = useWriteForm();
  const send = (fields: FormData) => {
    const name = textOf(fields, 'name').trim();
    const mode = fields.get('mode') === 'kiosk' ? 'kiosk' : 'staff';
    void submit({
      send: idempotencyKey => call('createDevice', { body: { name, mode } }, { idempotencyKey }),
      onDone: ({ id, enrolment }) =>
        onMade({ terminal: { id, name }, code: enrolment?.code ?? null, expiresAt: enrolment?.expiresAt ?? '' }),
    });
  };
  return (
    <Form onSubmit={send} action={form.create} isBusy={isBusy} message={message} onCancel={onClose}>
      <TextField label={nameLabel} name="name" hint={form.nameHint} required maxLength={100} issue={issues.name} />
      <SelectField
        label={form.mode}
        name="mode"
        choices={[
          ['staff', form.modes.staff],
          ['kiosk', form.modes.kiosk],
        ]}
      />
    </Form>
  );
}

/** The code, until the terminal has used it. */
export function CodeDrawer({ enrolment, onClose }: { readonly enrolment: Enrolment; readonly onClose: () => void }) {
  const { form } = useTexts(terminalsTexts);
  const words = useWords();
  const formats = useFormats();
  const { terminal, code, expiresAt } = enrolment;
  const [enrolledBefore, setEnrolledBefore] = useState<string | null>();
  const read = useRead('getDevice', { params: { id: terminal.id } }, { refetchMs: 2_000 });
  const enrolledAt = read.data?.enrolledAt;
  if (enrolledBefore === undefined && enrolledAt !== undefined) setEnrolledBefore(enrolledAt);
  const isEnrolled = enrolledBefore !== undefined && enrolledAt !== undefined && enrolledAt !== enrolledBefore;
  return (
    <Dialog shape="drawer" title={form.codeTitle(terminal.name)} onClose={onClose}>
      {isEnrolled ? (
        <Notice tone="done" role="status" title={form.done} />
      ) : code === null ? (
        <Notice tone="attention">{form.gone}</Notice>
      ) : (
        <div className="handover">
          <p className="muted">{form.codeWhy}</p>
          <Qr text={code} label={form.qr} />
          <p className="secret">{code}</p>
          <CopyButton text={code} />
          <p className="small muted">{form.until(formats.time(expiresAt))}</p>
          <Notice tone="doing" role="status">
            {form.waiting}
          </Notice>
        </div>
      )}
      <div className="form-actions">
        <Button kind={isEnrolled ? 'primary' : 'quiet'} onClick={onClose}>
          {words.actions.done}
        </Button>
      </div>
    </Dialog>
  );
}
