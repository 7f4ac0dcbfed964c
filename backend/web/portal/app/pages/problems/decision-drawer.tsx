import type { ProblemRecord } from '@florin/shared/contracts/api-v1/problems.ts';
import { type ReactNode, useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { useWriteForm } from '../../components/write-form.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { Choice, Evidence } from './decision-fields.tsx';
import { Disagreement } from './disagreement.tsx';
import { problemsTexts } from './texts.ts';

type DrawerProps = { readonly problem: ProblemRecord; readonly onClose: () => void };

/** Where a person decides on evidence what the service cannot find out. */
export function DecisionDrawer({ problem, onClose }: DrawerProps) {
  const text = useTexts(problemsTexts);
  const { action, subject, title, message } = problem;
  const done = () => {
    toast(text.decided);
    onClose();
  };
  const disagreement = <Disagreement id={subject.id ?? ''} onDone={done} onClose={onClose} />;
  const forms: Readonly<Record<string, ReactNode>> = {
    resolve_payment: <OutcomeForm problem={problem} noun="payment" onDone={done} onClose={onClose} />,
    resolve_refund: <OutcomeForm problem={problem} noun="refund" onDone={done} onClose={onClose} />,
    resolve_withdrawal: <WithdrawalForm problem={problem} onDone={done} onClose={onClose} />,
    resolve_discrepancy: disagreement,
    acknowledge_discrepancy: disagreement,
  };
  return (
    <Dialog shape="drawer" title={title} onClose={onClose}>
      <p className="muted">{message}</p>
      {subject.paymentId === null ? null : <PageLink to={`payments/${subject.paymentId}`}>{text.payment}</PageLink>}
      {forms[action?.kind ?? '']}
    </Dialog>
  );
}

type FormProps = DrawerProps & { readonly onDone: () => void };

function OutcomeForm({ problem, noun, onDone, onClose }: FormProps & { readonly noun: 'payment' | 'refund' }) {
  const { decide: text } = useTexts(problemsTexts);
  const call = useCall();
  const [outcome, setOutcome] = useState<'approved' | 'failed'>();
  const { submit, isBusy, issues, message } = useWriteForm();
  const decide = (form: FormData) => {
    if (outcome === undefined) return;
    const input = {
      params: { id: problem.subject.id ?? '' },
      body: {
        outcome,
        evidence: textOf(form, 'evidence').trim(),
        gatewayReference: outcome === 'approved' ? textOf(form, 'reference').trim() : null,
      },
    };
    if (noun === 'payment')
      void submit({ send: idempotencyKey => call('resolvePayment', input, { idempotencyKey }), onDone });
    else void submit({ send: idempotencyKey => call('resolveRefund', input, { idempotencyKey }), onDone });
  };
  const words =
    noun === 'payment'
      ? ([
          ['approved', text.paymentApproved, text.paymentApprovedWhy],
          ['failed', text.paymentFailed, text.paymentFailedWhy],
        ] as const)
      : ([
          ['approved', text.refundApproved, text.refundApprovedWhy],
          ['failed', text.refundFailed, text.refundFailedWhy],
        ] as const);
  return (
    <Form onSubmit={decide} action={text.submit} isBusy={isBusy} message={message} onCancel={onClose}>
      <Choice legend={text.outcome} choices={words} chosen={outcome} onChoose={setOutcome} />
      {outcome === 'approved' ? (
        <TextField
          label={text.reference}
          name="reference"
          hint={text.referenceHint}
          maxLength={100}
          required
          issue={issues.gatewayReference}
        />
      ) : null}
      <Evidence issue={issues.evidence} />
      <p className="muted">{text.final}</p>
    </Form>
  );
}

function WithdrawalForm({ problem, onDone, onClose }: FormProps) {
  const { decide, withdrawal: text } = useTexts(problemsTexts);
  const call = useCall();
  const [outcome, setOutcome] = useState<'completed' | 'failed'>();
  const { submit, isBusy, issues, message } = useWriteForm();
  const resolve = (form: FormData) => {
    if (outcome === undefined) return;
    const input = {
      params: { id: problem.subject.id ?? '' },
      body: {
        outcome,
        evidence: textOf(form, 'evidence').trim(),
        txId: outcome === 'completed' ? textOf(form, 'txId').trim().toLowerCase() : null,
      },
    };
    void submit({ send: idempotencyKey => call('resolveWithdrawal', input, { idempotencyKey }), onDone });
  };
  return (
    <Form onSubmit={resolve} action={decide.submit} isBusy={isBusy} message={message} onCancel={onClose}>
      <Choice
        legend={text.outcome}
        choices={[
          ['completed', text.completed, text.completedWhy],
          ['failed', text.failed, text.failedWhy],
        ]}
        chosen={outcome}
        onChoose={setOutcome}
      />
      {outcome === 'completed' ? (
        <TextField label={text.txId} name="txId" hint={text.txIdHint} maxLength={64} required issue={issues.txId} />
      ) : null}
      <Evidence issue={issues.evidence} />
      <p className="muted">{decide.final}</p>
    </Form>
  );
}
