/** The test account of this repository's sandbox. Everybody can read it: it counts on this machine only. */
export const sandboxAccount = {
  merchantId: '100001',
  signature: 'Circle4Take40Idea',
  reportingUser: 'portal-100001',
  reportingPassword: 'portal-password-100001',
  cardPresent: 'card-present-100001',
} as const;

/** What anybody can read here or in the gateway's documentation: worth nothing as a secret. */
export const publicSecrets: ReadonlySet<string> = new Set([
  ...Object.values(sandboxAccount),
  '100856',
  '100002',
  'DontTellAnyone',
]);
