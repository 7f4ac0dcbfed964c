/** A merchant account of the sandbox. The first two use the sample secret of the public SDKs. */
export type MerchantAccount = {
  readonly merchantID: string;
  /** The shop's name on the confirmation page of the customer's bank. */
  readonly name: string;
  readonly secret: string;
  /** ISO 3166 number, used if a request names no country. */
  readonly countryCode: string;
  readonly cardPresentSecret: string;
  readonly portalUser: string;
  readonly portalPassword: string;
  /** How long an identical request counts as a duplicate; the gateway's default is 300. */
  readonly duplicateDelaySeconds: number;
};

export const sandboxAccounts: readonly MerchantAccount[] = [
  account('100001', 'Harbour Street Coffee', 'Circle4Take40Idea'),
  account('100856', 'Second Sandbox Shop', 'Circle4Take40Idea'),
  account('100002', 'Third Sandbox Shop', 'DontTellAnyone'),
];

function account(merchantID: string, name: string, secret: string): MerchantAccount {
  return {
    merchantID,
    name,
    secret,
    countryCode: '826',
    cardPresentSecret: `card-present-${merchantID}`,
    portalUser: `portal-${merchantID}`,
    portalPassword: `portal-password-${merchantID}`,
    duplicateDelaySeconds: 300,
  };
}
