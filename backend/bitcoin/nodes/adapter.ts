import { messageOf } from '@florin/shared/contracts/messages.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { z } from 'zod';
import type { BitcoinNode } from './node.ts';

/** The node settings of a business, as stored. */
export type StoredNode = {
  /** Settings that are not secret. */
  readonly config: unknown;
  readonly secrets: unknown;
  /** 32 bytes from which this business's preimages are derived, for nodes that accept a preimage. */
  readonly invoiceKey: Uint8Array;
  readonly addressIndexes: AddressIndexes;
};

/** Address counters of extended public keys: no index is ever issued twice, across processes and crashes. */
export type AddressIndexes = {
  next(sequence: AddressSequence): Promise<number>;
  /** The number of issued addresses. */
  given(sequence: AddressSequence): Promise<number>;
};
export type AddressSequence = `addresses:${string}`;

/** A kind of node. Every bitcoin backend names its adapter. */
export type NodeAdapter = {
  readonly name: string;
  readonly examples: { readonly config: object; readonly secrets: object };
  /** The node of these settings, or one line per invalid setting, without the secrets themselves. */
  open(node: StoredNode): Result<BitcoinNode, readonly string[]>;
};

/** The available adapters by name. */
export type NodeRegistry = ReadonlyMap<string, NodeAdapter>;

/** Declares an adapter; its settings are validated. */
export function nodeAdapter<Config, Secrets>(definition: {
  readonly name: string;
  readonly examples: NodeAdapter['examples'];
  readonly config: z.ZodType<Config>;
  readonly secrets: z.ZodType<Secrets>;
  /** Problems of settings that are each valid by themselves. */
  check?(settings: { config: Config; secrets: Secrets }): readonly string[];
  open(node: { config: Config; secrets: Secrets } & Pick<StoredNode, 'invoiceKey' | 'addressIndexes'>): BitcoinNode;
}): NodeAdapter {
  return {
    name: definition.name,
    examples: definition.examples,
    open({ invoiceKey, addressIndexes, ...stored }) {
      const config = definition.config.safeParse(stored.config, { error: messageOf });
      const secrets = definition.secrets.safeParse(stored.secrets, { error: messageOf });
      if (!config.success || !secrets.success)
        return err([...problemsOf('config', config.error), ...problemsOf('secrets', secrets.error)]);
      const settings = { config: config.data, secrets: secrets.data };
      const problems = definition.check?.(settings) ?? [];
      return problems.length === 0 ? ok(definition.open({ ...settings, invoiceKey, addressIndexes })) : err(problems);
    },
  };
}

function problemsOf(part: string, error: z.ZodError | undefined): string[] {
  return (error?.issues ?? []).map(({ path, message }) => `${[part, ...path].join('.')}: ${message}`);
}
