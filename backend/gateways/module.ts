import type { Module } from '../foundation/module.ts';
import { type CallbackOptions, gatewayCallbacks, type TakeCallback } from './callbacks.ts';
import { gatewayRoutes } from './routes.ts';

export type GatewayService = {
  /** Processes a callback of an account's gateway. */
  readonly takeCallback: TakeCallback;
};

/** Receives the callbacks of all gateways; the operations belong to the modules in `owners`. */
export function gatewaysModule(ports: CallbackOptions): Module<GatewayService> {
  const takeCallback = gatewayCallbacks(ports);
  return { service: { takeCallback }, routes: gatewayRoutes(takeCallback), jobs: [] };
}
