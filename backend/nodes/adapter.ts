import { messageOf } from '@florin/shared/contracts/messages.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { z } from 'zod';
import type { BitcoinNode } from './node.ts';

/** What a business's settings say of its node, as they were stored. */
export type StoredNode = {
  /** Settings that are no secret. */
  readonly config: unknown;
  readonly secrets: unknown;
  /** 32 bytes that this business's invoices are derived from, for nodes that let us choose the preimage. */
  readonly invoiceKey: Uint8Array;
  readonly addressIndexes: AddressIndexes;
};

/** Counts the addresses of extended public keys, for good: no index is ever given twice, whoever asks and whatever crashes. */
export type AddressIndexes = {
  next(sequence: AddressSequence): Promise<number>;
  /** How many were given out so far. */
  given(sequence: AddressSequence): Promise<number>;
};
export type AddressSequence = `addresses:${string}`;

/** One kind of node. Every bitcoin backend names its adapter. */
export type NodeAdapter = {
  readonly name: string;
  readonly examples: { readonly config: object; readonly secrets: object };
  /** The node behind the settings, or what is wrong with them: one line each, without the secrets themselves. */
  open(node: StoredNode): Result<BitcoinNode, readonly string[]>;
};

/** The adapters there are, by name. */
export type NodeRegistry = ReadonlyMap<string, NodeAdapter>;

/** Declares an adapter: its settings are checked. */
export function nodeAdapter<Config, Secrets>(definition: {
  readonly name: string;
  readonly examples: NodeAdapter['examples'];
  readonly config: z.ZodType<Config>;
  readonly secrets: z.ZodType<Secrets>;
  /** What is wrong with settings that are each right by themselves. */
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
