import type { BitcoinNode } from '@florin/backend/nodes/node.ts';
import { nodeRegistry } from '@florin/backend/nodes/registry.ts';
import { systemTimers } from '@florin/backend/platform/system.ts';
import { startLightningNodeSandbox } from '@florin/backend/sandbox/lightning-node/server.ts';
import type { Timers } from '@florin/shared/ports.ts';

export const invoiceKey = new Uint8Array(32).fill(7);

/** A sandbox node, and the adapter of the product connected to it. */
export async function anLndWorld(options: { timers?: Timers; macaroon?: 'admin' | 'receive' | 'readonly' } = {}) {
  const sandbox = await startLightningNodeSandbox({ file: ':memory:' });
  const registry = nodeRegistry({
    timers: options.timers ?? systemTimers,
    timeoutMs: 5_000,
    policy: { allowLoopback: true },
  });
  const open = (stored: { config?: object; macaroon?: string } = {}): BitcoinNode => {
    const made = registry.get('lnd')?.open({
      config: { url: sandbox.url, certificate: sandbox.certificate, ...stored.config },
      secrets: { macaroon: stored.macaroon ?? sandbox.macaroons[options.macaroon ?? 'admin'] },
      invoiceKey,
    });
    if (!made?.ok) throw new Error(JSON.stringify(made?.refusal));
    return made.value;
  };
  const node = open();
  return {
    sandbox,
    control: sandbox.control,
    node,
    open,
    async close() {
      await node.close();
      await sandbox.close();
    },
  };
}
