/** The test account of this repository's sandbox. It is public, so it is accepted on this machine only. */
export const sandboxAccount = {
  merchantId: '100001',
  signature: 'Circle4Take40Idea',
  reportingUser: 'portal-100001',
  reportingPassword: 'portal-password-100001',
  cardPresent: 'card-present-100001',
} as const;

/** Secrets published here or in the gateway's documentation; refused elsewhere. */
export const publicSecrets: ReadonlySet<string> = new Set([
  ...Object.values(sandboxAccount),
  '100856',
  '100002',
  'DontTellAnyone',
]);
