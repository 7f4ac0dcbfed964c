import type { BitcoinBackendRecord } from '@florin/shared/contracts/api-v1/bitcoin-backends.ts';
import { CallProblem } from '../../api/problem.ts';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Blank, Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Card, PageHead, Tabs } from '../../components/page.tsx';
import { Fact, Facts, Time } from '../../components/values.tsx';
import { useMay } from '../../session/session.ts';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { Backup } from './backup.tsx';
import { NodeDrawer } from './node-drawer.tsx';
import { NodeTests } from './node-tests.tsx';
import { bitcoinTexts } from './texts.ts';

/** The node of the business: whether it answers, and what it can do. */
export function Page() {
  const text = useTexts(bitcoinTexts);
  const may = useMay();
  const { search, change } = useFilters();
  const read = useRead('getBitcoinBackend', {});
  const isNotSet = read.error instanceof CallProblem && read.error.answer.reason === 'bitcoin_backend_not_set';
  const mayWrite = may('bitcoin-backend:write');
  const connect = (
    <Button kind={isNotSet ? 'primary' : 'quiet'} onClick={() => change({ new: '1' })}>
      {isNotSet ? text.connect : text.change}
    </Button>
  );
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={mayWrite && !isNotSet ? connect : undefined} />
      <Tabs area="settings" />
      {isNotSet ? (
        <Blank icon="bolt" title={text.none}>
          <p>{text.noneWhy}</p>
          {mayWrite ? connect : null}
        </Blank>
      ) : (
        <Loaded read={read} skeleton={<SkeletonLines lines={12} />}>
          {node => (
            <div className="columns">
              <div className="stack">
                <Connection node={node} isTesting={read.isFetching} onTest={() => void read.refetch()} />
                {may('backup:read') && node.capabilities.channelBackup ? <Backup /> : null}
              </div>
              <NodeFacts node={node} />
            </div>
          )}
        </Loaded>
      )}
      {search.new !== undefined && mayWrite ? (
        <NodeDrawer node={isNotSet ? undefined : read.data} onClose={() => change({ new: undefined })} />
      ) : null}
    </>
  );
}

type Props = { readonly node: BitcoinBackendRecord };

function Connection({ node, isTesting, onTest }: Props & { readonly isTesting: boolean; readonly onTest: () => void }) {
  const text = useTexts(bitcoinTexts);
  const areAllGood = node.tests.every(({ ok }) => ok);
  return (
    <Card
      title={text.connection}
      end={
        <Button isBusy={isTesting} onClick={onTest}>
          {isTesting ? text.testing : text.again}
        </Button>
      }
    >
      <div className="form">
        <Notice tone={areAllGood ? 'done' : 'attention'} title={areAllGood ? text.works : text.fails} role="status">
          {areAllGood ? undefined : text.failsWhy}
        </Notice>
        <NodeTests tests={node.tests} />
      </div>
    </Card>
  );
}

function NodeFacts({ node }: Props) {
  const text = useTexts(bitcoinTexts);
  const formats = useFormats();
  const { adapter, config, network, publicKey, capabilities, addresses, createdAt, changedAt } = node;
  const can = (Object.keys(text.capabilities) as (keyof typeof capabilities)[]).filter(name => capabilities[name]);
  return (
    <Card title={text.facts}>
      <Facts>
        <Fact name={text.kind}>{text.kinds[adapter] ?? adapter}</Fact>
        {typeof config.url === 'string' ? <Fact name={text.url}>{config.url}</Fact> : null}
        <Fact name={text.network}>{text.networks[network]}</Fact>
        <Fact name={text.can}>
          <ul>
            {can.map(name => (
              <li key={name}>{text.capabilities[name]}</li>
            ))}
          </ul>
        </Fact>
        {addresses === null ? null : (
          <>
            <Fact name={text.firstAddress}>
              <code>{addresses.first ?? '–'}</code>
              <p className="small muted">{text.firstAddressHint}</p>
            </Fact>
            <Fact name={text.given}>
              {formats.number(addresses.given)}
              <p className="small muted">{text.givenHint}</p>
            </Fact>
          </>
        )}
        {publicKey === null ? null : (
          <Fact name={text.publicKey}>
            <code>{publicKey}</code>
          </Fact>
        )}
        <Fact name={text.since}>
          <Time at={createdAt} />
        </Fact>
        <Fact name={text.changed}>
          <Time at={changedAt} />
        </Fact>
      </Facts>
    </Card>
  );
}
