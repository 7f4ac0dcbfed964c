import type { BusinessRecord } from '@florin/shared/contracts/api-v1/business.ts';
import { useState } from 'react';
import { CheckField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { base64Of } from '../../platform/base64.ts';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { businessSettingsTexts } from './texts.ts';
import { useBusinessChange } from './use-business-change.ts';

/** The blue of the service, where somebody begins to choose a colour. */
const firstColour = '#1f4fe0';
const maxLogoBytes = 100_000;

type Logo =
  | { readonly kind: 'kept' | 'removed' }
  | { readonly kind: 'new'; readonly type: string; readonly data: string };

/** The colour and the logo of the business. */
export function Appearance({ business }: { readonly business: BusinessRecord }) {
  const text = useTexts(businessSettingsTexts);
  const words = useWords();
  const change = useBusinessChange();
  const { submit, isBusy, issues, message } = useWriteForm();
  const [colour, setColour] = useState(business.accentColour);
  const [logo, setLogo] = useState<Logo>({ kind: 'kept' });
  const [isTooLarge, setTooLarge] = useState(false);
  const save = () => {
    const ofLogo = logo.kind === 'kept' ? {} : { logo: logo.kind === 'new' ? logo.data : null };
    void submit({
      send: () => change({ accentColour: colour, ...ofLogo }),
      onDone: () => {
        setLogo({ kind: 'kept' });
        toast(text.saved);
      },
    });
  };
  const choose = async (file: File | undefined) => {
    setTooLarge(file !== undefined && file.size > maxLogoBytes);
    if (file === undefined || file.size > maxLogoBytes) return setLogo({ kind: 'kept' });
    setLogo({ kind: 'new', type: file.type, data: await base64Of(file) });
  };
  return (
    <Card title={text.look}>
      <Form onSubmit={save} action={words.actions.save} isBusy={isBusy} message={message}>
        <p className="muted">{text.lookWhy}</p>
        <CheckField
          label={text.ownColour}
          hint={colour === null ? text.accentNone : text.accentHint}
          checked={colour !== null}
          onChange={({ target }) => setColour(target.checked ? firstColour : null)}
        />
        {colour === null ? null : (
          <TextField
            label={text.accent}
            type="color"
            className="colour"
            value={colour}
            onChange={({ target }) => setColour(target.value)}
            issue={issues.accentColour}
          />
        )}
        <TextField
          label={text.logo}
          type="file"
          accept="image/png,image/jpeg"
          hint={text.logoHint}
          onChange={({ target }) => void choose(target.files?.[0])}
          issue={isTooLarge ? text.logoTooLarge : issues.logo}
        />
        <LogoNow business={business} logo={logo} onChange={setLogo} />
      </Form>
    </Card>
  );
}

type LogoProps = {
  readonly business: BusinessRecord;
  readonly logo: Logo;
  readonly onChange: (logo: Logo) => void;
};

function LogoNow({ business, logo, onChange }: LogoProps) {
  const text = useTexts(businessSettingsTexts);
  const formats = useFormats();
  if (logo.kind === 'new')
    return <img className="logo-preview" src={`data:${logo.type};base64,${logo.data}`} alt={text.logoNew} />;
  if (business.logo === null) return <p className="muted">{text.logoNone}</p>;
  return (
    <>
      <p className="muted">
        {text.logoIs(formats.number(business.logo.widthPx), formats.number(business.logo.heightPx))}
      </p>
      <CheckField
        label={text.logoRemove}
        checked={logo.kind === 'removed'}
        onChange={({ target }) => onChange({ kind: target.checked ? 'removed' : 'kept' })}
      />
    </>
  );
}
