import type { WebhookRecord } from '@florin/shared/contracts/api-v1/webhooks.ts';
import { useRead } from '../../api/use-read.ts';
import { useAdding } from '../../components/adding.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { PageHead } from '../../components/page.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { useTexts } from '../../words/texts.ts';
import { DeveloperTabs } from '../developers/tabs.tsx';
import { webhooksTexts } from './texts.ts';
import { NewWebhook } from './webhook-drawer.tsx';
import { nameOfWebhook, WebhookState } from './webhook-state.tsx';

function useColumns(): readonly Column<WebhookRecord>[] {
  const text = useTexts(webhooksTexts);
  return [
    {
      id: 'description',
      header: text.description,
      cell: webhook => <span className="strong">{nameOfWebhook(webhook)}</span>,
      onCard: 'lead',
    },
    { id: 'event', header: text.event, cell: ({ eventType }) => <code>{eventType}</code>, onCard: 'detail' },
    { id: 'state', header: text.state, cell: webhook => <WebhookState webhook={webhook} />, onCard: 'state' },
    {
      id: 'url',
      header: text.url,
      cell: ({ url }) => <span className="muted">{url}</span>,
      isExtra: true,
    },
    { id: 'created', header: text.created, cell: ({ createdAt }) => <Time at={createdAt} as="date" />, isExtra: true },
  ];
}

/** The webhook endpoints of the business. */
export function Page() {
  const text = useTexts(webhooksTexts);
  const { query } = useFilters();
  const read = useRead('listWebhooks', { query: { ...query, limit: 50 } }, { refetchMs: 30_000 });
  const columns = useColumns();
  const { add, isAdding, endAdding } = useAdding('webhooks:write', text.new);
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={add} />
      <DeveloperTabs />
      <List
        read={read}
        columns={columns}
        pageOf={({ id }) => `dev/webhooks/${id}`}
        text={text}
        icon="developers"
        begin={add}
      />
      {isAdding ? <NewWebhook onClose={endAdding} /> : null}
    </>
  );
}
