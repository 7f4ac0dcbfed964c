import type { InLanguages } from '@florin/shared/languages.ts';

const en = {
  title: 'Check a signed receipt',
  about:
    'Nothing is sent anywhere: this page checks the file by itself. You can save the page and use it without a network.',
  file: 'Signed receipt (a file, or its text)',
  text: 'Text of the signed receipt',
  keys: 'Keys of the business',
  fetch: 'Get the keys from the service that issued it',
  from: (address: string) =>
    `Keys from ${address}. Make sure that this is an address of the business or of its payment service.`,
  notFetched: (address: string) =>
    `The keys could not be loaded. Open ${address}, and paste what it shows into the field above.`,
  notJson: 'This is not a complete signed receipt or key list: something is missing or was cut off.',
  unsupported:
    'This browser cannot check Ed25519 signatures. Use a current one, or the command npm run receipt -- verify.',
};

type VerifierWords = typeof en;

const de: VerifierWords = {
  title: 'Unterschriebenen Beleg prüfen',
  about:
    'Es wird nichts gesendet: Diese Seite prüft die Datei selbst. Sie können die Seite speichern und ohne Netz verwenden.',
  file: 'Unterschriebener Beleg (eine Datei oder ihr Text)',
  text: 'Text des unterschriebenen Belegs',
  keys: 'Schlüssel des Unternehmens',
  fetch: 'Schlüssel von dem Dienst laden, der den Beleg ausgestellt hat',
  from: address =>
    `Schlüssel von ${address}. Prüfen Sie, dass diese Adresse dem Unternehmen oder seinem Zahlungsdienst gehört.`,
  notFetched: address =>
    `Die Schlüssel konnten nicht geladen werden. Öffnen Sie ${address} und fügen Sie den Inhalt in das Feld oben ein.`,
  notJson:
    'Das ist kein vollständiger Beleg oder keine vollständige Schlüsselliste: Etwas fehlt oder wurde abgeschnitten.',
  unsupported:
    'Dieser Browser kann Ed25519-Unterschriften nicht prüfen. Verwenden Sie einen aktuellen oder den Befehl npm run receipt -- verify.',
};

/** The words of the page that checks signed receipts. */
export const verifierWords: InLanguages<VerifierWords> = { en, de };
