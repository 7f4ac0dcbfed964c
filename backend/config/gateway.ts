import { addressProblem, isLoopback } from '../gateways/address.ts';
import { baseUrlOf, secretProblem } from '../gateways/cardstream/settings.ts';
import { sandboxAccount } from '../gateways/cardstream/test-account.ts';
import { type CardFields, type Wallet, wallets } from '../gateways/gateway.ts';

/** The card gateway's settings as given; undefined if not set. */
export type GivenGateway = {
  readonly GATEWAY_URL?: string | undefined;
  readonly GATEWAY_MERCHANT_ID?: string | undefined;
  readonly GATEWAY_SECRET?: string | undefined;
  readonly GATEWAY_REPORTING_USER?: string | undefined;
  readonly GATEWAY_REPORTING_PASSWORD?: string | undefined;
  readonly GATEWAY_CARD_PRESENT_URL?: string | undefined;
  readonly GATEWAY_CARD_PRESENT_SECRET?: string | undefined;
  readonly GATEWAY_CARD_FIELDS_URL?: string | undefined;
  readonly GATEWAY_WALLETS?: readonly Wallet[] | undefined;
};

export type GatewayAccount = {
  /** Without a trailing slash and without the path of its Direct interface. */
  readonly url: string;
  readonly merchantId: string;
  readonly secret: string;
  readonly reporting?: { readonly user: string; readonly password: string };
  readonly cardPresent?: { readonly url: string; readonly secret: string };
  readonly cardFields?: CardFields;
};

const sandbox = {
  GATEWAY_MERCHANT_ID: sandboxAccount.merchantId,
  GATEWAY_SECRET: sandboxAccount.signature,
  GATEWAY_REPORTING_USER: sandboxAccount.reportingUser,
  GATEWAY_REPORTING_PASSWORD: sandboxAccount.reportingPassword,
  GATEWAY_CARD_PRESENT_SECRET: sandboxAccount.cardPresent,
} as const;
const sandboxUrl = 'http://127.0.0.1:4103';

/** The account to use, or one line per invalid setting. */
export function gatewayAccount(given: GivenGateway): { account: GatewayAccount } | { problems: readonly string[] } {
  const problems: string[] = [];
  const url = baseUrlOf(addressOf('GATEWAY_URL', given.GATEWAY_URL ?? sandboxUrl, problems));
  const isSandbox = isLoopback(url);
  const cardPresentUrl = given.GATEWAY_CARD_PRESENT_URL ?? (isSandbox ? `${url}/card-present` : undefined);
  if (cardPresentUrl !== undefined) addressOf('GATEWAY_CARD_PRESENT_URL', cardPresentUrl, problems);

  const cardFieldsUrl = given.GATEWAY_CARD_FIELDS_URL ?? (isSandbox ? `${url}/card-fields` : undefined);
  if (cardFieldsUrl !== undefined) addressOf('GATEWAY_CARD_FIELDS_URL', cardFieldsUrl, problems);

  function requiredValue(name: keyof typeof sandbox, at: string): string {
    const secret = given[name] ?? (isLoopback(at) ? sandbox[name] : undefined);
    const problem =
      secret === undefined
        ? 'is required: ask the gateway for it, whose address is GATEWAY_URL'
        : secretProblem({ url: at, secret });
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
    return secret ?? '';
  }

  const hasReport = isSandbox || (given.GATEWAY_REPORTING_USER ?? given.GATEWAY_REPORTING_PASSWORD) !== undefined;
  const account: GatewayAccount = {
    url,
    merchantId: requiredValue('GATEWAY_MERCHANT_ID', url),
    secret: requiredValue('GATEWAY_SECRET', url),
    ...(hasReport && {
      reporting: {
        user: requiredValue('GATEWAY_REPORTING_USER', url),
        password: requiredValue('GATEWAY_REPORTING_PASSWORD', url),
      },
    }),
    ...(cardPresentUrl !== undefined && {
      cardPresent: {
        url: cardPresentUrl,
        secret: requiredValue('GATEWAY_CARD_PRESENT_SECRET', cardPresentUrl),
      },
    }),
    ...(cardFieldsUrl !== undefined && {
      cardFields: {
        url: cardFieldsUrl,
        wallets: given.GATEWAY_WALLETS?.length ? given.GATEWAY_WALLETS : isSandbox ? wallets : [],
      },
    }),
  };
  return problems.length === 0 ? { account } : { problems };
}

function addressOf(name: keyof GivenGateway, address: string, problems: string[]): string {
  const problem = addressProblem(address);
  if (problem !== undefined) problems.push(`${name}: ${problem}`);
  return address;
}
