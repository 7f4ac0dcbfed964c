import type { Clock } from '@florin/shared/ports.ts';
import type { StoredTransaction } from './memory.ts';
import { centred, euros, pair } from './status.ts';
import { bcd, bmp, varBmp } from './wire.ts';

/** In the documentation's order; cards of any other kind count as the last. */
const schemes = ['girocard', 'jcb', 'mastercard', 'amex', 'visa', 'diners'] as const;
const others = 'others';
const names: Readonly<Record<string, string>> = {
  girocard: 'girocard',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  amex: 'American Express',
  visa: 'VISA',
  diners: 'Diners',
  [others]: 'Sonstige',
};
/** A count has one byte. */
const mostCounted = 255;

export type DayTotals = {
  readonly terminalId: string;
  readonly currency: string;
  /** Payments less refunds. */
  readonly net: number;
  /** Of the payments and refunds; 0 without any. */
  readonly firstReceipt: number;
  readonly lastReceipt: number;
  readonly groups: readonly { readonly scheme: string; readonly count: number; readonly net: number }[];
};

/** What the turnover adds up to. What was reversed counts for nothing, nor does its reversal. */
export function dayTotals(turnover: readonly StoredTransaction[], terminalId: string): DayTotals {
  const counted = turnover.filter(({ kind, state }) => kind !== 'reversal' && state !== 'reversed');
  const known: readonly string[] = schemes;
  const groupOf = ({ scheme }: StoredTransaction) => (known.includes(scheme) ? scheme : others);
  return {
    terminalId,
    currency: turnover.at(-1)?.currency ?? '978',
    net: netOf(counted),
    firstReceipt: counted.at(0)?.receipt ?? 0,
    lastReceipt: counted.at(-1)?.receipt ?? 0,
    groups: [...known, others].map(scheme => {
      const group = counted.filter(one => groupOf(one) === scheme);
      return { scheme, count: group.length, net: netOf(group) };
    }),
  };
}

/** The body of the status information at the end of a day. Amounts have no sign in this protocol. */
export function endOfDayBody(of: DayTotals & { readonly trace: number; readonly clock: Clock }): Buffer {
  const time = new Date(of.clock.now()).toISOString();
  const groups = of.groups.map(({ count, net }) =>
    Buffer.concat([Buffer.from([Math.min(count, mostCounted)]), bcd(Math.abs(net), 6)]),
  );
  return Buffer.concat([
    bmp('27', '00'),
    bmp('04', bcd(Math.abs(of.net), 6)),
    bmp('0b', bcd(of.trace, 3)),
    bmp('0c', time.slice(11, 19).replaceAll(':', '')),
    bmp('0d', time.slice(5, 10).replace('-', '')),
    bmp('29', of.terminalId),
    bmp('49', `0${of.currency}`),
    varBmp('60', Buffer.concat([bcd(of.firstReceipt, 2), bcd(of.lastReceipt, 2), ...groups]), 3),
  ]);
}

/** The receipt of the end of a day, line by line. */
export function endOfDayLines(of: DayTotals): readonly string[] {
  const { terminalId, currency, net, firstReceipt, lastReceipt, groups } = of;
  const receipt = (number: number) => String(number).padStart(4, '0');
  return [
    centred('Kassenschnitt'),
    '',
    pair('Terminal-ID', terminalId),
    ...(firstReceipt === 0 ? [] : [pair('Belege', `${receipt(firstReceipt)}-${receipt(lastReceipt)}`)]),
    ...groups
      .filter(({ count }) => count > 0)
      .map(group => pair(`${group.count} ${names[group.scheme] ?? ''}`, euros({ amountMinor: group.net, currency }))),
    pair('Gesamt', euros({ amountMinor: net, currency })),
  ];
}

function netOf(counted: readonly StoredTransaction[]): number {
  return counted.reduce((sum, { kind, amountMinor }) => sum + (kind === 'refund' ? -amountMinor : amountMinor), 0);
}
