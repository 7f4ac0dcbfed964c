/** The invoice number of a payment, from the number that the business's counter gave. */
export function invoiceNumberOf(counted: number): string {
  return `INV-${String(counted).padStart(6, '0')}`;
}
