import type { BitcoinBackendRecord } from '@florin/shared/contracts/api-v1/bitcoin-backends.ts';
import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, LinesField, PasswordField, SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { useWriteForm } from '../../components/write-form.ts';
import { toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { type NodeTest, NodeTests } from './node-tests.tsx';
import { settingsOf, shown } from './settings.ts';
import { bitcoinTexts } from './texts.ts';

type Kind = 'lnd' | 'phoenixd';
type Props = { readonly node: BitcoinBackendRecord | undefined; readonly onClose: () => void };

/** Connects a node; it is tested first, and nothing is changed if it fails. */
export function NodeDrawer({ node, onClose }: Props) {
  const text = useTexts(bitcoinTexts);
  const { form: words } = text;
  const call = useCall();
  const [kind, setKind] = useState<Kind>(node?.adapter === 'phoenixd' ? 'phoenixd' : 'lnd');
  const { submit, isBusy, issues, message } = useWriteForm({ bitcoin_backend_test_failed: words.failed });
  const [failed, setFailed] = useState<readonly NodeTest[]>([]);
  const save = (form: FormData) => {
    const body = settingsOf(kind, name => textOf(form, name).trim());
    void submit({
      send: async () => {
        const answer = await call('setBitcoinBackend', { body });
        setFailed(answer.ok ? [] : ((answer.body?.error.metadata?.tests as readonly NodeTest[] | undefined) ?? []));
        return answer;
      },
      onDone: () => {
        toast(words.done);
        onClose();
      },
    });
  };
  // What is typed for one kind of node is nothing for the other.
  const present = node?.adapter === kind ? node.config : {};
  return (
    <Dialog shape="drawer" title={node === undefined ? words.title : text.change} onClose={onClose}>
      {failed.length === 0 ? null : <NodeTests tests={failed} />}
      <Form onSubmit={save} action={words.submit} isBusy={isBusy} message={message} onCancel={onClose}>
        <SelectField
          label={text.kind}
          value={kind}
          hint={words.kindHint[kind]}
          choices={(['lnd', 'phoenixd'] as const).map(each => [each, text.kinds[each] ?? each])}
          onChange={({ target }) => setKind(target.value === 'phoenixd' ? 'phoenixd' : 'lnd')}
        />
        <TextField
          key={kind}
          label={text.url}
          name="url"
          type="url"
          hint={words.urlHint}
          required
          maxLength={2000}
          defaultValue={shown(present.url)}
          issue={issues['config.url']}
        />
        {kind === 'lnd' ? (
          <LndFields
            certificate={shown(present.certificate)}
            hasHints={present.privateHints === true}
            issues={issues}
          />
        ) : (
          <PhoenixdFields onChain={present.onChain} issues={issues} />
        )}
        {node === undefined ? null : <p className="small muted">{words.secretsAgain}</p>}
      </Form>
    </Dialog>
  );
}

type Issues = Readonly<Record<string, string>>;

type LndProps = { readonly certificate: string; readonly hasHints: boolean; readonly issues: Issues };

function LndFields({ certificate, hasHints, issues }: LndProps) {
  const { form: words } = useTexts(bitcoinTexts);
  return (
    <>
      <LinesField
        label={words.certificate}
        name="certificate"
        hint={words.certificateHint}
        className="code-input"
        rows={4}
        spellCheck={false}
        defaultValue={certificate}
        issue={issues['config.certificate']}
      />
      <PasswordField
        label={words.macaroon}
        name="macaroon"
        hint={words.macaroonHint}
        autoComplete="off"
        required
        issue={issues['secrets.macaroon']}
      />
      <CheckField
        label={words.privateHints}
        hint={words.privateHintsWhy}
        name="privateHints"
        value="yes"
        defaultChecked={hasHints}
      />
    </>
  );
}

type OnChain = { readonly publicKey?: unknown; readonly script?: unknown; readonly sources?: unknown };

function PhoenixdFields({ onChain, issues }: { readonly onChain: unknown; readonly issues: Issues }) {
  const { form: words } = useTexts(bitcoinTexts);
  const present: OnChain = typeof onChain === 'object' && onChain !== null ? onChain : {};
  const [hasOnChain, setOnChain] = useState(present.publicKey !== undefined);
  const ofSources = Object.entries(issues).find(([path]) => path.startsWith('config.onChain.sources'))?.[1];
  return (
    <>
      <PasswordField
        label={words.password}
        name="password"
        hint={words.passwordHint}
        autoComplete="off"
        required
        issue={issues['secrets.password']}
      />
      <CheckField label={words.onChain} checked={hasOnChain} onChange={({ target }) => setOnChain(target.checked)} />
      {hasOnChain ? (
        <>
          <LinesField
            label={words.xpub}
            name="publicKey"
            hint={words.xpubHint}
            className="code-input"
            rows={3}
            required
            maxLength={300}
            spellCheck={false}
            defaultValue={shown(present.publicKey)}
            issue={issues['config.onChain.publicKey']}
          />
          <SelectField
            label={words.script}
            name="script"
            choices={Object.entries(words.scripts)}
            defaultValue={shown(present.script)}
          />
          <LinesField
            label={words.sources}
            name="sources"
            hint={words.sourcesHint}
            className="code-input"
            rows={3}
            required
            spellCheck={false}
            defaultValue={Array.isArray(present.sources) ? present.sources.join('\n') : ''}
            issue={ofSources}
          />
        </>
      ) : null}
    </>
  );
}
