import { texts } from '../../words/texts.ts';

export const invitationTexts = texts({
  en: {
    title: 'Accept the invitation',
    invites: (business: string, role: string) => `${business} invites you to its portal, with the role ${role}.`,
    name: 'Your name',
    known: 'You have an account with this address: give its password.',
    accept: 'Accept',
    gone: 'This invitation is not valid any more',
    goneWhy: 'It works once, for 72 hours. Ask whoever invited you for a new one.',
    wrong: 'This is not the password of your account.',
  },
  de: {
    title: 'Einladung annehmen',
    invites: (business, role) => `${business} lädt Sie in sein Portal ein, mit der Rolle ${role}.`,
    name: 'Ihr Name',
    known: 'Sie haben mit dieser Adresse schon ein Konto: Geben Sie sein Passwort ein.',
    accept: 'Annehmen',
    gone: 'Diese Einladung gilt nicht mehr',
    goneWhy: 'Sie gilt einmal, 72 Stunden lang. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
    wrong: 'Das ist nicht das Passwort Ihres Kontos.',
  },
});
