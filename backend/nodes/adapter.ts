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
};

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
  open(node: { config: Config; secrets: Secrets; invoiceKey: Uint8Array }): BitcoinNode;
}): NodeAdapter {
  return {
    name: definition.name,
    examples: definition.examples,
    open({ invoiceKey, ...stored }) {
      const config = definition.config.safeParse(stored.config);
      const secrets = definition.secrets.safeParse(stored.secrets);
      if (!config.success || !secrets.success)
        return err([...problemsOf('config', config.error), ...problemsOf('secrets', secrets.error)]);
      const settings = { config: config.data, secrets: secrets.data };
      const problems = definition.check?.(settings) ?? [];
      return problems.length === 0 ? ok(definition.open({ ...settings, invoiceKey })) : err(problems);
    },
  };
}

function problemsOf(part: string, error: z.ZodError | undefined): string[] {
  return (error?.issues ?? []).map(({ path, message }) => `${[part, ...path].join('.')}: ${message}`);
}
