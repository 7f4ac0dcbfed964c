import { takenBack } from '@florin/shared/amounts.ts';
import type { SaleRecord, SaleReturn } from '@florin/shared/contracts/device-v1/sales.ts';
import { useContext } from 'react';
import { Button as PressButton } from 'react-aria-components/Button';
import { useActions } from '../actions.tsx';
import { Amount } from '../components/amount.tsx';
import { Frame } from '../components/frame.tsx';
import { ForwardIcon } from '../components/icons.tsx';
import { openEmail, ReceiptEmail } from '../components/receipt-email.tsx';
import {
  ReceiptCode,
  ReceiptContext,
  ReceiptTools,
  UnlessNotPrinted,
  useLaterReceiptTitle,
} from '../components/receipt-tools.tsx';
import { Receipt, takenAt } from '../components/sale-facts.tsx';
import { type Formats, useFormats } from '../formats.tsx';
import type { StaffText } from '../words/en.ts';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';

/** "Refunded", or that its outcome is being checked. */
export function returnName({ kind, status }: SaleReturn, { saleDetail: words }: StaffText): string {
  const isPending = status === 'pending';
  if (kind === 'CANCEL') return isPending ? words.voidPending : words.voided;
  return isPending ? words.pending : words.refunded;
}

/** "by Amara Okafor, 14:35"; with the date if it was not today. Nobody requests the return of a reversed sale. */
export function returnedBy(
  { staffName, source, createdAt }: SaleReturn,
  { reversal }: SaleRecord,
  { formats, text }: { formats: Formats; text: StaffText },
): string {
  const at = Date.parse(createdAt);
  const when = formats.isToday(at) ? formats.time(at) : formats.moment(at);
  const words = text.returnedBy;
  const by = staffName !== null ? words.staff(staffName) : reversal ? words.reversal : words[source];
  return `${by}, ${when}`;
}

type RowProps = { readonly name: string; readonly fact: string; readonly amount: string };

function ReceiptRow({ name, fact, amount, onPress }: RowProps & { readonly onPress: (() => void) | undefined }) {
  const content = (
    <>
      <span className="row-what">
        <span className="row-card">{name}</span>
        <span className="row-facts">{fact}</span>
      </span>
      <span className="row-amount">{amount}</span>
      {onPress === undefined ? null : <ForwardIcon />}
    </>
  );
  return (
    <li>
      {onPress === undefined ? (
        <div className="row row-of-receipt">{content}</div>
      ) : (
        <PressButton className="row row-of-receipt" onPress={onPress}>
          {content}
        </PressButton>
      )}
    </li>
  );
}

/** The sale and each void and refund of it; each that moved money leads to its own receipt. */
export function ReceiptList({ sale, onShowOfSale }: { sale: SaleRecord; onShowOfSale: (() => void) | undefined }) {
  const text = useText();
  const formats = useFormats();
  const { send } = useActions();
  const money = (amountMinor: number) => formats.amount(amountMinor, sale.currency);
  return (
    <ul className="rows">
      <ReceiptRow
        name={text.saleDetail.title}
        fact={formats.moment(takenAt(sale))}
        amount={money(sale.amountInCents)}
        onPress={onShowOfSale}
      />
      {sale.returns.map((one, index) => {
        const url = one.receipt?.url;
        return (
          <ReceiptRow
            // biome-ignore lint/suspicious/noArrayIndexKey: two refunds may be equal, and have no state
            key={index}
            name={returnName(one, text)}
            fact={returnedBy(one, sale, { formats, text })}
            amount={takenBack(money(one.amountInCents))}
            onPress={url === undefined ? undefined : () => void send({ name: 'show_return_receipt', url })}
          />
        );
      })}
    </ul>
  );
}

/** The receipt of a past void or refund, to be printed, scanned or sent again. */
export function ReturnReceiptScreen({ screen: { sale, of, receipt: lines } }: ScreenProps<'return_receipt'>) {
  const { send } = useActions();
  const text = useText();
  const title = useLaterReceiptTitle();
  const receipt = useContext(ReceiptContext);
  const label = `${of.kind === 'CANCEL' ? text.returning.CANCEL : text.returning.REFUND_SALE} · ${sale.invoiceNumber}`;
  const amount = (
    <p className="summary-amount">
      <Amount amountMinor={of.amountInCents} currency={sale.currency} />
    </p>
  );
  const email = openEmail(receipt);
  if (email !== null) return <ReceiptEmail email={email} tone="neutral" summary={amount} />;
  if (receipt?.isCodeShown)
    return <ReceiptCode receipt={receipt} tone="neutral" summary={amount} scan={text.scanReceipt} close={text.close} />;
  return (
    <Frame
      name="return_receipt"
      summary={
        <>
          <h1 className="summary-label" tabIndex={-1}>
            {label}
          </h1>
          {amount}
          <ReceiptTools />
        </>
      }
      onBack={() => void send({ name: 'back' })}
    >
      <UnlessNotPrinted>
        <Receipt lines={lines} title={title} scan={text.scanReceipt} />
      </UnlessNotPrinted>
    </Frame>
  );
}
