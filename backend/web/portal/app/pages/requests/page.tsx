import type { ApiRequestOutcome, ApiRequestRecord } from '@florin/shared/contracts/api-v1/api-requests.ts';
import { Fragment } from 'react';
import { useRead, useReadAll } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../../components/filters.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Status, type Tone } from '../../components/notice.tsx';
import { PageHead } from '../../components/page.tsx';
import { SearchedBack } from '../../components/searched-back.tsx';
import { type Column, List } from '../../components/table.tsx';
import { CopyButton, Time } from '../../components/values.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { DeveloperTabs } from '../developers/tabs.tsx';
import { RequestDrawer } from './request-drawer.tsx';
import { requestsTexts } from './texts.ts';

const tones: Readonly<Record<ApiRequestOutcome, Tone>> = { ok: 'done', refused: 'refused', failed: 'attention' };
const base = '/api/v1/';
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function useColumns(): readonly Column<ApiRequestRecord>[] {
  const text = useTexts(requestsTexts);
  const formats = useFormats();
  return [
    {
      id: 'time',
      header: text.time,
      cell: ({ createdAt }) => (
        <span className="nowrap">
          <Time at={createdAt} as="toTheSecond" />
        </span>
      ),
      onCard: 'detail',
    },
    {
      id: 'call',
      header: text.call,
      cell: ({ method, path }) => <Call method={method} path={path} />,
      onCard: 'lead',
    },
    {
      id: 'status',
      header: text.status,
      cell: ({ outcome, status }) => (
        <Status tone={tones[outcome]}>
          {status} {text.outcomes[outcome]}
        </Status>
      ),
      onCard: 'state',
    },
    {
      id: 'error',
      header: text.error,
      cell: ({ reason, message }) =>
        reason === null ? <span className="clamped">{message}</span> : <code className="anywhere">{reason}</code>,
      onCard: 'detail',
    },
    { id: 'key', header: text.key, cell: ({ apiKeyName }) => apiKeyName, onCard: 'detail' },
    {
      id: 'duration',
      header: text.duration,
      isNumber: true,
      isExtra: true,
      cell: ({ durationMs }) => <span className="nowrap">{text.ms(formats.number(durationMs))}</span>,
    },
  ];
}

/** A method and a path, which is broken at its slashes where it is long. */
function Call({ method, path }: Pick<ApiRequestRecord, 'method' | 'path'>) {
  return (
    <code className="call">
      <span className="call-method">{method}</span>{' '}
      <span className="anywhere">
        {path.split(/(?=\/)/).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path never move
          <Fragment key={at}>
            <wbr />
            {part}
          </Fragment>
        ))}
      </span>
    </code>
  );
}

/** What the software of the business called, with the answers. */
export function Page() {
  const text = useTexts(requestsTexts);
  const { query, search, change } = useFilters();
  const read = useRead('listApiRequests', { query: { ...query, path: wholePath(query.path), limit: 50 } });
  const keys = useReadAll('listApiKeys');
  const columns = useColumns();
  const refresh = (
    <Button isBusy={read.isFetching} onClick={() => void read.refetch()}>
      {text.refresh}
    </Button>
  );
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={refresh} />
      <DeveloperTabs />
      <FilterBar list="requests">
        <ChoiceFilter name="outcome" label={text.status} choices={Object.entries(text.outcomes)} />
        <ChoiceFilter
          name="apiKeyId"
          label={text.key}
          choices={(keys.data ?? []).map(({ id, name, lastFour }) => [id, `${name} …${lastFour}`] as const)}
        />
        <ChoiceFilter name="method" label={text.method} choices={methods.map(each => [each, each])} />
        <TextFilter name="path" label={text.path} hint="payments" />
        <TextFilter name="requestId" label={text.requestId} hint="req_…" />
      </FilterBar>
      <SearchedBack to={read.data?.searchedBackTo} />
      <List
        read={read}
        columns={columns}
        pageOf={({ id }) => ({ to: 'dev/requests', search: { ...query, open: id } })}
        text={text}
        icon="developers"
        begin={<SampleCall />}
      />
      {search.open === undefined ? null : (
        <Opened id={search.open} listed={read.data?.items} onClose={() => change({ open: undefined })} />
      )}
    </>
  );
}

/** What a path begins with, where it was typed without the beginning that all paths have. */
function wholePath(path: string | undefined): string | undefined {
  if (path === undefined || path.startsWith(base) || base.startsWith(path)) return path;
  return `${base}${path.replace(/^\/+/, '')}`;
}

/** A call to begin with. */
function SampleCall() {
  const sample = `curl -H "Authorization: Bearer $API_KEY" ${location.origin}/api/v1/payments`;
  return (
    <div className="copy-line">
      <code>{sample}</code>
      <CopyButton text={sample} />
    </div>
  );
}

type OpenedProps = {
  readonly id: string;
  readonly listed: readonly ApiRequestRecord[] | undefined;
  readonly onClose: () => void;
};

/** The request that the address names, wherever it stands in the list. */
function Opened({ id, listed, onClose }: OpenedProps) {
  const found = listed?.find(request => request.id === id);
  const read = useRead(
    'listApiRequests',
    { query: { requestId: id } },
    { enabled: listed !== undefined && found === undefined },
  );
  const request = found ?? read.data?.items[0];
  return request === undefined ? null : <RequestDrawer request={request} onClose={onClose} />;
}
