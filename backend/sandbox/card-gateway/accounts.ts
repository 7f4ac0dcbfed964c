/** A merchant account of the sandbox. The first two answer to the secret that the public SDKs ship as their sample. */
export type MerchantAccount = {
  readonly merchantID: string;
  readonly secret: string;
  /** ISO 3166 number, used where a request names no country. */
  readonly countryCode: string;
  readonly cardPresentSecret: string;
  readonly portalUser: string;
  readonly portalPassword: string;
  /** How long an equal request counts as a repeat; the gateway's default is 300. */
  readonly duplicateDelaySeconds: number;
};

export const sandboxAccounts: readonly MerchantAccount[] = [
  account('100001', 'Circle4Take40Idea'),
  account('100856', 'Circle4Take40Idea'),
  account('100002', 'DontTellAnyone'),
];

function account(merchantID: string, secret: string): MerchantAccount {
  return {
    merchantID,
    secret,
    countryCode: '826',
    cardPresentSecret: `card-present-${merchantID}`,
    portalUser: `portal-${merchantID}`,
    portalPassword: `portal-password-${merchantID}`,
    duplicateDelaySeconds: 300,
  };
}
