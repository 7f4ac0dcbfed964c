import type { Timers } from '@florin/shared/ports.ts';
import { err, ok } from '@florin/shared/result.ts';
import { z } from 'zod';
import { type GatewayAdapter, gatewayAdapter } from '../adapter.ts';
import { addressProblem } from '../address.ts';
import { wallets } from '../gateway.ts';
import { cardstreamGateway } from './gateway.ts';
import { baseUrlOf, secretProblem } from './settings.ts';

const address = z.string().superRefine((text, context) => {
  const problem = addressProblem(text);
  if (problem) context.addIssue(problem);
});

const config = z.strictObject({
  url: address.transform(baseUrlOf),
  countryCode: z.string().regex(/^([A-Z]{2,3}|\d{3})$/, { error: 'must be an ISO 3166 country, such as GB or 826' }),
  reportingUser: z.string().min(1).optional(),
  cardPresentUrl: address.optional(),
  cardFieldsUrl: address.optional(),
  wallets: z.array(z.enum(wallets)).optional(),
});

const secrets = z.strictObject({
  /** Signs requests, replies and callbacks. */
  signature: z.string().min(1),
  reportingPassword: z.string().min(1).optional(),
  cardPresent: z.string().min(1).optional(),
});

/**
 * Cardstream's Direct interface; the portal user enables lookups by unique reference, `cardPresent` enables terminals.
 */
export function cardstreamAdapter(ports: { readonly timers: Timers; readonly timeoutMs: number }): GatewayAdapter {
  return gatewayAdapter({
    name: 'cardstream',
    examples: {
      config: { url: 'https://gateway.example.com', countryCode: 'GB' },
      secrets: { signature: 'the signature key of the account' },
    },
    config,
    secrets,
    check: ({
      merchantId,
      config: { url, reportingUser, cardPresentUrl },
      secrets: { cardPresent, ...accountSecrets },
    }) => [
      ...pair('config.reportingUser', reportingUser, 'secrets.reportingPassword', accountSecrets.reportingPassword),
      ...pair('config.cardPresentUrl', cardPresentUrl, 'secrets.cardPresent', cardPresent),
      ...publicSecretsIn(url, {
        merchantId,
        'config.reportingUser': reportingUser,
        'secrets.signature': accountSecrets.signature,
        'secrets.reportingPassword': accountSecrets.reportingPassword,
      }),
      ...publicSecretsIn(cardPresentUrl, { 'secrets.cardPresent': cardPresent }),
    ],
    ofBusiness: {
      config: config.pick({ countryCode: true, reportingUser: true }),
      rest({ cardPresent }, { url, cardPresentUrl, cardFieldsUrl, wallets: taken }) {
        if (cardPresent !== undefined && cardPresentUrl === undefined)
          return err(['secrets.cardPresent: must be left out, as this service takes no cards at terminals']);
        return ok({
          url,
          ...(cardPresent !== undefined && cardPresentUrl !== undefined && { cardPresentUrl }),
          ...(cardFieldsUrl !== undefined && { cardFieldsUrl }),
          ...(taken && { wallets: taken }),
        });
      },
    },
    open({
      merchantId,
      callbackUrl,
      config: { url, countryCode, reportingUser, cardPresentUrl, ...page },
      secrets: given,
    }) {
      const { signature, reportingPassword, cardPresent } = given;
      return cardstreamGateway({
        ...ports,
        directUrl: `${url}/direct/`,
        merchantId,
        secret: signature,
        countryCode,
        callbackUrl,
        ...(reportingUser === undefined || reportingPassword === undefined
          ? {}
          : { reporting: { url: `${url}/rest/transactions`, user: reportingUser, password: reportingPassword } }),
        ...(cardPresentUrl === undefined || cardPresent === undefined
          ? {}
          : { cardPresent: { url: cardPresentUrl, secret: cardPresent } }),
        ...(page.cardFieldsUrl !== undefined && {
          cardFields: { url: page.cardFieldsUrl, wallets: page.wallets ?? [] },
        }),
      });
    },
  });
}

/** Two settings that are only valid together. */
function pair(one: string, value: string | undefined, other: string, otherValue: string | undefined): string[] {
  if ((value === undefined) === (otherValue === undefined)) return [];
  return [value === undefined ? `${one}: is required with ${other}` : `${other}: is required with ${one}`];
}

function publicSecretsIn(url: string | undefined, given: Readonly<Record<string, string | undefined>>): string[] {
  if (url === undefined) return [];
  return Object.entries(given).flatMap(([name, secret]) => {
    const problem = secret === undefined ? undefined : secretProblem({ url, secret });
    return problem === undefined ? [] : [`${name}: ${problem}`];
  });
}
