import type { AccountWords } from './account-words.ts';

export const german: AccountWords = {
  browser: { unknown: 'Unbekannter Browser', on: (browser, system) => `${browser} unter ${system}` },
  passwordReset: url => ({
    subject: 'Neues Passwort wählen',
    paragraphs: [
      'Jemand, vermutlich Sie selbst, hat ein neues Passwort für Ihr Konto verlangt. Der Link gilt einmal, eine Stunde lang.',
      'Wenn Sie es nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.',
    ],
    action: { label: 'Neues Passwort wählen', url },
  }),
  newDevice: ({ browser, address, at, url }) => ({
    subject: 'Neue Anmeldung bei Ihrem Konto',
    paragraphs: [
      'Ihr Konto wurde mit einem Browser verwendet, den wir noch nicht kannten:',
      {
        rows: [
          ['Browser', browser],
          ['Adresse', address],
          ['Zeit', at],
        ],
      },
      'Wenn Sie es nicht waren, beenden Sie diese Sitzung, und ändern Sie Ihr Passwort.',
    ],
    action: { label: 'Sitzungen ansehen', url },
  }),
  securityChange: (what, url) => ({
    subject: 'Ihre Anmeldung wurde geändert',
    paragraphs: [
      what,
      'Wenn Sie es nicht waren, ändern Sie sofort Ihr Passwort, und bitten Sie einen Inhaber Ihres Geschäfts um Hilfe.',
    ],
    action: { label: 'Konto ansehen', url },
  }),
  changes: {
    password: () => 'Ihr Passwort wurde geändert.',
    password_reset: () => 'Ihr Passwort wurde mit einem Link geändert, der an Sie gesendet wurde.',
    totp_added: () => 'Ihrem Konto wurde eine Authentifizierungs-App hinzugefügt.',
    totp_removed: () => 'Die Authentifizierungs-App wurde von Ihrem Konto entfernt.',
    passkey_added: name => `Ihrem Konto wurde der Passkey „${name}“ hinzugefügt.`,
    passkey_removed: () => 'Ein Passkey wurde von Ihrem Konto entfernt.',
    recovery_codes: () => 'Die Wiederherstellungscodes Ihres Kontos wurden ersetzt.',
  },
  invitation: ({ business, role, url }) => ({
    subject: `Sie sind zu ${business} eingeladen`,
    paragraphs: [
      `${business} lädt Sie in sein Portal ein, mit der Rolle ${role}.`,
      'Der Link gilt einmal, 72 Stunden lang, und nur für diese Adresse.',
    ],
    action: { label: 'Einladung annehmen', url },
  }),
};
