import type { Module } from '../module.ts';
import { type CallbackOptions, type CallbackOutcome, gatewayCallbacks } from './callbacks.ts';
import { gatewayRoutes } from './routes.ts';

export type GatewayService = {
  /** Takes what the gateway posted to us on its own. */
  readonly takeCallback: (rawBody: string) => Promise<CallbackOutcome>;
};

export function gatewaysModule(ports: CallbackOptions): Module<GatewayService> {
  const takeCallback = gatewayCallbacks(ports);
  return { service: { takeCallback }, routes: gatewayRoutes(takeCallback), jobs: [] };
}
