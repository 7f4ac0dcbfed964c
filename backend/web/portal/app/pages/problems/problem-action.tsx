import type { NotDone } from '@florin/client/answer.ts';
import type { ProblemRecord } from '@florin/shared/contracts/api-v1/problems.ts';
import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { useMay, useMaySee } from '../../session/session.ts';
import { PageLink, type Search } from '../../shell/page-link.tsx';
import { report } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { problemsTexts } from './texts.ts';

type ActionKind = NonNullable<ProblemRecord['action']>['kind'];
type Place = { readonly to: string; readonly search?: Search };

/** Where an action is done; undefined for what is done at once. */
function placeOf({ id, subject }: ProblemRecord, kind: ActionKind): Place | undefined {
  switch (kind) {
    case 'resolve_payment':
    case 'resolve_refund':
    case 'resolve_withdrawal':
    case 'resolve_discrepancy':
    case 'acknowledge_discrepancy':
      return { to: 'problems', search: { do: id } };
    case 'check_webhook':
      return { to: `dev/webhooks/${subject.id ?? ''}` };
    case 'check_terminal':
      return { to: 'terminals' };
    case 'create_api_key':
      return { to: 'dev/keys', search: { new: '1' } };
    case 'check_recipients':
      return { to: 'settings/notifications' };
    case 'unlock_staff':
    case 'enable_webhook':
      return undefined;
  }
}

/** The one button of a problem: it does what helps, or leads there; where the user may do nothing, to its payment. */
export function ProblemAction({ problem }: { readonly problem: ProblemRecord }) {
  const text = useTexts(problemsTexts);
  const may = useMay();
  const maySee = useMaySee();
  const { action, subject } = problem;
  const kind = problem.severity === 'act' ? 'primary' : 'quiet';
  const allowed = action !== null && may(action.permission) ? action.kind : undefined;
  if (allowed === 'unlock_staff' || allowed === 'enable_webhook')
    return <AtOnce problem={problem} action={allowed} kind={kind} />;
  const place = allowed === undefined ? undefined : placeOf(problem, allowed);
  if (allowed !== undefined && place !== undefined && maySee(place.to))
    return (
      <PageLink {...place} className={`button button-${kind}`}>
        {text.actions[allowed]}
      </PageLink>
    );
  const payment = subject.paymentId === null ? undefined : `payments/${subject.paymentId}`;
  if (payment === undefined || !maySee(payment)) return null;
  return (
    <PageLink to={payment} className="button button-quiet">
      {text.payment}
    </PageLink>
  );
}

type AtOnceProps = {
  readonly problem: ProblemRecord;
  readonly action: 'unlock_staff' | 'enable_webhook';
  readonly kind: 'primary' | 'quiet';
};

function AtOnce({ problem: { subject }, action, kind }: AtOnceProps) {
  const text = useTexts(problemsTexts);
  const call = useCall();
  const [isBusy, setBusy] = useState(false);
  const input = { params: { id: subject.id ?? '' } };
  const act = async () => {
    setBusy(true);
    const answer: NotDone | { readonly ok: true } = await (action === 'unlock_staff'
      ? call('unlockStaff', input)
      : call('enableWebhook', input));
    setBusy(false);
    const done = action === 'unlock_staff' ? text.unlocked(subject.name) : text.enabled;
    report(answer, done);
  };
  return (
    <Button kind={kind} isBusy={isBusy} onClick={() => void act()}>
      {text.actions[action]}
    </Button>
  );
}
