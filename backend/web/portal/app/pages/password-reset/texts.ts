import { texts } from '../../words/texts.ts';

export const passwordResetTexts = texts({
  en: {
    forgotten: 'Password forgotten',
    about: 'We send a link to choose a new password to the address of your account.',
    send: 'Send the link',
    sent: 'Look in your mailbox',
    sentWhy: (email: string) =>
      `If ${email} is the address of an account, a link is on its way there. It works once, for an hour.`,
    back: 'Back to the sign-in',
    title: 'Choose a new password',
    effect: 'It signs you out everywhere. A second step stays as it is.',
    change: 'Change the password',
    gone: 'This link is not valid any more',
    goneWhy: 'It works once, for an hour.',
    again: 'Send a new link',
  },
  de: {
    forgotten: 'Passwort vergessen',
    about: 'Wir senden einen Link, mit dem Sie ein neues Passwort wählen, an die Adresse Ihres Kontos.',
    send: 'Link senden',
    sent: 'Sehen Sie in Ihr Postfach',
    sentWhy: email =>
      `Wenn ${email} die Adresse eines Kontos ist, ist ein Link dorthin unterwegs. Er gilt einmal, eine Stunde lang.`,
    back: 'Zurück zur Anmeldung',
    title: 'Neues Passwort wählen',
    effect: 'Es meldet Sie überall ab. Ein zweiter Schritt bleibt, wie er ist.',
    change: 'Passwort ändern',
    gone: 'Dieser Link gilt nicht mehr',
    goneWhy: 'Er gilt einmal, eine Stunde lang.',
    again: 'Neuen Link senden',
  },
});
