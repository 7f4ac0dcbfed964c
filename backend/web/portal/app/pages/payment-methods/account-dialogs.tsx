import type { GatewayAccountRecord, GatewayTestRecord } from '@florin/shared/contracts/api-v1/gateway-accounts.ts';
import { useState } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useCall } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/form.tsx';
import { SkeletonLines } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Steps } from '../../components/steps.tsx';
import { toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { methodsTexts } from './texts.ts';

type Answer = AnswerOf<'testGatewayAccount'> | undefined;

/** Tests the connection of an account; its answer is undefined until the gateway has answered. */
export function useAccountTest() {
  const call = useCall();
  const [tested, setTested] = useState<{ readonly id: string; readonly answer: Answer }>();
  const test = async (id: string) => {
    setTested({ id, answer: undefined });
    const answer = await call('testGatewayAccount', { params: { id } });
    // Another account may be tested by now.
    setTested(latest => (latest?.id === id ? { id, answer } : latest));
  };
  return { test, answer: tested?.answer };
}

type Props = { readonly account: GatewayAccountRecord; readonly onClose: () => void };

type TestProps = Props & {
  readonly answer: Answer;
  readonly onAgain: () => void;
  readonly onUse: () => void;
};

/** What the test of an account showed, and what may be done next. */
export function TestDialog({ account, answer, onAgain, onUse, onClose }: TestProps) {
  const text = useTexts(methodsTexts);
  const { testing } = text;
  const works = answer?.ok === true && answer.body.tests.every(({ ok }) => ok);
  const canBeUsed = works && !account.isDefault && account.disabledAt === null;
  return (
    <Dialog title={testing.title(account.name)} onClose={onClose}>
      {answer === undefined ? (
        <div role="status">
          <p className="muted">{testing.under}</p>
          <SkeletonLines lines={3} />
        </div>
      ) : null}
      {answer?.ok === false ? <FormProblem message={answer.message} /> : null}
      {answer?.ok === true ? <TestResult tests={answer.body.tests} /> : null}
      <div className="form-actions">
        <Button onClick={onAgain} isBusy={answer === undefined}>
          {testing.again}
        </Button>
        {canBeUsed ? (
          <Button kind="primary" onClick={onUse}>
            {text.use}
          </Button>
        ) : (
          <Button kind="primary" onClick={onClose}>
            {testing.done}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function TestResult({ tests }: { readonly tests: readonly GatewayTestRecord[] }) {
  const { testing } = useTexts(methodsTexts);
  const works = tests.every(({ ok }) => ok);
  return (
    <div className="form">
      <Notice tone={works ? 'done' : 'attention'} title={works ? testing.works : testing.fails} role="status">
        {works ? undefined : testing.failsWhy}
      </Notice>
      <Steps
        steps={tests.map(({ name, cause, ok, message }) => ({
          isRight: ok,
          name: testing.names[name] ?? name,
          why: cause === null ? undefined : (testing.causes[cause] ?? message),
        }))}
      />
    </div>
  );
}

/** Asks before new payments go through an account. */
export function UseAccount({ account: { id, name }, onClose }: Props) {
  const text = useTexts(methodsTexts);
  const call = useCall();
  return (
    <Confirm
      title={text.useTitle(name)}
      action={text.use}
      kind="primary"
      send={() => call('setDefaultGatewayAccount', { params: { id } })}
      onDone={() => toast(text.isUsed(name))}
      onClose={onClose}
    >
      {text.useWhy}
    </Confirm>
  );
}

/** Asks before an account takes no new payments any more. */
export function DisableAccount({ account: { id, name, isDefault }, onClose }: Props) {
  const text = useTexts(methodsTexts);
  const call = useCall();
  return (
    <Confirm
      title={text.disableTitle(name)}
      action={text.disableNow}
      send={() => call('disableGatewayAccount', { params: { id } })}
      onDone={() => toast(text.isDisabled(name))}
      onClose={onClose}
    >
      <div className="stack-tight">
        <p>{text.disableWhy}</p>
        {isDefault ? <p className="strong">{text.disableDefault}</p> : null}
      </div>
    </Confirm>
  );
}
