import type { WebhookRecord } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall, useRead } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { Fact, Facts, Time } from '../../components/values.tsx';
import { useMay } from '../../session/session.ts';
import { report } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { nameOfWebhook, useFailing, WebhookState } from '../webhooks/webhook-state.tsx';
import { Deliveries } from './deliveries.tsx';
import { webhookTexts } from './texts.ts';
import { Recover, WebhookActions } from './webhook-actions.tsx';

/** One webhook endpoint: whether it gets its events, and each delivery with what was sent and answered. */
export function Page() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  // A failing endpoint is watched until it works again.
  const read = useRead(
    'getWebhook',
    { params: { id } },
    { refetchMs: body => ((body?.failingSince ?? null) === null ? 15_000 : 3_000) },
  );
  return (
    <Loaded read={read} skeleton={<SkeletonLines lines={12} />}>
      {webhook => <Webhook webhook={webhook} />}
    </Loaded>
  );
}

function Webhook({ webhook }: { readonly webhook: WebhookRecord }) {
  const text = useTexts(webhookTexts);
  const may = useMay();
  return (
    <>
      <PageHead
        up={{ page: 'dev/webhooks', name: text.up }}
        title={nameOfWebhook(webhook)}
        state={<WebhookState webhook={webhook} />}
        about={webhook.url}
        actions={may('webhooks:write') ? <WebhookActions webhook={webhook} /> : undefined}
      />
      <div className="stack">
        <Trouble webhook={webhook} />
        <Card>
          <Facts isAcross>
            <Fact name={text.event}>
              <code>{webhook.eventType}</code>
            </Fact>
            <Fact name={text.created}>
              <Time at={webhook.createdAt} />
            </Fact>
            <Fact name={text.id}>
              <code>{webhook.id}</code>
            </Fact>
          </Facts>
        </Card>
        <section>
          <h2 className="section-title">{text.deliveries}</h2>
          <Deliveries webhook={webhook} />
        </section>
      </div>
    </>
  );
}

function Trouble({ webhook }: { readonly webhook: WebhookRecord }) {
  const text = useTexts(webhookTexts);
  const formats = useFormats();
  const may = useMay();
  const call = useCall();
  const [isRecovering, setRecovering] = useState(false);
  const { disabledAt, disabledReason, failedInARow, previousSecretUntil } = webhook;
  const failing = useFailing(webhook);
  const isOnRequest = disabledReason === 'request';
  const mayWrite = may('webhooks:write');
  const enable = async () => {
    const answer = await call('enableWebhook', { params: { id: webhook.id } });
    report(answer, text.enabled);
    // What was missed meanwhile is not sent by itself.
    if (answer.ok) setRecovering(true);
  };
  return (
    <>
      {disabledAt === null ? null : (
        <Notice
          tone={isOnRequest ? 'ended' : 'refused'}
          title={(isOnRequest ? text.disabledOnRequest : text.disabled)(formats.dateTime(disabledAt))}
          action={mayWrite ? <Button onClick={() => void enable()}>{text.enable}</Button> : undefined}
        >
          {isOnRequest ? text.disabledOnRequestWhy : text.disabledWhy}
        </Notice>
      )}
      {disabledAt === null && webhook.isFailing ? (
        <Notice
          tone="attention"
          title={failing}
          action={mayWrite ? <Button onClick={() => setRecovering(true)}>{text.recover}</Button> : undefined}
        >
          {text.failingWhy(failedInARow)}
        </Notice>
      ) : null}
      {previousSecretUntil === null ? null : (
        <Notice tone="act">{text.rotating(formats.dateTime(previousSecretUntil))}</Notice>
      )}
      {isRecovering ? <Recover webhook={webhook} onClose={() => setRecovering(false)} /> : null}
    </>
  );
}
