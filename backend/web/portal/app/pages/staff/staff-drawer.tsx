import type { StaffRecord } from '@florin/shared/contracts/api-v1/staff.ts';
import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { AmountField, minorOf, typedAmount } from '../../components/amount-field.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Notice } from '../../components/notice.tsx';
import { CopyButton } from '../../components/values.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useBusiness } from '../../session/session.ts';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { staffTexts } from './texts.ts';

/** Null where the password was shown before. */
export type TemporaryPassword = { readonly name: string; readonly password: string | null };

type StaffDrawerProps = {
  /** The member to change; a new one if there is none. */
  readonly member?: StaffRecord;
  readonly onClose: () => void;
  readonly onPassword: (given: TemporaryPassword) => void;
};

/** Adds a member of staff, or changes one. */
export function StaffDrawer({ member, onClose, onPassword }: StaffDrawerProps) {
  const text = useTexts(staffTexts);
  const words = useWords();
  const call = useCall();
  const limits = useLimits(member);
  const { submit, isBusy, issues, message } = useWriteForm({
    staff_number_taken: ['staffNumber', text.form.numberTaken],
  });
  const send = (form: FormData) => {
    if (!limits.areValid()) return;
    const name = textOf(form, 'name').trim();
    const body = {
      name,
      mayRefundAndVoid: form.get('may') !== null,
      mayManageTerminals: form.get('manager') !== null,
      ...limits.amounts,
    };
    if (member !== undefined)
      return void submit({
        send: () => call('updateStaff', { params: { id: member.id }, body }),
        onDone: () => {
          toast(text.saved(name));
          onClose();
        },
      });
    const added = { ...body, staffNumber: textOf(form, 'number').trim() };
    void submit({
      send: idempotencyKey => call('createStaff', { body: added }, { idempotencyKey }),
      onDone: ({ temporaryPassword }) => {
        onClose();
        onPassword({ name, password: temporaryPassword });
      },
    });
  };
  const { form } = text;
  return (
    <Dialog shape="drawer" title={member === undefined ? form.add : form.edit(member.name)} onClose={onClose}>
      <Form
        onSubmit={send}
        action={member === undefined ? form.create : words.actions.save}
        isBusy={isBusy}
        message={message}
        onCancel={onClose}
      >
        <TextField
          label={text.name}
          name="name"
          required
          maxLength={100}
          defaultValue={member?.name}
          issue={issues.name}
        />
        {member === undefined ? (
          <TextField
            label={text.number}
            name="number"
            hint={form.numberHint}
            required
            maxLength={32}
            issue={issues.staffNumber}
          />
        ) : null}
        <CheckField label={form.may} hint={form.mayHint} name="may" defaultChecked={member?.mayRefundAndVoid ?? true} />
        <CheckField
          label={form.manager}
          hint={form.managerHint}
          name="manager"
          defaultChecked={member?.mayManageTerminals ?? false}
        />
        <div className="form-row">
          <AmountField label={text.limit} hint={form.limitHint} {...limits.one} />
          <AmountField label={text.daily} hint={form.limitHint} {...limits.daily} />
        </div>
      </Form>
    </Dialog>
  );
}

/** The two limits as they are typed; an empty field is no limit. */
function useLimits(member: StaffRecord | undefined) {
  const { currency } = useBusiness();
  const { locale } = useFormats();
  const words = useWords();
  const written = (minor: number | null | undefined) => (minor ? typedAmount(minor, currency, locale) : '');
  const [one, setOne] = useState(() => written(member?.perTransactionLimitInCents));
  const [daily, setDaily] = useState(() => written(member?.dailyLimitInCents));
  const [isChecked, setChecked] = useState(false);
  const minor = (text: string) => (text.trim() === '' ? null : (minorOf(text, currency) ?? undefined));
  const field = (value: string, onChange: (text: string) => void) => ({
    currency,
    value,
    onChange,
    issue: isChecked && minor(value) === undefined ? words.form.amount : undefined,
  });
  return {
    one: field(one, setOne),
    daily: field(daily, setDaily),
    amounts: { perTransactionLimitInCents: minor(one) ?? null, dailyLimitInCents: minor(daily) ?? null },
    areValid: () => {
      setChecked(true);
      return minor(one) !== undefined && minor(daily) !== undefined;
    },
  };
}

/** A temporary password, shown once. */
export function PasswordDrawer({
  given,
  onClose,
}: {
  readonly given: TemporaryPassword;
  readonly onClose: () => void;
}) {
  const { form } = useTexts(staffTexts);
  const words = useWords();
  return (
    <Dialog title={form.password(given.name)} onClose={onClose}>
      {given.password === null ? (
        <Notice tone="attention">{form.passwordGone}</Notice>
      ) : (
        <>
          <p className="muted">{form.passwordWhy}</p>
          <p className="secret">{given.password}</p>
          <CopyButton text={given.password} />
        </>
      )}
      <div className="form-actions">
        <Button kind="primary" onClick={onClose}>
          {words.actions.done}
        </Button>
      </div>
    </Dialog>
  );
}
