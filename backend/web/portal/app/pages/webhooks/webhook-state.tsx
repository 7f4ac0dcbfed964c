import type { WebhookRecord } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { Status } from '../../components/notice.tsx';
import { clock } from '../../platform/time.ts';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { webhooksTexts } from './texts.ts';

/** Whether an endpoint gets its events. */
export function WebhookState({ webhook }: { readonly webhook: WebhookRecord }) {
  const text = useTexts(webhooksTexts);
  const failing = useFailing(webhook);
  if (webhook.status === 'disabled')
    return <Status tone={webhook.disabledReason === 'request' ? 'ended' : 'refused'}>{text.disabled}</Status>;
  if (webhook.isFailing) return <Status tone="attention">{failing}</Status>;
  return <Status tone="done">{text.enabled}</Status>;
}

/** Since when an endpoint fails, and with what: “Failing since 18:02: HTTP 500”. */
export function useFailing({ failingSince, lastFailure }: WebhookRecord): string {
  const text = useTexts(webhooksTexts);
  const formats = useFormats();
  if (failingSince === null || lastFailure === null) return text.failing;
  const { outcome, responseStatus } = lastFailure;
  const isToday = formats.dayOf(failingSince) === formats.dayOf(clock.now());
  return text.failingSince(
    isToday ? formats.time(failingSince) : formats.dateTime(failingSince),
    responseStatus === null ? text.outcomes[outcome] : text.http(responseStatus),
  );
}

/** What people call an endpoint. */
export function nameOfWebhook({ description, url }: Pick<WebhookRecord, 'description' | 'url'>): string {
  return description ?? /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? url;
}
