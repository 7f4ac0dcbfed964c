import { presets } from 'virtual:permissions';
import type { Permission, Preset } from '@florin/shared/permissions.ts';
import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { PermissionFields } from '../../components/permission-fields.tsx';
import { SecretDialog } from '../../components/secret.tsx';
import { CopyButton } from '../../components/values.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { clock } from '../../platform/time.ts';
import { useMay } from '../../session/session.ts';
import { useTexts } from '../../words/texts.ts';
import type { ApiKey } from './key-state.tsx';
import { samplePathFor } from './sample-call.ts';
import { apiKeysTexts } from './texts.ts';

type Made = Pick<ApiKey, 'name' | 'permissions'> & { readonly key: string | null };

const dayMs = 86_400_000;
const expiryDays = { never: undefined, month: 30, quarter: 90, year: 365 } as const;
type Expiry = keyof typeof expiryDays;

/** Creates a key, and shows it once. */
export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const { form } = useTexts(apiKeysTexts);
  const [made, setMade] = useState<Made>();
  if (made !== undefined) return <MadeKey made={made} onClose={onClose} />;
  return (
    <Dialog shape="drawer" title={form.title} onClose={onClose}>
      <KeyForm onMade={setMade} onClose={onClose} />
    </Dialog>
  );
}

const everyPreset = Object.keys(presets) as Preset[];

/** The presets whose permissions the user holds: nobody gives what they lack. */
function useGrantable(): readonly Preset[] {
  const may = useMay();
  return everyPreset.filter(preset => presets[preset].every(may));
}

type KeyFormProps = { readonly onMade: (made: Made) => void; readonly onClose: () => void };

function KeyForm({ onMade, onClose }: KeyFormProps) {
  const text = useTexts(apiKeysTexts);
  const { form: words } = text;
  const call = useCall();
  const grantable = useGrantable();
  const [preset, setPreset] = useState<Preset>(grantable[0] ?? 'CUSTOM');
  const [permissions, setPermissions] = useState<readonly Permission[]>([]);
  const [isChecked, setChecked] = useState(false);
  const { submit, isBusy, issues, message } = useWriteForm();
  const isEmpty = presets[preset].length + permissions.length === 0;
  const send = (form: FormData) => {
    setChecked(true);
    if (isEmpty) return;
    const name = textOf(form, 'name').trim();
    const days = expiryDays[textOf(form, 'expiry') as Expiry];
    const expiresAt = days === undefined ? null : new Date(clock.now() + days * dayMs).toISOString();
    const body = { name, preset, permissions: [...permissions], expiresAt };
    void submit({
      send: idempotencyKey => call('createApiKey', { body }, { idempotencyKey }),
      onDone: onMade,
    });
  };
  const isCustom = preset === 'CUSTOM';
  const fields = (
    <PermissionFields
      chosen={permissions}
      onChange={setPermissions}
      fixed={presets[preset]}
      issue={issues.permissions ?? (isChecked && isEmpty ? words.none : undefined)}
    />
  );
  return (
    <Form onSubmit={send} action={words.create} isBusy={isBusy} message={message} onCancel={onClose}>
      <TextField label={text.name} name="name" hint={words.nameHint} required maxLength={100} issue={issues.name} />
      <SelectField
        label={words.purpose}
        value={preset}
        choices={everyPreset.map(each => [each, text.presets[each], !grantable.includes(each)])}
        hint={<PresetHint chosen={preset} lacking={everyPreset.filter(each => !grantable.includes(each))} />}
        onChange={({ target }) => setPreset(target.value as Preset)}
      />
      {isCustom ? (
        fields
      ) : (
        <details className="more-fields">
          <summary>{words.more}</summary>
          <p className="field-hint">{words.moreHint}</p>
          {fields}
        </details>
      )}
      <SelectField
        label={words.expiry}
        name="expiry"
        choices={(Object.keys(expiryDays) as Expiry[]).map(each => [each, words.expiries[each]])}
        issue={issues.expiresAt}
      />
    </Form>
  );
}

/** What is chosen, and why the rest cannot be. */
function PresetHint({ chosen, lacking }: { readonly chosen: Preset; readonly lacking: readonly Preset[] }) {
  const { form, presets: names, presetHints } = useTexts(apiKeysTexts);
  return (
    <>
      {presetHints[chosen]}
      {lacking.length === 0 ? null : ` ${form.lacking(lacking.map(each => names[each]))}`}
    </>
  );
}

/** A new key, with a call to try it with, where there is one that it may make. */
function MadeKey({ made: { name, permissions, key }, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const { form } = useTexts(apiKeysTexts);
  const path = samplePathFor(permissions);
  const sample = `curl -H "Authorization: Bearer ${key ?? ''}" ${location.origin}${path ?? ''}`;
  return (
    <SecretDialog title={form.made(name)} secret={key} why={form.madeWhy} gone={form.gone} onClose={onClose}>
      {path === undefined ? null : (
        <>
          <h3>{form.try}</h3>
          <div className="copy-line">
            <code>{sample}</code>
            <CopyButton text={sample} />
          </div>
        </>
      )}
    </SecretDialog>
  );
}
