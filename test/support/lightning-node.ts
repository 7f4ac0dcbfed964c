import {
  type LightningNodeSandbox,
  startLightningNodeSandbox,
} from '@florin/backend/programs/sandbox/lightning-node/server.ts';
import { operator } from '@florin/shared/actor.ts';
import { onTestFinished } from 'vitest';
import type { BackendWorld, TestBusiness } from './backend.ts';

/** Settings of a backend whose businesses' nodes are on this machine. */
export const nodesOnThisMachine = { BITCOIN_NODE_ALLOW_PRIVATE: 'true' };

/** Starts a separate sandbox node, which is stopped when the test ends. */
export async function aLightningNode(clock?: BackendWorld['clock']): Promise<LightningNodeSandbox> {
  const sandbox = await startLightningNodeSandbox({ file: ':memory:', ...(clock ? { clock } : {}) });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** The settings of a sandbox node, as the API takes them. */
export function lndSettings(node: LightningNodeSandbox, macaroon: keyof LightningNodeSandbox['macaroons'] = 'admin') {
  return {
    adapter: 'lnd',
    config: { url: node.url, certificate: node.certificate },
    secrets: { macaroon: node.macaroons[macaroon] },
  };
}

/** Makes this the business's node; returns the id of its backend. */
export async function paidThrough(
  world: Pick<BackendWorld, 'backend'>,
  business: Pick<TestBusiness, 'id'>,
  node: LightningNodeSandbox,
): Promise<string> {
  const set = await world.backend.services.bitcoinBackends.set(business.id, lndSettings(node), operator);
  if (!set.ok) throw new Error(JSON.stringify(set.refusal));
  return set.value.row.id;
}
