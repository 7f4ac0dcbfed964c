import type { Clock } from '@florin/shared/ports.ts';
import { staffLogRoutes } from './audit/routes.ts';
import type { Engine } from './engine.ts';
import type { Route } from './http/route.ts';
import { paymentLinkRoutes } from './payment-links/routes.ts';
import { saleRoutes } from './payments/routes.ts';
import { refundRoutes } from './refunds/routes.ts';
import { staffRoutes } from './staff/routes.ts';

/** Everything of the engine that is served over HTTP. */
export function engineRoutes(engine: Engine, context: { clock: Clock; publicUrl: string }): Route[] {
  const options = { ...engine, ...context };
  return [
    ...refundRoutes(options),
    ...saleRoutes(options),
    ...staffRoutes(options),
    ...staffLogRoutes(options),
    ...paymentLinkRoutes(options),
  ];
}
