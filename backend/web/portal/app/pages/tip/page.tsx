import type { TipLinkRecord } from '@florin/shared/contracts/api-v1/tip-links.ts';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall, useRead } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Status } from '../../components/notice.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { Qr } from '../../components/qr.tsx';
import { CopyButton, Fact, Facts, Time } from '../../components/values.tsx';
import { useMay } from '../../session/session.ts';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { tipsTexts } from '../tips/texts.ts';

/** One tip link: its code, and what was received. */
export function Page() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const read = useRead('getTipLink', { params: { id } }, { refetchMs: 15_000 });
  return (
    <Loaded read={read} skeleton={<SkeletonLines lines={10} />}>
      {tipLink => <TipLink tipLink={tipLink} />}
    </Loaded>
  );
}

type Props = { readonly tipLink: TipLinkRecord };

function TipLink({ tipLink }: Props) {
  const text = useTexts(tipsTexts);
  const formats = useFormats();
  const may = useMay();
  const [isDeleting, setDeleting] = useState(false);
  const { name, deletedAt, url, lnurl, lightningAddress, receivedSats, tipCount } = tipLink;
  const isActive = deletedAt === null;
  return (
    <>
      <PageHead
        up={{ page: 'tips', name: text.up }}
        title={name}
        state={isActive ? <Status tone="done">{text.active}</Status> : <Status tone="ended">{text.deleted}</Status>}
        actions={
          isActive ? (
            <>
              {may('tip-links:write') ? (
                <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
                  {text.delete}
                </Button>
              ) : null}
              <CopyButton text={url} label={text.copy} kind="primary" />
            </>
          ) : undefined
        }
      />
      <div className="columns">
        <div className="stack">
          <Card title={text.received}>
            <p className="figure">{formats.sats(receivedSats)}</p>
            <p className="muted">{text.count(formats.number(tipCount))}</p>
          </Card>
          {isActive ? (
            <Card>
              <div className="handover">
                <Qr text={lnurl} label={text.code} />
                <p className="muted">{text.scan}</p>
                <div className="copy-line">
                  <code>{lightningAddress}</code>
                  <CopyButton text={lightningAddress} />
                </div>
              </div>
            </Card>
          ) : null}
        </div>
        <TipLinkFacts tipLink={tipLink} />
      </div>
      {isDeleting ? <DeleteTipLink tipLink={tipLink} onClose={() => setDeleting(false)} /> : null}
    </>
  );
}

function TipLinkFacts({ tipLink: { url, minimumSats, maximumSats, createdAt, id } }: Props) {
  const text = useTexts(tipsTexts);
  const formats = useFormats();
  return (
    <Card title={text.facts}>
      <Facts>
        <Fact name={text.page}>
          <a href={url} target="_blank" rel="noreferrer" className="with-icon">
            <span>{text.open}</span>
            <Icon name="external" />
          </a>
        </Fact>
        <Fact name={text.limits}>{text.between(formats.number(minimumSats), formats.sats(maximumSats))}</Fact>
        <Fact name={text.created}>
          <Time at={createdAt} />
        </Fact>
        <Fact name={text.id}>
          <code>{id}</code>
        </Fact>
      </Facts>
    </Card>
  );
}

function DeleteTipLink({ tipLink: { id, name }, onClose }: Props & { readonly onClose: () => void }) {
  const text = useTexts(tipsTexts);
  const call = useCall();
  return (
    <Confirm
      title={text.deleteTitle(name)}
      action={text.deleteNow}
      send={() => call('deleteTipLink', { params: { id } })}
      onDone={() => toast(text.wasDeleted)}
      onClose={onClose}
    >
      {text.deleteWhy}
    </Confirm>
  );
}
