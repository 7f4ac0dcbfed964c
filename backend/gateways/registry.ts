import type { Timers } from '@florin/shared/ports.ts';
import type { GatewayRegistry } from './adapter.ts';
import { cardstreamAdapter } from './cardstream/adapter.ts';

/** All adapters of the product; README.md explains how to add one. */
export function gatewayRegistry(ports: { readonly timers: Timers; readonly timeoutMs: number }): GatewayRegistry {
  const adapters = [cardstreamAdapter(ports)];
  return new Map(adapters.map(adapter => [adapter.name, adapter]));
}
