import type { NodeRegistry } from './adapter.ts';
import type { ConnectionPorts } from './connection.ts';
import { lndAdapter } from './lnd/adapter.ts';
import { phoenixdAdapter } from './phoenixd/adapter.ts';

/** All adapters of the product; README.md explains how to add one. */
export function nodeRegistry(ports: ConnectionPorts): NodeRegistry {
  const adapters = [lndAdapter(ports), phoenixdAdapter(ports)];
  return new Map(adapters.map(adapter => [adapter.name, adapter]));
}
