import { useCall } from '../../api/use-read.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { useWriteForm } from '../../components/write-form.ts';
import { useOpenPage } from '../../shell/page-link.tsx';
import { useTexts } from '../../words/texts.ts';
import { tipsTexts } from './texts.ts';

/** Makes a tip link, and goes to its page with the code. */
export function NewTipLink({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(tipsTexts);
  const { form: words } = text;
  const call = useCall();
  const openPage = useOpenPage();
  const { submit, isBusy, issues, message } = useWriteForm({
    bitcoin_not_available: words.bitcoin_not_available,
    name_taken: ['lightningName', words.name_taken],
  });
  const send = (form: FormData) => {
    const lightningName = textOf(form, 'lightningName').trim();
    const body = {
      name: textOf(form, 'name').trim(),
      minimumSats: Number(textOf(form, 'least')),
      maximumSats: Number(textOf(form, 'most')),
      ...(lightningName === '' ? {} : { lightningName }),
    };
    void submit({
      send: idempotencyKey => call('createTipLink', { body }, { idempotencyKey }),
      onDone: ({ id }) => openPage(`tips/${id}`),
    });
  };
  return (
    <Dialog shape="drawer" title={text.new} onClose={onClose}>
      <Form onSubmit={send} action={words.create} isBusy={isBusy} message={message} onCancel={onClose}>
        <TextField label={text.name} name="name" hint={words.nameHint} required maxLength={100} issue={issues.name} />
        <TextField
          label={words.lightningName}
          name="lightningName"
          hint={words.lightningHint(location.host)}
          maxLength={64}
          pattern="[a-z0-9][a-z0-9._\-]*"
          autoCapitalize="none"
          spellCheck={false}
          issue={issues.lightningName}
        />
        <div className="form-row">
          <TextField
            label={words.least}
            name="least"
            type="number"
            min={1}
            required
            defaultValue={1}
            issue={issues.minimumSats}
          />
          <TextField
            label={words.most}
            name="most"
            type="number"
            min={1}
            required
            defaultValue={1_000_000}
            issue={issues.maximumSats}
          />
        </div>
      </Form>
    </Dialog>
  );
}
