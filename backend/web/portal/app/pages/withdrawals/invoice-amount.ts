/** How many millisatoshis each letter behind the amount stands for (BOLT 11); none: a whole bitcoin. */
const millisatoshis: Readonly<Record<string, number>> = {
  '': 100_000_000_000,
  m: 100_000_000,
  u: 100_000,
  n: 100,
  p: 0.1,
};

/** The whole satoshis that a Lightning invoice asks for, as its first part says; undefined if it names no such amount. */
export function invoiceSats(invoice: string): number | undefined {
  // The amount ends at the last 1 before the data, in which there is none.
  const [, amount, unit = ''] = /^ln(?:bcrt|bc|tbs|tb)(\d+)([munp]?)1[^1]*$/.exec(invoice.trim().toLowerCase()) ?? [];
  const scale = millisatoshis[unit];
  if (amount === undefined || scale === undefined) return undefined;
  const sats = (Number(amount) * scale) / 1_000;
  return Number.isSafeInteger(sats) && sats > 0 ? sats : undefined;
}
