import type { AccountWords } from './account-words.ts';

export const english: AccountWords = {
  browser: { unknown: 'Unknown browser', on: (browser, system) => `${browser} on ${system}` },
  passwordReset: url => ({
    subject: 'Choose a new password',
    paragraphs: [
      'Somebody, most likely you, asked for a new password for your account. The link works once, for an hour.',
      'If it was not you, ignore this e-mail: your password stays as it is.',
    ],
    action: { label: 'Choose a new password', url },
  }),
  newDevice: ({ browser, address, at, url }) => ({
    subject: 'New sign-in to your account',
    paragraphs: [
      'Your account was used from a browser that we have not seen before:',
      {
        rows: [
          ['Browser', browser],
          ['Address', address],
          ['Time', at],
        ],
      },
      'If it was not you, end that session and change your password.',
    ],
    action: { label: 'Review your sessions', url },
  }),
  securityChange: (what, url) => ({
    subject: 'Your sign-in was changed',
    paragraphs: [what, 'If it was not you, change your password at once and ask an owner of your business for help.'],
    action: { label: 'Review your account', url },
  }),
  changes: {
    password: () => 'Your password was changed.',
    password_reset: () => 'Your password was changed with a link sent to you.',
    totp_added: () => 'An authenticator app was added to your account.',
    totp_removed: () => 'The authenticator app was removed from your account.',
    passkey_added: name => `The passkey “${name}” was added to your account.`,
    passkey_removed: () => 'A passkey was removed from your account.',
    recovery_codes: () => 'The recovery codes of your account were replaced.',
  },
  invitation: ({ business, role, url }) => ({
    subject: `You are invited to ${business}`,
    paragraphs: [
      `${business} invites you to its portal, with the role ${role}.`,
      'The link works once, for 72 hours, and for this address only.',
    ],
    action: { label: 'Accept the invitation', url },
  }),
};
