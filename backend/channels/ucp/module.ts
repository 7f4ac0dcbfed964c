import type { OnInvoiceChanged } from '../../bitcoin/invoices/receipts.ts';
import type { Module } from '../../foundation/module.ts';
import type { Discrepancies } from '../../money/discrepancies/discrepancies.ts';
import { ucpChanges } from './changes.ts';
import { ucpRoutes } from './routes.ts';
import { type UcpService, ucpService } from './service.ts';

/**
 * Lightning invoices for UCP checkouts, with their HTTP operations; a payment that does not fit is recorded as a claim.
 */
export function ucpModule(
  ports: Parameters<typeof ucpService>[0] & { readonly discrepancies: Discrepancies },
): Module<UcpService & { readonly onInvoiceChanged: OnInvoiceChanged }> {
  const service = ucpService(ports);
  const onInvoiceChanged = ucpChanges({ ...ports, claims: () => ports.invoices.claims });
  return { service: { ...service, onInvoiceChanged }, routes: ucpRoutes(service), jobs: [] };
}
