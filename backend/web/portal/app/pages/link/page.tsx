import type { CountedLinkPayment, PaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall, useRead } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { PaymentStatus, usePaidWith } from '../../components/payment.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { CopyButton, Fact, Facts, Money, Time } from '../../components/values.tsx';
import { useMay } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { LinkStatus } from '../links/link-status.tsx';
import { type MoneyBack, moneyBackOf } from '../links/money-back.ts';
import { linksTexts } from '../links/texts.ts';
import { paymentsTexts } from '../payments/texts.ts';
import { linkTexts } from './texts.ts';

/** One payment link: what was paid of it, and its address to give away. */
export function Page() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const read = useRead('getPaymentLink', { params: { id } }, { refetchMs: 10_000 });
  return (
    <Loaded read={read} skeleton={<SkeletonLines lines={12} />}>
      {link => <Link link={link} />}
    </Loaded>
  );
}

function Link({ link }: { readonly link: PaymentLink }) {
  const text = useTexts(linkTexts);
  const list = useTexts(linksTexts);
  const formats = useFormats();
  const may = useMay();
  const [isDeleting, setDeleting] = useState(false);
  const isGone = link.deletedAt !== null;
  const mayDelete = may('take-payments:write') && !isGone && link.status !== 'PAID';
  const back = moneyBackOf(link);
  return (
    <>
      <PageHead
        up={{ page: 'links', name: text.up }}
        title={formats.money(link.amountInCents, link.currency)}
        state={<LinkStatus link={link} />}
        about={link.description}
        actions={
          <>
            {mayDelete ? (
              <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
                {text.delete}
              </Button>
            ) : null}
            {isGone || back !== undefined ? null : <CopyButton text={link.url} label={list.copyUrl} kind="primary" />}
          </>
        }
      />
      <div className="columns">
        <div className="stack">
          {link.dueSats > 0 ? <Notice tone="attention">{text.due(formats.sats(link.dueSats))}</Notice> : null}
          {back === undefined ? <Progress link={link} /> : <WentBack back={back} />}
          <LinkPayments payments={link.payments} />
        </div>
        <LinkFacts link={link} />
      </div>
      {isDeleting ? <DeleteLink link={link} onClose={() => setDeleting(false)} /> : null}
    </>
  );
}

/** How much of the link is paid. */
function Progress({ link }: { readonly link: PaymentLink }) {
  const text = useTexts(linkTexts);
  const formats = useFormats();
  const { amountPaidInCents, amountInCents, balanceInCents, currency } = link;
  const share = Math.min(100, Math.round((100 * amountPaidInCents) / amountInCents));
  return (
    <Card>
      <div className="meter">
        <p className="strong">
          {text.paid(formats.money(amountPaidInCents, currency), formats.money(amountInCents, currency))}
        </p>
        <div className="meter-bar">
          <span className="meter-fill" style={{ width: `${share}%` }} />
        </div>
        <p className="muted">{text.left(formats.money(balanceInCents, currency))}</p>
      </div>
    </Card>
  );
}

/** What it means that all that was paid went back. */
function WentBack({ back }: { readonly back: MoneyBack }) {
  const text = useTexts(linkTexts);
  const may = useMay();
  const toNew = may('take-payments:write') ? (
    <PageLink to="links" search={{ new: '1' }} className="button button-quiet">
      {text.newLink}
    </PageLink>
  ) : undefined;
  return (
    <Notice tone="returned" title={text.back[back]} action={toNew}>
      {text.backWhy}
    </Notice>
  );
}

function LinkPayments({ payments }: { readonly payments: readonly CountedLinkPayment[] }) {
  const text = useTexts(linkTexts);
  const names = useTexts(paymentsTexts);
  const paidWith = usePaidWith();
  const columns: readonly Column<CountedLinkPayment>[] = [
    { id: 'invoice', header: names.invoice, cell: ({ invoiceNumber }) => invoiceNumber, onCard: 'lead' },
    { id: 'paidWith', header: names.paidWith, cell: payment => paidWith(payment), onCard: 'detail' },
    { id: 'state', header: names.state, cell: ({ status }) => <PaymentStatus status={status} />, onCard: 'state' },
    {
      id: 'amount',
      header: names.amount,
      isNumber: true,
      cell: ({ amountInCents, currency }) => <Money minor={amountInCents} currency={currency} />,
      onCard: 'amount',
    },
  ];
  return (
    <Card title={text.payments}>
      {payments.length === 0 ? (
        <p className="muted">{text.noPayments}</p>
      ) : (
        <Table
          caption={text.payments}
          columns={columns}
          rows={payments}
          idOf={({ id }) => id}
          pageOf={({ id }) => `payments/${id}`}
        />
      )}
    </Card>
  );
}

function LinkFacts({ link }: { readonly link: PaymentLink }) {
  const text = useTexts(linkTexts);
  const formats = useFormats();
  const { minimumAmountInCents: minimum, currency } = link;
  const parts = minimum === null ? text.yes : text.partsFrom(formats.money(minimum, currency));
  return (
    <Card title={text.facts}>
      <Facts>
        <Fact name={text.address}>
          <a href={link.url} target="_blank" rel="noreferrer" className="with-icon">
            <span>{text.open}</span>
            <Icon name="external" />
          </a>
        </Fact>
        <Fact name={text.created}>
          <Time at={link.createdAt} />
        </Fact>
        <Fact name={text.expires}>
          <Time at={link.expiresAt} />
        </Fact>
        <Fact name={text.parts}>{link.allowPartPayment ? parts : text.no}</Fact>
        {link.externalReference === null ? null : <Fact name={text.reference}>{link.externalReference}</Fact>}
      </Facts>
      {link.status === 'PAID' ? <p className="small muted">{text.paidWhy}</p> : null}
    </Card>
  );
}

function DeleteLink({ link, onClose }: { readonly link: PaymentLink; readonly onClose: () => void }) {
  const text = useTexts(linkTexts);
  const call = useCall();
  return (
    <Confirm
      title={text.deleteTitle}
      action={text.deleteNow}
      send={() => call('deletePaymentLink', { params: { id: link.id } })}
      onDone={() => toast(text.deleted)}
      onClose={onClose}
    >
      {text.deleteWhy}
    </Confirm>
  );
}
