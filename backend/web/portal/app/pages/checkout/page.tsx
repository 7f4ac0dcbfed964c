import type { CheckoutRecord } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall, useRead } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Icon } from '../../components/icon.tsx';
import { Blank, Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Status } from '../../components/notice.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { CopyButton, Fact, Facts, Time } from '../../components/values.tsx';
import { useBusiness, useMay } from '../../session/session.ts';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { CheckoutState } from '../checkouts/checkout-state.tsx';
import { checkoutsTexts } from '../checkouts/texts.ts';
import { ToReturn } from './to-return.tsx';

type Props = { readonly checkout: CheckoutRecord };

const isOpen = ({ status }: CheckoutRecord) => status === 'PENDING' || status === 'PROCESSING';

/** One checkout: what arrived of its amount, and what is to be returned. */
export function Page() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const business = useBusiness();
  const words = useWords();
  const read = useRead(
    'getCheckout',
    { params: { id } },
    { refetchMs: body => (body !== undefined && isOpen(body) ? 4_000 : 30_000) },
  );
  return (
    <Loaded read={read} skeleton={<SkeletonLines lines={12} />}>
      {checkout =>
        // Everybody may read a checkout of which they know the id, also that of another business.
        checkout.businessId === business.id ? (
          <Checkout checkout={checkout} />
        ) : (
          <Blank icon="search" title={words.states.notFound} />
        )
      }
    </Loaded>
  );
}

function Checkout({ checkout }: Props) {
  const text = useTexts(checkoutsTexts);
  const formats = useFormats();
  const may = useMay();
  const [isCancelling, setCancelling] = useState(false);
  const { orderId, amount, currency, url, createdAt } = checkout;
  return (
    <>
      <PageHead
        up={{ page: 'checkouts', name: text.up }}
        title={text.orderOf(orderId)}
        state={<CheckoutState checkout={checkout} />}
        about={`${formats.money(amount, currency)} · ${formats.dateTime(createdAt)}`}
        actions={
          isOpen(checkout) ? (
            <>
              {may('take-payments:write') && checkout.status === 'PENDING' ? (
                <Button kind="danger" onClick={() => setCancelling(true)}>
                  {text.cancel}
                </Button>
              ) : null}
              <CopyButton text={url} label={text.copy} kind="primary" />
            </>
          ) : undefined
        }
      />
      <div className="columns">
        <div className="stack">
          <ToReturn checkout={checkout} />
          <Received checkout={checkout} />
        </div>
        <CheckoutFacts checkout={checkout} />
      </div>
      {isCancelling ? <CancelCheckout checkout={checkout} onClose={() => setCancelling(false)} /> : null}
    </>
  );
}

type Receipt = CheckoutRecord['receipts'][number];

function Received({ checkout }: Props) {
  const text = useTexts(checkoutsTexts);
  const words = useWords();
  const formats = useFormats();
  const { receivedSats, processingSats, amountSats, receipts } = checkout;
  const share = Math.min(100, Math.round((100 * receivedSats) / amountSats));
  const columns: readonly Column<Receipt>[] = [
    { id: 'time', header: text.time, cell: ({ seenAt }) => <Time at={seenAt} />, onCard: 'detail' },
    { id: 'network', header: text.network, cell: ({ network }) => words.methods[network], onCard: 'lead' },
    {
      id: 'transaction',
      header: text.transaction,
      cell: ({ txId }) => <code title={txId}>{`${txId.slice(0, 16)}…`}</code>,
      isExtra: true,
    },
    {
      id: 'state',
      header: text.state,
      cell: ({ status }) => (
        <Status tone={status === 'confirmed' ? 'done' : status === 'seen' ? 'doing' : 'ended'}>
          {text.receiptStatuses[status]}
        </Status>
      ),
      onCard: 'state',
    },
    {
      id: 'sats',
      header: text.sats,
      isNumber: true,
      cell: receipt => <span className="nowrap">{formats.sats(receipt.amountSats)}</span>,
      onCard: 'amount',
    },
  ];
  return (
    <Card title={text.paidIn}>
      <div className="meter checkout-meter">
        <p className="strong">{text.received(formats.sats(receivedSats), formats.sats(amountSats))}</p>
        <div className="meter-bar">
          <span className="meter-fill" style={{ width: `${share}%` }} />
        </div>
        {processingSats === 0 ? null : <p className="muted">{text.processing(formats.sats(processingSats))}</p>}
        {receipts.length === 0 ? <p className="muted">{text.nothingYet}</p> : null}
      </div>
      {receipts.length === 0 ? null : (
        <Table
          caption={text.paidIn}
          columns={columns}
          rows={receipts}
          idOf={({ txId, seenAt }) => `${txId} ${seenAt}`}
        />
      )}
    </Card>
  );
}

function CheckoutFacts({ checkout }: Props) {
  const text = useTexts(checkoutsTexts);
  const formats = useFormats();
  const { url, rate, currency, expiresAt, endedAt, externalReference, successUrl, id } = checkout;
  return (
    <Card title={text.facts}>
      <Facts>
        <Fact name={text.page}>
          <a href={url} target="_blank" rel="noreferrer" className="with-icon">
            <span>{text.open}</span>
            <Icon name="external" />
          </a>
        </Fact>
        {rate === null ? null : (
          <Fact name={text.rate}>{text.rateOf(`${formats.number(Number(rate))} ${currency}`)}</Fact>
        )}
        <Fact name={text.until}>
          <Time at={expiresAt} />
        </Fact>
        {endedAt === null ? null : (
          <Fact name={text.ended}>
            <Time at={endedAt} />
          </Fact>
        )}
        {externalReference === null ? null : <Fact name={text.reference}>{externalReference}</Fact>}
        {successUrl === null ? null : <Fact name={text.back}>{successUrl}</Fact>}
        <Fact name={text.id}>
          <code>{id}</code>
        </Fact>
      </Facts>
    </Card>
  );
}

function CancelCheckout({ checkout, onClose }: Props & { readonly onClose: () => void }) {
  const text = useTexts(checkoutsTexts);
  const call = useCall();
  return (
    <Confirm
      title={text.cancelTitle}
      action={text.cancelNow}
      send={idempotencyKey => call('cancelCheckout', { params: { id: checkout.id }, body: {} }, { idempotencyKey })}
      onDone={({ status }) => toast(status === 'CANCELLED' ? text.cancelled : text.notCancelled)}
      onClose={onClose}
    >
      {text.cancelWhy}
    </Confirm>
  );
}
