import type { DiscrepancyRecord } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { useState } from 'react';
import { useCall, useRead } from '../../api/use-read.ts';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useBusiness } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { choiceTexts, effectOf } from './choice-texts.ts';
import { Choice, Evidence } from './decision-fields.tsx';
import { Side } from './side.tsx';
import { problemsTexts } from './texts.ts';

type Props = { readonly id: string; readonly onDone: () => void; readonly onClose: () => void };

/** Both sides of a disagreement with the gateway, and what a person can do about it. */
export function Disagreement({ id, onDone, onClose }: Props) {
  const text = useTexts(choiceTexts);
  const read = useRead('listDiscrepancies', { query: { status: 'open', limit: 100 } });
  return (
    <Loaded read={read} skeleton={<SkeletonLines lines={6} />}>
      {({ items }) => {
        const discrepancy = items.find(item => item.id === id);
        if (discrepancy === undefined) return <Notice tone="ended">{text.gone}</Notice>;
        const form = { discrepancy, onDone, onClose };
        return (
          <>
            <Side side="recorded" facts={discrepancy.recorded} />
            <Side side="gateway" facts={discrepancy.gateway} />
            {discrepancy.needs === 'decision' ? <Decision {...form} /> : <Acknowledgement {...form} />}
          </>
        );
      }}
    </Loaded>
  );
}

type FormProps = Omit<Props, 'id'> & { readonly discrepancy: DiscrepancyRecord };

/** Where nothing depends on it, it only has to be seen: either side has the same effect, and no evidence is asked for. */
function Acknowledgement({ discrepancy: { id }, onDone, onClose }: FormProps) {
  const text = useTexts(choiceTexts);
  const call = useCall();
  const { submit, isBusy, message } = useWriteForm(text.refusals);
  const acknowledge = () => {
    const input = { params: { id }, body: { outcome: 'records_right' as const } };
    void submit({ send: idempotencyKey => call('resolveDiscrepancy', input, { idempotencyKey }), onDone });
  };
  return (
    <Form onSubmit={acknowledge} action={text.close} isBusy={isBusy} message={message} onCancel={onClose}>
      <p className="muted">{text.acknowledge}</p>
    </Form>
  );
}

/** What has no outcome yet, of the discrepancies that can only be decided after it. */
function useUndecided({ kind, paymentId, refundId }: DiscrepancyRecord): 'payment' | 'refund' | undefined {
  const isOfPayment = kind === 'payment_amount_differs' || kind === 'sale_outcome_unknown';
  const isOfRefund = kind === 'refund_amount_differs';
  const { data } = useRead('getPayment', { params: { id: paymentId ?? '' } }, { enabled: isOfPayment || isOfRefund });
  if (isOfPayment && data?.status === 'pending') return 'payment';
  const refund = isOfRefund ? data?.refunds.find(({ id }) => id === refundId) : undefined;
  return refund?.status === 'pending' ? 'refund' : undefined;
}

function Decision(props: FormProps) {
  const text = useTexts(choiceTexts);
  const undecided = useUndecided(props.discrepancy);
  if (undecided === undefined) return <DecisionForm {...props} />;
  return (
    <Notice
      tone="attention"
      title={text.first}
      action={
        <PageLink to="problems" className="button button-quiet">
          {text.problems}
        </PageLink>
      }
    >
      {text.firstWhy[undecided]}
    </Notice>
  );
}

function DecisionForm({ discrepancy, onDone, onClose }: FormProps) {
  const text = useTexts(choiceTexts);
  const { decide } = useTexts(problemsTexts);
  const formats = useFormats();
  const { currency } = useBusiness();
  const call = useCall();
  const [outcome, setOutcome] = useState<'gateway_right' | 'records_right'>();
  const { submit, isBusy, issues, message } = useWriteForm(text.refusals);
  const { question, ...sides } = text.effects[effectOf(discrepancy)];
  const held = formats.money(discrepancy.contestedInCents, currency);
  const resolve = (form: FormData) => {
    if (outcome === undefined) return;
    const input = { params: { id: discrepancy.id }, body: { outcome, evidence: textOf(form, 'evidence').trim() } };
    void submit({ send: idempotencyKey => call('resolveDiscrepancy', input, { idempotencyKey }), onDone });
  };
  return (
    <Form onSubmit={resolve} action={decide.submit} isBusy={isBusy} message={message} onCancel={onClose}>
      <Choice
        legend={question}
        choices={(['gateway_right', 'records_right'] as const).map(each => {
          const [label, effect] = sides[each];
          return [each, label, effect(held)] as const;
        })}
        chosen={outcome}
        onChoose={setOutcome}
      />
      <Evidence issue={issues.evidence} />
      <p className="muted">{decide.final}</p>
    </Form>
  );
}
