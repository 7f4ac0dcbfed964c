import { texts } from '../words/texts.ts';

/** The words of the sign-in and of confirmations. */
export const signInTexts = texts({
  en: {
    title: 'Sign in',
    again: 'Sign in again',
    expired: 'Your session has ended. What you typed on this page is kept.',
    email: 'E-mail address',
    password: 'Password',
    shared: 'This is a shared computer',
    sharedWhy: 'Signs you out after 30 minutes without use.',
    submit: 'Sign in',
    limited: (minutes: number) =>
      minutes === 1
        ? 'Too many attempts. Try again in a minute.'
        : `Too many attempts. Try again in ${minutes} minutes.`,
    forgotten: 'Password forgotten?',
    second: 'One more step: show that it is you.',
    code: 'Code of your authenticator app',
    recoveryCode: 'Recovery code',
    useRecovery: 'Use a recovery code instead',
    useTotp: 'Use the authenticator app instead',
    refusals: {
      credentials_wrong: 'The e-mail address or the password is not right.',
      code_wrong: 'That code is not right, or was used already.',
      invalid: 'Please check the e-mail address.',
      sign_in_expired: 'That took more than ten minutes. Please enter your password again.',
    },
    passkeyWrong: 'This passkey was not accepted. Try again, or choose another way.',
    passkeyNotGiven: 'No passkey was used. Try again, or choose another way.',
    passkeyElsewhere: 'Your passkey cannot be used in this browser. Sign in with the one that has it.',
    unreachable: 'The service cannot be reached. Please try again.',
    other: 'Back to the password',
    passkey: 'Use a passkey',
    stepUp: {
      title: 'Confirm that it is you',
      why: 'This needs your password. It is then not asked again for five minutes.',
      whyAny: 'This needs your password or a passkey. It is then not asked again for five minutes.',
      confirm: 'Confirm',
      wrong: 'That is not your password.',
    },
  },
  de: {
    title: 'Anmelden',
    again: 'Erneut anmelden',
    expired: 'Ihre Sitzung ist beendet. Was Sie auf dieser Seite eingegeben haben, bleibt erhalten.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    shared: 'Dies ist ein gemeinsam genutzter Computer',
    sharedWhy: 'Meldet Sie nach 30 Minuten ohne Nutzung ab.',
    submit: 'Anmelden',
    limited: minutes =>
      minutes === 1
        ? 'Zu viele Versuche. Versuchen Sie es in einer Minute erneut.'
        : `Zu viele Versuche. Versuchen Sie es in ${minutes} Minuten erneut.`,
    forgotten: 'Passwort vergessen?',
    second: 'Noch ein Schritt: Zeigen Sie, dass Sie es sind.',
    code: 'Code Ihrer Authentifizierungs-App',
    recoveryCode: 'Wiederherstellungscode',
    useRecovery: 'Stattdessen einen Wiederherstellungscode verwenden',
    useTotp: 'Stattdessen die Authentifizierungs-App verwenden',
    refusals: {
      credentials_wrong: 'Die E-Mail-Adresse oder das Passwort stimmt nicht.',
      code_wrong: 'Dieser Code stimmt nicht oder wurde schon verwendet.',
      invalid: 'Bitte prüfen Sie die E-Mail-Adresse.',
      sign_in_expired: 'Das hat länger als zehn Minuten gedauert. Bitte geben Sie Ihr Passwort noch einmal ein.',
    },
    passkeyWrong: 'Dieser Passkey wurde nicht angenommen. Versuchen Sie es erneut, oder wählen Sie einen anderen Weg.',
    passkeyNotGiven: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, oder wählen Sie einen anderen Weg.',
    passkeyElsewhere:
      'Ihr Passkey kann in diesem Browser nicht verwendet werden. Melden Sie sich mit dem an, der ihn hat.',
    unreachable: 'Der Dienst ist nicht erreichbar. Bitte versuchen Sie es erneut.',
    other: 'Zurück zum Passwort',
    passkey: 'Passkey verwenden',
    stepUp: {
      title: 'Bestätigen Sie, dass Sie es sind',
      why: 'Dafür braucht es Ihr Passwort. Danach wird fünf Minuten lang nicht erneut gefragt.',
      whyAny: 'Dafür braucht es Ihr Passwort oder einen Passkey. Danach wird fünf Minuten lang nicht erneut gefragt.',
      confirm: 'Bestätigen',
      wrong: 'Das ist nicht Ihr Passwort.',
    },
  },
});
