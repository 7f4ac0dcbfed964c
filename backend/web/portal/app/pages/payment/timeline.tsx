import type { TimelineEntryRecord, TimelineKind } from '@florin/shared/contracts/api-v1/payments.ts';
import { useRead } from '../../api/use-read.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import type { Tone } from '../../components/notice.tsx';
import { Card } from '../../components/page.tsx';
import { Time } from '../../components/values.tsx';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { paymentTexts } from './texts.ts';

const marks: Readonly<Partial<Record<TimelineKind, readonly [Tone, IconName]>>> = {
  payment_approved: ['done', 'check'],
  payment_settled: ['done', 'check'],
  payment_recorded: ['done', 'check'],
  sale_completed: ['done', 'check'],
  bitcoin_received: ['done', 'bolt'],
  payment_declined: ['refused', 'cross'],
  settlement_rejected: ['refused', 'cross'],
  refund_declined: ['refused', 'cross'],
  payment_failed: ['ended', 'ended'],
  refund_failed: ['ended', 'ended'],
  payment_voided_elsewhere: ['ended', 'ended'],
  payment_unknown: ['attention', 'problems'],
  refund_unknown: ['attention', 'problems'],
  discrepancy_found: ['attention', 'problems'],
  refund_requested: ['returned', 'returned'],
  refund_approved: ['returned', 'check'],
  refund_recorded: ['returned', 'check'],
  sale_reversed: ['returned', 'returned'],
};

/** Everything that happened to a payment and its refunds, oldest first. */
export function Timeline({ paymentId, isUnderWay }: { readonly paymentId: string; readonly isUnderWay: boolean }) {
  const text = useTexts(paymentTexts);
  const read = useRead(
    'getPaymentTimeline',
    { params: { id: paymentId }, query: { limit: 100 } },
    { refetchMs: isUnderWay ? 3_000 : 30_000 },
  );
  return (
    <Card title={text.timeline}>
      <Loaded read={read} skeleton={<SkeletonLines lines={4} />}>
        {({ items }) => (
          <ol className="timeline">
            {items.map(entry => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
      </Loaded>
    </Card>
  );
}

/** What whoever asked for a refund wrote of it; a terminal's reversal has a code for programs there. */
function reasonOf({ kind, by, detail: { reason } }: TimelineEntryRecord): string | undefined {
  const isAsked = (kind === 'refund_requested' || kind === 'refund_recorded') && by.kind !== 'terminal';
  return isAsked && typeof reason === 'string' ? reason : undefined;
}

function Entry({ entry }: { readonly entry: TimelineEntryRecord }) {
  const text = useTexts(paymentTexts);
  const words = useWords();
  const [tone, icon] = marks[entry.kind] ?? ['doing', 'clock'];
  const said = entry.detail.kind === 'CANCEL' ? text.voidKinds[entry.kind] : undefined;
  const reason = reasonOf(entry);
  const isUnsigned = entry.detail.signature === 'not_taken';
  // What a terminal did by itself is by that terminal.
  const who = new Set([entry.by.name, entry.terminal?.name].filter(name => name !== null && name !== undefined));
  return (
    <li>
      <span className={`timeline-mark tone-${tone}`}>
        <Icon name={icon} />
      </span>
      <div className="timeline-words">
        <p>{said ?? text.kinds[entry.kind] ?? entry.message}</p>
        {reason === undefined ? null : (
          <p className="small">
            {text.reason}: {reason}
          </p>
        )}
        {isUnsigned ? <p className="small">{text.unsigned}</p> : null}
        {who.size === 0 ? null : <p className="small muted">{[...who].join(' · ')}</p>}
        <details className="small">
          <summary className="muted">{words.actions.details}</summary>
          <pre>{JSON.stringify({ kind: entry.kind, ...entry.detail }, undefined, 2)}</pre>
        </details>
      </div>
      <Time at={entry.at} />
    </li>
  );
}
