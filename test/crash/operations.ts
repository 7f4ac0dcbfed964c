import { createCardRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { createTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import { authoriseSale } from '@florin/shared/contracts/device-v1/sales.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import type { SeededNumbers } from '../simulation/seeded.ts';
import { type Client, clientOf } from '../support/client.ts';
import { signAtTill } from '../support/till.ts';
import type { DatabaseRecords } from './records.ts';
import { type LinkPayment, type Shop, type StaffMember, saleBody, type Terminal, type TillPayment } from './shop.ts';

export type Answer = { readonly status: number; readonly body: unknown };

/** A row that an operation wrote; its outcome is final once it is not pending. */
export type OperationRow = { readonly id: string; readonly status: string; readonly uniqueReference: string | null };

/** One call that moves money and can be repeated identically. */
export type Operation = {
  readonly id: string;
  readonly kind: 'REFUND_SALE' | 'CANCEL' | 'REFUND' | 'till REFUND_SALE' | 'till CANCEL' | 'wrong password' | 'sale';
  /** Whether the call carries an Idempotency-Key, so that its answer is stored. */
  readonly isKeyed: boolean;
  call(url: string): Promise<Answer>;
  rowsIn(records: DatabaseRecords): OperationRow[];
  /** Every answer it received, in order. */
  readonly answers: Answer[];
};

/** The payments that a round may use. */
export type Stock = {
  readonly shop: Shop;
  readonly settledOnLinks: readonly LinkPayment[];
  readonly unsettledOnLinks: readonly LinkPayment[];
  readonly settledAtTills: readonly TillPayment[];
  readonly unsettledAtTills: readonly TillPayment[];
  /** Large and settled, so that only the password decides. */
  readonly forWrongPasswords: TillPayment;
};

let counter = 0;
const nextId = (): string => {
  counter += 1;
  return `${process.pid.toString(36)}-${Date.now().toString(36)}-${counter.toString(36).padStart(4, '0')}`;
};

/** Draws the operations of one cycle. Several may use the same payment and conflict. */
export async function drawOperations(url: string, stock: Stock, numbers: SeededNumbers): Promise<Operation[]> {
  const client = clientOf(url);
  const drawn: Promise<Operation>[] = [];
  const howMany = numbers.between(6, 10);
  for (let index = 0; index < howMany; index += 1) drawn.push(drawOne(client, stock, numbers));
  return Promise.all(drawn);
}

function drawOne(client: Client, stock: Stock, numbers: SeededNumbers): Promise<Operation> {
  const { shop } = stock;
  const amountMinor = numbers.pick([100, 150, 300, 700]);
  const terminal = numbers.pick(shop.terminals);
  const staff = numbers.pick(shop.staff);
  const at = { client, terminal, staff };
  const which = numbers.unit();
  if (which < 0.4)
    return Promise.resolve(apiRefund(shop, numbers.pick(stock.settledOnLinks), 'REFUND_SALE', amountMinor));
  if (which < 0.5) return Promise.resolve(apiRefund(shop, numbers.pick(stock.settledOnLinks), 'REFUND', amountMinor));
  if (which < 0.6) return Promise.resolve(apiRefund(shop, numbers.pick(stock.unsettledOnLinks), 'CANCEL', null));
  if (which < 0.78) {
    const payment = numbers.pick(stock.settledAtTills);
    return tillRefund(at, { payment, kind: 'REFUND_SALE', amountMinor, rightPassword: true });
  }
  if (which < 0.85) {
    const payment = numbers.pick(stock.unsettledAtTills);
    return tillRefund(at, { payment, kind: 'CANCEL', amountMinor: null, rightPassword: true });
  }
  if (which < 0.9) {
    const payment = stock.forWrongPasswords;
    return tillRefund(at, { payment, kind: 'REFUND_SALE', amountMinor, rightPassword: false });
  }
  return Promise.resolve(sale(terminal, numbers.between(300, 9_000)));
}

export function apiRefund(
  shop: Shop,
  payment: LinkPayment,
  kind: 'REFUND_SALE' | 'CANCEL' | 'REFUND',
  amountMinor: number | null,
): Operation {
  const id = nextId();
  const body = { kind, reason: id, ...(amountMinor === null ? {} : { amountInCents: amountMinor }) };
  return {
    id,
    kind,
    isKeyed: true,
    call: url =>
      clientOf(url).call(
        createCardRefund,
        { params: { id: payment.linkId }, body },
        { key: shop.apiKey, idempotencyKey: id },
      ),
    rowsIn: records => records.refunds.filter(({ reason }) => reason === id),
    answers: [],
  };
}

const wrongKeys = keyPairOf(Buffer.alloc(32, 9));

export async function tillRefund(
  at: { readonly client: Client; readonly terminal: Terminal; readonly staff: StaffMember },
  wanted: { payment: TillPayment; kind: 'CANCEL' | 'REFUND_SALE'; amountMinor: number | null; rightPassword: boolean },
): Promise<Operation> {
  const { kind, amountMinor, rightPassword } = wanted;
  const { client, terminal, staff } = at;
  const amount = amountMinor === null ? {} : { amountInCents: amountMinor };
  const refund = { paymentId: wanted.payment.paymentId, kind, ...amount };
  const signer = rightPassword ? staff : { ...staff, keys: wrongKeys };
  const authorisation = await signAtTill({ ...terminal, client }, refund, signer);
  const id = `request_${nextId()}`;
  const body = { requestId: id, ...refund, authorisation };
  const clientRequestId = `${terminal.terminalId}:${id}`;
  return {
    id,
    kind: rightPassword ? `till ${kind}` : 'wrong password',
    isKeyed: false,
    call: url => clientOf(url).call(createTerminalRefund, { body }, { key: terminal.token }),
    rowsIn: records => records.refunds.filter(refund => refund.clientRequestId === clientRequestId),
    answers: [],
  };
}

export function sale(terminal: Terminal, amountMinor: number): Operation {
  const id = newSaleId();
  const body = saleBody(amountMinor);
  return {
    id,
    kind: 'sale',
    isKeyed: false,
    call: url => clientOf(url).call(authoriseSale, { params: { saleId: id }, body }, { key: terminal.token }),
    rowsIn: records => records.payments.filter(({ saleId }) => saleId === id),
    answers: [],
  };
}

export function newSaleId(): string {
  return `sale_${nextId().replaceAll('-', '').padStart(26, '0')}`;
}

/** Makes the call and stores the answer; undefined when the process died or the service failed (5xx). */
export async function make(operation: Operation, url: string): Promise<Answer | undefined> {
  const answer = await operation.call(url).catch(() => undefined);
  if (answer === undefined || answer.status >= 500) return undefined;
  const kept = { status: answer.status, body: answer.body };
  operation.answers.push(kept);
  return kept;
}
