import type { OnInvoiceChanged } from '../bitcoin-invoices/receipts.ts';
import { discrepancies } from '../discrepancies/discrepancies.ts';
import type { Module } from '../module.ts';
import { paymentTimeline } from '../payments/timeline.ts';
import { ucpChanges } from './changes.ts';
import { ucpRoutes } from './routes.ts';
import { type UcpService, ucpService } from './service.ts';

export function ucpModule(
  ports: Parameters<typeof ucpService>[0] & Parameters<typeof paymentTimeline>[0],
): Module<UcpService & { readonly onInvoiceChanged: OnInvoiceChanged }> {
  const service = ucpService(ports);
  const raised = discrepancies({ ...ports, timeline: paymentTimeline(ports) });
  const onInvoiceChanged = ucpChanges({ ...ports, discrepancies: raised, claims: () => ports.invoices.claims });
  return { service: { ...service, onInvoiceChanged }, routes: ucpRoutes(service), jobs: [] };
}
