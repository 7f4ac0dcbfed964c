import { useState } from 'react';
import type { BodyFor } from '../../api/call.ts';
import { useCall, useRead } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { LinesField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { CopyButton } from '../../components/values.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useMay } from '../../session/session.ts';
import { toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { DeveloperTabs } from '../developers/tabs.tsx';
import { SignatureDebugger } from './debugger.tsx';
import { signingTexts } from './texts.ts';

/** How signatures are made, and why one is not accepted. */
export function Page() {
  const text = useTexts(signingTexts);
  const may = useMay();
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      <DeveloperTabs />
      <div className="columns">
        <SignatureDebugger />
        {may('webhooks:write') ? <CheckoutSigning /> : null}
      </div>
    </>
  );
}

type Settings = BodyFor<'getCheckoutSettings'>;

function CheckoutSigning() {
  const read = useRead('getCheckoutSettings', {});
  return (
    <Loaded read={read} skeleton={<SkeletonLines lines={8} />}>
      {settings => (
        <div className="stack">
          <SigningKey settings={settings} />
          <Frames settings={settings} />
        </div>
      )}
    </Loaded>
  );
}

function SigningKey({ settings: { signingKey } }: { readonly settings: Settings }) {
  const text = useTexts(signingTexts);
  const words = useWords();
  const call = useCall();
  const [isShown, setShown] = useState(false);
  const [isRotating, setRotating] = useState(false);
  return (
    <Card title={text.key}>
      <div className="form">
        <p className="muted">{text.keyWhy}</p>
        <code className="secret-line">{isShown ? signingKey : '•'.repeat(24)}</code>
        <div className="row-actions start">
          <CopyButton text={signingKey} />
          <Button kind="bare" icon="eye" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? words.actions.hide : words.actions.show}
          </Button>
        </div>
        <Button kind="danger" onClick={() => setRotating(true)}>
          {text.rotate}
        </Button>
      </div>
      {isRotating ? (
        <Confirm
          title={text.rotateTitle}
          action={text.rotateNow}
          send={() => call('changeCheckoutSettings', { body: { rotateSigningKey: true } })}
          onDone={() => toast(text.rotated)}
          onClose={() => setRotating(false)}
        >
          {text.rotateWhy}
        </Confirm>
      ) : null}
    </Card>
  );
}

function Frames({ settings: { frameOrigins } }: { readonly settings: Settings }) {
  const text = useTexts(signingTexts);
  const words = useWords();
  const call = useCall();
  const { submit, isBusy, issues, message } = useWriteForm();
  const save = (form: FormData) =>
    void submit({
      send: () =>
        call('changeCheckoutSettings', {
          body: { frameOrigins: textOf(form, 'origins').split(/\s+/).filter(Boolean) },
        }),
      onDone: () => toast(text.framesSaved),
    });
  const issue = Object.entries(issues).find(([path]) => path.startsWith('frameOrigins'))?.[1];
  return (
    <Card title={text.frames}>
      <Form onSubmit={save} action={words.actions.save} isBusy={isBusy} message={message}>
        <p className="muted">{text.framesWhy}</p>
        <LinesField
          key={frameOrigins.join()}
          label={text.origins}
          hint={text.framesHint}
          name="origins"
          rows={3}
          className="code-input"
          defaultValue={frameOrigins.join('\n')}
          issue={issue}
        />
      </Form>
    </Card>
  );
}
