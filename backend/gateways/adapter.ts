import { messageOf } from '@florin/shared/contracts/messages.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { z } from 'zod';
import { refuseInvalidAmounts } from './amounts.ts';
import type { CardGateway } from './gateway.ts';

/** The settings of an account, as stored. */
export type StoredAccount = {
  readonly merchantId: string;
  /** Settings that are not secret. */
  readonly config: unknown;
  readonly secrets: unknown;
  /** The URL of this account's callbacks. */
  readonly callbackUrl: string;
};

/** A kind of gateway. Every account names its adapter. */
export type GatewayAdapter = {
  readonly name: string;
  readonly examples: SettingsExamples;
  /** The gateway of an account, or one line per invalid setting, without the secrets themselves. */
  open(account: StoredAccount): Result<CardGateway, readonly string[]>;
  /**
   * The whole config of an account that a business added itself, from what it gave and the config of the operator's own
   * account; or one line per invalid setting. Left out where businesses cannot add accounts.
   */
  completeConfig?(given: GivenByBusiness, operatorConfig: unknown): Result<object, readonly string[]>;
};

type GivenByBusiness = Pick<StoredAccount, 'config' | 'secrets'>;

/** The minimal valid settings, shown in help texts. */
export type SettingsExamples = { readonly config: object; readonly secrets: object };

/** The available adapters by name. */
export type GatewayRegistry = ReadonlyMap<string, GatewayAdapter>;

export type AdapterDefinition<Config, Secrets> = {
  readonly name: string;
  readonly examples: SettingsExamples;
  readonly config: z.ZodType<Config>;
  readonly secrets: z.ZodType<Secrets>;
  /** Problems of settings that are each valid by themselves. */
  check?(account: AccountOf<Config, Secrets>): readonly string[];
  open(account: AccountOf<Config, Secrets>): CardGateway;
  /** How businesses add accounts themselves. They choose no address: secrets are sent to the operator's gateway only. */
  readonly ofBusiness?: {
    /** What of the config they give. */
    readonly config: z.ZodType<Partial<Config>>;
    /** The rest of it, or what is wrong with the secrets for this operator. */
    rest(secrets: Secrets, operator: Config): Result<Partial<Config>, readonly string[]>;
  };
};

type AccountOf<Config, Secrets> = Pick<StoredAccount, 'merchantId' | 'callbackUrl'> & {
  readonly config: Config;
  readonly secrets: Secrets;
};

/** Declares an adapter: its settings are validated, and it never receives an invalid amount. */
export function gatewayAdapter<Config, Secrets>(definition: AdapterDefinition<Config, Secrets>): GatewayAdapter {
  return {
    name: definition.name,
    examples: definition.examples,
    ...(definition.ofBusiness && { completeConfig: completing(definition, definition.ofBusiness) }),
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

function completing<Config, Secrets>(
  definition: Pick<AdapterDefinition<Config, Secrets>, 'config' | 'secrets'>,
  ofBusiness: NonNullable<AdapterDefinition<Config, Secrets>['ofBusiness']>,
) {
  return (given: GivenByBusiness, operatorConfig: unknown): Result<object, readonly string[]> => {
    const config = ofBusiness.config.safeParse(given.config, { error: messageOf });
    const secrets = definition.secrets.safeParse(given.secrets, { error: messageOf });
    if (!config.success || !secrets.success)
      return err([...problemsOf('config', config.error), ...problemsOf('secrets', secrets.error)]);
    const rest = ofBusiness.rest(secrets.data, definition.config.parse(operatorConfig));
    return rest.ok ? ok({ ...rest.value, ...config.data }) : rest;
  };
}

function problemsOf(part: string, error: z.ZodError | undefined): string[] {
  return (error?.issues ?? []).map(({ path, message }) => `${[part, ...path].join('.')}: ${message}`);
}
