import type { SettlementRecord } from '@florin/shared/contracts/api-v1/settlements.ts';
import type { TransactionRecord } from '@florin/shared/contracts/api-v1/transactions.ts';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/use-read.ts';
import { useFilters } from '../../components/list-state.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { usePaidWith } from '../../components/payment.tsx';
import { type Column, List } from '../../components/table.tsx';
import { CopyButton, Fact, Facts, Money, Time } from '../../components/values.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { SettlementState } from '../settlements/settlement-state.tsx';
import { settlementsTexts } from '../settlements/texts.ts';

/** One settlement: how its amount comes about, and each transaction in it. */
export function Page() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const read = useRead('getSettlement', { params: { id } }, { refetchMs: 60_000 });
  return (
    <Loaded read={read} skeleton={<SkeletonLines lines={12} />}>
      {settlement => <Settlement settlement={settlement} />}
    </Loaded>
  );
}

type Props = { readonly settlement: SettlementRecord };

function Settlement({ settlement }: Props) {
  const text = useTexts(settlementsTexts);
  const formats = useFormats();
  const { day, status, gatewayAccount } = settlement;
  return (
    <>
      <PageHead
        up={{ page: 'settlements', name: text.up }}
        title={day === null ? text.ofAwaiting : text.of(formats.mediumDay(day))}
        state={<SettlementState status={status} />}
        about={gatewayAccount.name}
      />
      <div className="stack">
        <div className="columns">
          <Equation settlement={settlement} />
          <SettlementFacts settlement={settlement} />
        </div>
        <section>
          <h2 className="section-title">{text.transactions}</h2>
          <Transactions settlement={settlement} />
        </section>
      </div>
    </>
  );
}

/** The terms that were taken off, without those that are nothing. */
const termsOf = ({ voidedInCents, rejectedInCents, refundedInCents, ...counts }: SettlementRecord) =>
  (
    [
      ['voided', voidedInCents, counts.voidCount, 'voids'],
      ['rejected', rejectedInCents, counts.rejectedCount, 'rejected'],
      ['refunded', refundedInCents, counts.refundCount, 'refunds'],
    ] as const
  ).filter(([, amount]) => amount !== 0);

function Equation({ settlement }: Props) {
  const text = useTexts(settlementsTexts);
  const formats = useFormats();
  const { currency, grossInCents, netInCents, paymentCount, status } = settlement;
  const money = (minor: number) => formats.money(minor, currency);
  const terms = termsOf(settlement);
  const sentence =
    netInCents < 0
      ? text.negative(money(-netInCents))
      : text.sentence(
          money(grossInCents),
          terms.map(([term, amount]) => text.lesses[term](money(amount))),
          money(netInCents),
          status === 'closed',
        );
  return (
    <Card title={text.equation} className="sum" end={<CopyButton text={sentence} />}>
      <div className="say">
        <blockquote>{sentence}</blockquote>
      </div>
      <dl className="facts equation">
        <Term name={text.terms.gross} count={text.count(paymentCount, 'payments')}>
          <Money minor={grossInCents} currency={currency} />
        </Term>
        {terms.map(([term, amount, count, noun]) => (
          <Term key={term} name={text.terms[term]} count={text.count(count, noun)}>
            <Money minor={-amount} currency={currency} />
          </Term>
        ))}
        <div className="fact fact-total">
          <dt>{status === 'closed' ? text.terms.net : text.terms.netToCome}</dt>
          <dd>
            <Money minor={netInCents} currency={currency} />
          </dd>
        </div>
      </dl>
      <Notice tone={status === 'closed' ? 'done' : 'doing'}>{text.notes[status]}</Notice>
    </Card>
  );
}

function Term({
  name,
  count,
  children,
}: {
  readonly name: string;
  readonly count: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="fact">
      <dt>
        {name} <span className="small">· {count}</span>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function SettlementFacts({ settlement }: Props) {
  const text = useTexts(settlementsTexts);
  const { from, to, gatewayAccount, id } = settlement;
  return (
    <Card title={text.facts}>
      <Facts>
        <Fact name={text.account}>{gatewayAccount.name}</Fact>
        {from === null ? null : (
          <Fact name={text.period}>
            <Time at={from} />
          </Fact>
        )}
        {to === null ? null : (
          <Fact name={text.until}>
            <Time at={to} />
          </Fact>
        )}
        <Fact name={text.id}>
          <code>{id}</code>
        </Fact>
      </Facts>
    </Card>
  );
}

function useColumns(): readonly Column<TransactionRecord>[] {
  const text = useTexts(settlementsTexts);
  const paidWith = usePaidWith();
  return [
    { id: 'time', header: text.time, cell: ({ at }) => <Time at={at} />, onCard: 'detail' },
    {
      id: 'type',
      header: text.type,
      cell: ({ type }) => <span className="strong">{text.types[type]}</span>,
      onCard: 'lead',
    },
    { id: 'invoice', header: text.invoice, cell: ({ invoiceNumber }) => invoiceNumber, onCard: 'detail' },
    { id: 'paidWith', header: text.paidWith, cell: transaction => paidWith(transaction), onCard: 'detail' },
    {
      id: 'who',
      header: text.who,
      isExtra: true,
      cell: ({ by, terminal }) => by?.name ?? terminal?.name ?? '–',
    },
    {
      id: 'amount',
      header: text.amount,
      isNumber: true,
      cell: ({ amountInCents, currency }) => <Money minor={amountInCents} currency={currency} />,
      onCard: 'amount',
    },
  ];
}

function Transactions({ settlement: { id } }: Props) {
  const text = useTexts(settlementsTexts);
  const { query } = useFilters();
  const read = useRead('listSettlementTransactions', { params: { id }, query: { ...query, limit: 50 } });
  const columns = useColumns();
  return (
    <List
      read={read}
      columns={columns}
      pageOf={({ paymentId }) => `payments/${paymentId}`}
      text={{ caption: text.transactionsCaption, empty: text.nothing }}
      icon="settlements"
    />
  );
}
