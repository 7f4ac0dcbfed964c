import type { Module } from '../module.ts';
import { type CallbackOptions, gatewayCallbacks, type TakeCallback } from './callbacks.ts';
import { gatewayRoutes } from './routes.ts';

export type GatewayService = {
  /** Takes what the gateway of an account posted to us on its own. */
  readonly takeCallback: TakeCallback;
};

export function gatewaysModule(ports: CallbackOptions): Module<GatewayService> {
  const takeCallback = gatewayCallbacks(ports);
  return { service: { takeCallback }, routes: gatewayRoutes(takeCallback), jobs: [] };
}
