import type { PaymentRecord } from '@florin/shared/contracts/api-v1/payments.ts';
import type { RefundOptionsRecord } from '@florin/shared/contracts/api-v1/refund-options.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { PaymentStatus, usePaidWith } from '../../components/payment.tsx';
import { CopyButton, Fact, Facts, Money, Time } from '../../components/values.tsx';
import { useMay } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { MoneyDrawer, useSentBefore } from './money-drawer.tsx';
import { paymentTexts } from './texts.ts';
import { Timeline } from './timeline.tsx';

/** One payment: what to tell the customer, its amounts, and everything that happened to it. */
export function Page() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const read = useRead('getPayment', { params: { id } }, { refetchMs: body => (isUnderWay(body) ? 3_000 : 30_000) });
  return (
    <Loaded read={read} skeleton={<SkeletonLines lines={14} />}>
      {payment => <Payment payment={payment} />}
    </Loaded>
  );
}

const isUnderWay = (payment: PaymentRecord | undefined) =>
  payment?.status === 'pending' || (payment?.pendingInCents ?? 0) > 0;

function Payment({ payment }: { readonly payment: PaymentRecord }) {
  const text = useTexts(paymentTexts);
  const formats = useFormats();
  const may = useMay();
  const { search, change } = useFilters();
  const options = useRead(
    'getRefundOptions',
    { params: { id: payment.id }, query: {} },
    { refetchMs: isUnderWay(payment) ? 3_000 : 30_000 },
  );
  const way = (may('take-payments:write') ? options.data?.action : undefined) ?? undefined;
  // What was sent before a reload is followed to its end.
  const [opened, setOpened] = useState(useSentBefore(payment));
  const [isAsked, setAsked] = useState(search.do === 'refund');
  if (isAsked && opened === undefined && way !== undefined) {
    setAsked(false);
    setOpened(way);
  }
  const close = () => {
    setOpened(undefined);
    if (search.do !== undefined) change({ do: undefined });
  };
  return (
    <>
      <PageHead
        up={{ page: 'payments', name: text.up }}
        title={text.title(formats.money(payment.amountInCents, payment.currency))}
        state={<PaymentStatus status={payment.status} />}
        about={`${payment.invoiceNumber} · ${formats.dateTime(payment.createdAt)}`}
        actions={
          way === undefined ? undefined : (
            <Button kind="money" icon="returned" onClick={() => setOpened(way)}>
              {way === 'void' ? text.void : text.refund}
            </Button>
          )
        }
      />
      <div className="columns">
        <div className="stack">
          <Remarks payment={payment} />
          <CustomerSentence options={options} />
          {may('sales:read') ? <Timeline paymentId={payment.id} isUnderWay={isUnderWay(payment)} /> : null}
        </div>
        <div className="stack">
          <Amounts payment={payment} blocked={options.data?.blocked ?? null} />
          <PaymentFacts payment={payment} />
        </div>
      </div>
      {opened === undefined ? null : <MoneyDrawer payment={payment} way={opened} onClose={close} />}
    </>
  );
}

function Remarks({ payment }: { readonly payment: PaymentRecord }) {
  const text = useTexts(paymentTexts);
  const formats = useFormats();
  return (
    <>
      {payment.status === 'pending' ? (
        <Notice tone="attention" title={text.checking(formats.time(payment.createdAt))}>
          {text.checkingWhy}
        </Notice>
      ) : null}
      {payment.badges.length > 0 ? <Notice tone="attention">{text.badge}</Notice> : null}
    </>
  );
}

/** What staff can say or send to the customer as it is. */
function CustomerSentence({ options }: { readonly options: UseQueryResult<RefundOptionsRecord, Error> }) {
  const text = useTexts(paymentTexts);
  const sentence = options.data?.forCustomer;
  return (
    <Card title={text.sayTitle} end={sentence === undefined ? undefined : <CopyButton text={sentence} />}>
      <Loaded read={options} skeleton={<SkeletonLines lines={2} />}>
        {({ forCustomer }) => (
          <div className="say">
            <blockquote>{forCustomer}</blockquote>
          </div>
        )}
      </Loaded>
    </Card>
  );
}

type AmountsProps = { readonly payment: PaymentRecord; readonly blocked: RefundOptionsRecord['blocked'] };

function Amounts({ payment, blocked }: AmountsProps) {
  const text = useTexts(paymentTexts);
  const { currency, amountInCents, refundedInCents, pendingInCents, remainingInCents, amountSats, takenAt } = payment;
  const formats = useFormats();
  return (
    <Card title={text.amounts} className="sum">
      <Facts>
        <Fact name={takenAt === null ? text.notTaken : text.taken}>
          <Money minor={amountInCents} currency={currency} />
          {amountSats === null ? null : <div className="small muted">{formats.sats(amountSats)}</div>}
        </Fact>
        {refundedInCents === 0 ? null : (
          <Fact name={payment.status === 'cancelled' ? text.voided : text.refunded}>
            <Money minor={-refundedInCents} currency={currency} />
          </Fact>
        )}
        {pendingInCents === 0 ? null : (
          <Fact name={text.held}>
            <Money minor={-pendingInCents} currency={currency} />
          </Fact>
        )}
        {takenAt === null ? null : (
          <div className="fact fact-total">
            <dt>{text.left}</dt>
            <dd>
              <Money minor={remainingInCents} currency={currency} />
            </dd>
          </div>
        )}
      </Facts>
      {blocked === null || remainingInCents === 0 ? null : <p className="small muted">{blocked.message}</p>}
    </Card>
  );
}

function PaymentFacts({ payment }: { readonly payment: PaymentRecord }) {
  const text = useTexts(paymentTexts);
  const paidWith = usePaidWith();
  const { terminal, paymentLinkId, settledAt, gatewayReference, declineMessage, receipt } = payment;
  return (
    <Card title={text.facts}>
      <Facts>
        <Fact name={text.invoice}>{payment.invoiceNumber}</Fact>
        <Fact name={text.paidWith}>{paidWith(payment)}</Fact>
        {terminal === null ? null : <Fact name={text.where}>{terminal.name}</Fact>}
        {payment.tipInCents === 0 ? null : (
          <Fact name={text.tip}>
            <Money minor={payment.tipInCents} currency={payment.currency} />
          </Fact>
        )}
        {payment.reference === null ? null : <Fact name={text.saleReference}>{payment.reference}</Fact>}
        {paymentLinkId === null ? null : (
          <Fact name={text.link}>
            <PageLink to={`links/${paymentLinkId}`}>{paymentLinkId.slice(0, 14)}…</PageLink>
          </Fact>
        )}
        {receipt === null ? null : (
          <Fact name={text.receipt}>
            <a href={receipt.url} target="_blank" rel="noreferrer">
              {text.openReceipt}
            </a>
          </Fact>
        )}
        <Fact name={text.created}>
          <Time at={payment.createdAt} />
        </Fact>
        {settledAt === null ? null : (
          <Fact name={text.settled}>
            <Time at={settledAt} />
          </Fact>
        )}
        {declineMessage === null ? null : <Fact name={text.bank}>{declineMessage}</Fact>}
        {gatewayReference === null ? null : (
          <Fact name={text.reference}>
            <code>{gatewayReference}</code>
          </Fact>
        )}
        <Fact name={text.id}>
          <code>{payment.id}</code>
        </Fact>
      </Facts>
    </Card>
  );
}
