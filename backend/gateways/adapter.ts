import { messageOf } from '@florin/shared/contracts/messages.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { z } from 'zod';
import { refuseInvalidAmounts } from './amounts.ts';
import type { CardGateway } from './gateway.ts';

/** What an account of a business says of itself, as it was stored. */
export type StoredAccount = {
  readonly merchantId: string;
  /** Settings that are no secret. */
  readonly config: unknown;
  readonly secrets: unknown;
  /** Where this account's callbacks arrive. */
  readonly callbackUrl: string;
};

/** One kind of gateway. Every account names its adapter. */
export type GatewayAdapter = {
  readonly name: string;
  readonly examples: SettingsExamples;
  /** The gateway behind an account, or what is wrong with its settings: one line each, without the secrets themselves. */
  open(account: StoredAccount): Result<CardGateway, readonly string[]>;
};

/** The smallest settings that it takes, for the help of who writes some. */
export type SettingsExamples = { readonly config: object; readonly secrets: object };

/** The adapters there are, by name. */
export type GatewayRegistry = ReadonlyMap<string, GatewayAdapter>;

export type AdapterDefinition<Config, Secrets> = {
  readonly name: string;
  readonly examples: SettingsExamples;
  readonly config: z.ZodType<Config>;
  readonly secrets: z.ZodType<Secrets>;
  /** What is wrong with settings that are each right by themselves. */
  check?(account: AccountOf<Config, Secrets>): readonly string[];
  open(account: AccountOf<Config, Secrets>): CardGateway;
};

type AccountOf<Config, Secrets> = Pick<StoredAccount, 'merchantId' | 'callbackUrl'> & {
  readonly config: Config;
  readonly secrets: Secrets;
};

/** Declares an adapter: its settings are checked, and no invalid amount reaches it. */
export function gatewayAdapter<Config, Secrets>(definition: AdapterDefinition<Config, Secrets>): GatewayAdapter {
  return {
    name: definition.name,
    examples: definition.examples,
    open({ merchantId, callbackUrl, ...stored }) {
      const config = definition.config.safeParse(stored.config, { error: messageOf });
      const secrets = definition.secrets.safeParse(stored.secrets, { error: messageOf });
      if (!config.success || !secrets.success)
        return err([...problemsOf('config', config.error), ...problemsOf('secrets', secrets.error)]);
      const account = { merchantId, callbackUrl, config: config.data, secrets: secrets.data };
      const problems = definition.check?.(account) ?? [];
      return problems.length === 0 ? ok(refuseInvalidAmounts(definition.open(account))) : err(problems);
    },
  };
}

function problemsOf(part: string, error: z.ZodError | undefined): string[] {
  return (error?.issues ?? []).map(({ path, message }) => `${[part, ...path].join('.')}: ${message}`);
}
