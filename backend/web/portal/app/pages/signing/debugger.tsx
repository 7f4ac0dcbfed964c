import { useEffect, useState } from 'react';
import { useRead } from '../../api/use-read.ts';
import { LinesField, PasswordField, SelectField, TextField } from '../../components/field.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Notice } from '../../components/notice.tsx';
import { Card } from '../../components/page.tsx';
import { Steps } from '../../components/steps.tsx';
import { CopyButton } from '../../components/values.tsx';
import { clock } from '../../platform/time.ts';
import { useMay } from '../../session/session.ts';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { diagnoseRedirect, diagnoseWebhook, type RedirectDiagnosis, type WebhookDiagnosis } from './diagnosis.ts';
import { signingTexts } from './texts.ts';

/** Says why a receiver does not accept a signature, without sending anything. */
export function SignatureDebugger() {
  const text = useTexts(signingTexts);
  const { search, change } = useFilters();
  const isRedirect = search.what === 'redirect';
  return (
    <Card title={text.debugger}>
      <div className="form">
        <p className="muted">{text.debuggerWhy}</p>
        <SelectField
          label={text.what}
          value={isRedirect ? 'redirect' : 'webhook'}
          choices={[
            ['webhook', text.whats.webhook],
            ['redirect', text.whats.redirect],
          ]}
          onChange={({ target }) => change({ what: target.value === 'redirect' ? 'redirect' : undefined })}
        />
        {isRedirect ? <RedirectCheck /> : <WebhookCheck />}
      </div>
    </Card>
  );
}

/** The body of the delivery that the address names, if any. */
function useDeliveryBody(): string | undefined {
  const { search } = useFilters();
  const { webhook = '', delivery } = search;
  const read = useRead(
    'listWebhookDeliveries',
    { params: { id: webhook }, query: { limit: 100 } },
    { enabled: webhook !== '' },
  );
  return read.data?.items.find(({ id }) => id === delivery)?.body;
}

function WebhookCheck() {
  const text = useTexts(signingTexts);
  const ofDelivery = useDeliveryBody();
  const [secret, setSecret] = useState('');
  const [header, setHeader] = useState('');
  const [typedBody, setBody] = useState<string>();
  const body = typedBody ?? ofDelivery ?? '';
  const [diagnosis, setDiagnosis] = useState<WebhookDiagnosis>();
  const isComplete = secret !== '' && header !== '' && body !== '';
  useEffect(() => {
    if (!isComplete) return setDiagnosis(undefined);
    let isCurrent = true;
    void diagnoseWebhook({ secret, header, body }, clock.now()).then(made => {
      if (isCurrent) setDiagnosis(made);
    });
    return () => {
      isCurrent = false;
    };
  }, [isComplete, secret, header, body]);
  return (
    <>
      <PasswordField
        label={text.secret}
        hint={text.secretHint}
        autoComplete="off"
        value={secret}
        onChange={({ target }) => setSecret(target.value)}
      />
      <TextField
        label={text.header}
        placeholder="t=1795000000,v1=5257a869…"
        autoComplete="off"
        spellCheck={false}
        value={header}
        onChange={({ target }) => setHeader(target.value)}
      />
      <LinesField
        label={text.body}
        hint={ofDelivery !== undefined && typedBody === undefined ? text.ofDelivery : text.bodyHint}
        className="code-input"
        rows={5}
        spellCheck={false}
        value={body}
        onChange={({ target }) => setBody(target.value)}
      />
      {diagnosis === undefined ? <p className="muted">{text.wait}</p> : <WebhookResult diagnosis={diagnosis} />}
    </>
  );
}

function WebhookResult({ diagnosis }: { readonly diagnosis: WebhookDiagnosis }) {
  const text = useTexts(signingTexts);
  const { steps } = text;
  const formats = useFormats();
  if (diagnosis.kind === 'header') return <Steps steps={[{ isRight: false, name: text.faults[diagnosis.fault] }]} />;
  const { signedAtMs, age, signed, expected, hint } = diagnosis;
  const ago = formats.ago(new Date(signedAtMs).toISOString(), clock.now());
  const time = { accepted: steps.time(ago), old: steps.tooOld(ago), ahead: steps.future };
  return (
    <>
      <Steps
        steps={[
          { isRight: true, name: steps.header },
          { isRight: age === 'accepted', name: time[age] },
          { isRight: hint === undefined, name: hint === undefined ? steps.matches : steps.differs },
        ]}
      />
      {hint === undefined ? null : <Notice tone="attention">{text.hints[hint]}</Notice>}
      <Signed signed={signed} expected={expected} />
    </>
  );
}

function RedirectCheck() {
  const text = useTexts(signingTexts);
  const may = useMay();
  const settings = useRead('getCheckoutSettings', {}, { enabled: may('webhooks:write') });
  const [typedKey, setKey] = useState<string>();
  const [address, setAddress] = useState('');
  const [diagnosis, setDiagnosis] = useState<RedirectDiagnosis>();
  const key = typedKey ?? settings.data?.signingKey ?? '';
  const isComplete = key !== '' && address !== '';
  useEffect(() => {
    if (!isComplete) return setDiagnosis(undefined);
    let isCurrent = true;
    void diagnoseRedirect(address, key).then(made => {
      if (isCurrent) setDiagnosis(made);
    });
    return () => {
      isCurrent = false;
    };
  }, [isComplete, key, address]);
  return (
    <>
      <PasswordField
        label={text.checkoutKey}
        autoComplete="off"
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
      <LinesField
        label={text.address}
        hint={text.addressHint}
        className="code-input"
        rows={4}
        spellCheck={false}
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
      {diagnosis === undefined ? <p className="muted">{text.wait}</p> : <RedirectResult diagnosis={diagnosis} />}
    </>
  );
}

function RedirectResult({ diagnosis }: { readonly diagnosis: RedirectDiagnosis }) {
  const text = useTexts(signingTexts);
  const { steps } = text;
  if (diagnosis.kind === 'parameters') return <Steps steps={[{ isRight: false, name: steps.parameters }]} />;
  const { matches, signed, expected } = diagnosis;
  return (
    <>
      <Steps
        steps={[
          { isRight: true, name: steps.parameters },
          { isRight: matches, name: matches ? steps.matches : steps.differs },
        ]}
      />
      {matches ? null : <Notice tone="attention">{text.hints.redirect}</Notice>}
      <Signed signed={signed} expected={expected} />
    </>
  );
}

function Signed({ signed, expected }: { readonly signed: string; readonly expected: string }) {
  const text = useTexts(signingTexts);
  return (
    <>
      <div className="stack-tight">
        <div className="card-head">
          <h3>{text.signed}</h3>
          <CopyButton text={signed} />
        </div>
        <pre className="code">{signed}</pre>
      </div>
      <div className="stack-tight">
        <div className="card-head">
          <h3>{text.expected}</h3>
          <CopyButton text={expected} />
        </div>
        <pre className="code">{expected}</pre>
      </div>
    </>
  );
}
