import type { AttemptOutcome, DeliveryRecord, WebhookRecord } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { useCall } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { Notice, type Tone } from '../../components/notice.tsx';
import { CopyButton, Fact, Facts, Time } from '../../components/values.tsx';
import { useMay } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { report } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { RecordLinks } from '../developers/record-links.tsx';
import { webhooksTexts } from '../webhooks/texts.ts';
import { webhookTexts } from './texts.ts';

type Props = { readonly webhook: WebhookRecord; readonly delivery: DeliveryRecord };
type Attempt = DeliveryRecord['attempts'][number];

/** One delivery: each attempt with what was sent and what was answered. */
export function DeliveryDrawer({ webhook, delivery, onClose }: Props & { readonly onClose: () => void }) {
  const text = useTexts(webhookTexts);
  const { delivery: words } = text;
  const may = useMay();
  const call = useCall();
  const resend = async () => {
    const params = { id: webhook.id, deliveryId: delivery.id };
    const answer = await call('redeliverWebhook', { params });
    report(answer, words.resent);
  };
  const isSending = delivery.status === 'pending' && delivery.nextAttemptAt === null;
  const canResend = may('webhooks:write') && !delivery.isTest && webhook.status === 'enabled' && !isSending;
  return (
    <Dialog shape="drawer" className="wide" title={words.title} onClose={onClose}>
      <Outcome delivery={delivery} />
      <div className="row-actions start">
        {canResend ? (
          <Button kind="primary" onClick={() => void resend()}>
            {words.resend}
          </Button>
        ) : null}
        <PageLink
          to="dev/signing"
          search={{ webhook: webhook.id, delivery: delivery.id }}
          className="button button-quiet"
        >
          {words.debug}
        </PageLink>
      </div>
      {canResend ? <p className="small muted">{words.resendWhy}</p> : null}
      <Facts>
        <Fact name={text.event}>
          <code>{delivery.eventType}</code>
        </Fact>
        <Fact name={text.time}>
          <Time at={delivery.createdAt} as="toTheSecond" />
        </Fact>
        {delivery.sequence === null ? null : <Fact name={words.sequence}>{delivery.sequence}</Fact>}
        {delivery.eventNumber === null ? null : <Fact name={words.eventNumber}>{delivery.eventNumber}</Fact>}
        <Fact name={words.id}>
          <code>{delivery.id}</code>
        </Fact>
      </Facts>
      <section className="stack-tight">
        <div className="card-head">
          <h3>{words.body}</h3>
          <CopyButton text={delivery.body} />
        </div>
        <pre className="code">{delivery.body}</pre>
        <RecordLinks text={delivery.body} />
      </section>
      {delivery.attempts.length === 0 ? <p className="muted">{words.none}</p> : null}
      <ol className="timeline">
        {delivery.attempts.toReversed().map(attempt => (
          <AttemptEntry key={`${attempt.series} ${attempt.number}`} delivery={delivery} attempt={attempt} />
        ))}
      </ol>
    </Dialog>
  );
}

function Outcome({ delivery }: Pick<Props, 'delivery'>) {
  const { delivery: words } = useTexts(webhookTexts);
  const formats = useFormats();
  switch (delivery.status) {
    case 'delivered':
      return null;
    case 'failed':
      return (
        <Notice tone="refused" title={words.failed}>
          {words.failedWhy}
        </Notice>
      );
    case 'not_sent':
      return (
        <Notice tone="ended" title={words.notSent}>
          {words.notSentWhy}
        </Notice>
      );
    case 'pending':
      return (
        <Notice tone="doing">
          {delivery.nextAttemptAt === null
            ? words.underWay
            : words.pending(formats.toTheSecond(delivery.nextAttemptAt))}
        </Notice>
      );
  }
}

const marks: Readonly<Record<AttemptOutcome, readonly [Tone, IconName]>> = {
  delivered: ['done', 'check'],
  refused: ['refused', 'cross'],
  timeout: ['refused', 'clock'],
  connection_failed: ['refused', 'cross'],
  address_refused: ['refused', 'lock'],
  interrupted: ['attention', 'problems'],
};

function AttemptEntry({ delivery, attempt }: { readonly delivery: DeliveryRecord; readonly attempt: Attempt }) {
  const text = useTexts(webhookTexts);
  const webhooks = useTexts(webhooksTexts);
  const { delivery: words } = text;
  const formats = useFormats();
  const { outcome, responseStatus, durationMs, responseExcerpt, error, series, number } = attempt;
  const [tone, icon] = outcome === null ? (['doing', 'clock'] as const) : marks[outcome];
  const answer = [
    responseStatus === null ? undefined : webhooks.http(responseStatus),
    durationMs === null ? undefined : words.took(formats.number(durationMs)),
  ].filter(part => part !== undefined);
  return (
    <li>
      <span className={`timeline-mark tone-${tone}`}>
        <Icon name={icon} />
      </span>
      <div className="timeline-words">
        <p>{outcome === null ? words.inProgress : webhooks.outcomes[outcome]}</p>
        <p className="small muted">
          {[series > 1 ? words.attemptOf(number, series) : words.attempt(number), ...answer].join(' · ')}
        </p>
        <details className="exchange">
          <summary>{words.request}</summary>
          <pre className="code">{requestOf(delivery, attempt, words.signedAt)}</pre>
        </details>
        <details className="exchange">
          <summary>{words.response}</summary>
          {responseStatus === null ? (
            <p className="muted">
              {words.noResponse} {error === null ? null : <code>{sentenceOf(error)}</code>}
            </p>
          ) : (
            <pre className="code">{responseExcerpt === null ? words.empty : responseExcerpt || words.empty}</pre>
          )}
        </details>
      </div>
      <Time at={attempt.startedAt} as="toTheSecond" />
    </li>
  );
}

/** An error begins with a small letter, because logs continue a line with it. */
function sentenceOf(error: string): string {
  return `${error.charAt(0).toUpperCase()}${error.slice(1)}.`;
}

/** The request of an attempt. Its signature is not kept: it is made anew for each attempt. */
function requestOf(delivery: DeliveryRecord, attempt: Attempt, signedAt: string): string {
  const { eventType, id, sequence, eventNumber, isTest, body } = delivery;
  const headers: readonly (readonly [string, string] | undefined)[] = [
    ['content-type', 'application/json; charset=utf-8'],
    ['x-webhook-signature', 't=…,v1=…'],
    ['X-Webhook-Timestamp', `… (${signedAt})`],
    ['X-Webhook-Event', eventType],
    ['X-Webhook-Delivery', id],
    ['X-Webhook-Attempt', String(attempt.number)],
    sequence === null ? undefined : ['X-Webhook-Sequence', String(sequence)],
    eventNumber === null ? undefined : ['X-Webhook-Event-Number', String(eventNumber)],
    isTest ? ['X-Webhook-Test', 'true'] : undefined,
  ];
  const lines = headers.flatMap(header => (header === undefined ? [] : [header.join(': ')]));
  return [`POST ${attempt.url}`, ...lines, '', body].join('\n');
}
