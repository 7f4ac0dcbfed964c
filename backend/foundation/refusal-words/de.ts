import { germanIssues } from './de-issues.ts';
import { germanReasons } from './de-reasons.ts';
import type { RefusalWords } from './refusal-words.ts';

export const german: RefusalWords = {
  reasons: germanReasons,
  statuses: {
    400: 'Diese Angaben passen nicht',
    401: 'Melden Sie sich zuerst an',
    403: 'Das ist hier nicht erlaubt',
    404: 'Das gibt es hier nicht',
    405: 'Das ist an dieser Adresse nicht möglich',
    413: 'Das ist zu viel auf einmal',
    429: 'Zu viele Anfragen: Versuchen Sie es in einigen Sekunden erneut',
    500: 'Auf unserer Seite ist etwas schiefgegangen',
    503: 'Der Dienst ist gerade nicht erreichbar: Versuchen Sie es in einigen Sekunden erneut',
  },
  missingPermissions: codes => `Ihrer Rolle fehlt: ${codes.join(', ')}`,
  issues: germanIssues,
  invalid: 'ist nicht gültig',
};
