const names: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  maestro: 'Maestro',
  amex: 'American Express',
  'american express': 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** The name of a card scheme as people write it: readers give a word of their own, banks a name. */
export function cardSchemeName(scheme: string): string {
  return names[scheme.toLowerCase()] ?? scheme;
}
