import type { DeliveryRecord, DeliveryStatus, WebhookRecord } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { useRead } from '../../api/use-read.ts';
import { ChoiceFilter, FilterBar } from '../../components/filters.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Status, type Tone } from '../../components/notice.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { useTexts } from '../../words/texts.ts';
import { webhooksTexts } from '../webhooks/texts.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { webhookTexts } from './texts.ts';

const tones: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: 'doing',
  delivered: 'done',
  failed: 'refused',
  not_sent: 'ended',
};

function useColumns(): readonly Column<DeliveryRecord>[] {
  const text = useTexts(webhookTexts);
  return [
    {
      id: 'time',
      header: text.time,
      cell: ({ createdAt }) => <Time at={createdAt} as="toTheSecond" />,
      onCard: 'lead',
    },
    {
      id: 'event',
      header: text.event,
      cell: ({ eventType, isTest }) => (
        <span className="results">
          <code>{eventType}</code>
          {isTest ? <Status tone="act">{text.testEvent}</Status> : null}
        </span>
      ),
      onCard: 'detail',
    },
    {
      id: 'status',
      header: text.status,
      cell: ({ status }) => <Status tone={tones[status]}>{text.statuses[status]}</Status>,
      onCard: 'state',
    },
    { id: 'answer', header: text.answer, cell: delivery => <LastAnswer delivery={delivery} />, onCard: 'detail' },
    { id: 'attempts', header: text.attempts, isNumber: true, cell: ({ attempts }) => attempts.length },
    {
      id: 'next',
      header: text.next,
      isNumber: true,
      isExtra: true,
      cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '–' : <Time at={nextAttemptAt} as="time" />),
    },
  ];
}

/** What the endpoint answered last. */
function LastAnswer({ delivery: { attempts } }: { readonly delivery: DeliveryRecord }) {
  const text = useTexts(webhookTexts);
  const webhooks = useTexts(webhooksTexts);
  const last = attempts.at(-1);
  if (last === undefined) return '–';
  if (last.responseStatus !== null) return webhooks.http(last.responseStatus);
  return last.outcome === null ? text.delivery.inProgress : webhooks.outcomes[last.outcome];
}

const isUnderWay = ({ status, nextAttemptAt }: DeliveryRecord) => status === 'pending' && nextAttemptAt === null;

/** What was sent to an endpoint; the one that the address names is open. */
export function Deliveries({ webhook }: { readonly webhook: WebhookRecord }) {
  const text = useTexts(webhookTexts);
  const { query, search, change } = useFilters();
  const columns = useColumns();
  const read = useRead(
    'listWebhookDeliveries',
    { params: { id: webhook.id }, query: { ...query, limit: 50 } },
    { refetchMs: body => (body?.items.some(isUnderWay) ? 2_000 : 10_000) },
  );
  const opened = read.data?.items.find(({ id }) => id === search.open);
  const statuses = (['pending', 'delivered', 'failed', 'not_sent'] as const).map(
    each => [each, text.statuses[each]] as const,
  );
  return (
    <>
      <FilterBar list="deliveries">
        <ChoiceFilter name="status" label={text.status} choices={statuses} />
      </FilterBar>
      <List
        read={read}
        columns={columns}
        pageOf={({ id }) => ({ to: `dev/webhooks/${webhook.id}`, search: { ...query, open: id } })}
        text={text}
        icon="developers"
      />
      {opened === undefined ? null : (
        <DeliveryDrawer webhook={webhook} delivery={opened} onClose={() => change({ open: undefined })} />
      )}
    </>
  );
}
