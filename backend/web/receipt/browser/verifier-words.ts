import type { InCustomerLanguages } from '@florin/shared/languages.ts';

const en = {
  title: 'Check a signed receipt',
  about: (issuer: string) =>
    `This page checks the signature itself, and asks ${issuer} for the keys of the business and whether the receipt has changed since. You can save the page: without a network it uses keys that you saved.`,
  file: 'Signed receipt (a file, or its text)',
  text: 'Text of the signed receipt',
  keys: 'Saved keys of the business',
  offline: 'Check without a network',
  keysFrom: (address: string) =>
    `Save them beforehand from ${address}. Keys from whoever gave you the receipt prove nothing.`,
  checking: 'Checking…',
  notReached: (issuer: string): readonly string[] => [
    'Not checked.',
    `${issuer} did not answer. Try again, or check without a network, with saved keys of the business.`,
  ],
  notJson: 'This is not a complete signed receipt or key list: something is missing or was cut off.',
  unsupported:
    'This browser cannot check Ed25519 signatures. Use a current one, or the command npm run receipt -- verify.',
};

type VerifierWords = typeof en;

const de: VerifierWords = {
  title: 'Signierten Beleg prüfen',
  about: issuer =>
    `Diese Seite prüft die Signatur selbst und fragt ${issuer} nach den Schlüsseln des Unternehmens und danach, ob sich der Beleg seitdem geändert hat. Sie können die Seite speichern: Ohne Netz verwendet sie Schlüssel, die Sie gespeichert haben.`,
  file: 'Signierter Beleg (eine Datei oder ihr Text)',
  text: 'Text des signierten Belegs',
  keys: 'Gespeicherte Schlüssel des Unternehmens',
  offline: 'Ohne Netz prüfen',
  keysFrom: address =>
    `Speichern Sie sie vorher von ${address}. Schlüssel von der Person, die Ihnen den Beleg gab, beweisen nichts.`,
  checking: 'Wird geprüft …',
  notReached: issuer => [
    'Nicht geprüft.',
    `${issuer} hat nicht geantwortet. Versuchen Sie es noch einmal, oder prüfen Sie ohne Netz mit gespeicherten Schlüsseln des Unternehmens.`,
  ],
  notJson:
    'Das ist kein vollständiger Beleg oder keine vollständige Schlüsselliste: Etwas fehlt oder wurde abgeschnitten.',
  unsupported:
    'Dieser Browser kann Ed25519-Signaturen nicht prüfen. Verwenden Sie einen aktuellen oder den Befehl npm run receipt -- verify.',
};

const fr: VerifierWords = {
  title: 'Vérifier un reçu signé',
  about: issuer =>
    `Cette page vérifie la signature elle-même, et demande à ${issuer} les clés de l’entreprise et si le reçu a changé depuis. Vous pouvez enregistrer la page\u00a0: sans réseau, elle utilise les clés que vous avez enregistrées.`,
  file: 'Reçu signé (un fichier ou son texte)',
  text: 'Texte du reçu signé',
  keys: 'Clés enregistrées de l’entreprise',
  offline: 'Vérifier sans réseau',
  keysFrom: address =>
    `Enregistrez-les au préalable depuis ${address}. Les clés remises par la personne qui vous a donné le reçu ne prouvent rien.`,
  checking: 'Vérification…',
  notReached: issuer => [
    'Non vérifié.',
    `${issuer} n’a pas répondu. Réessayez, ou vérifiez sans réseau avec des clés enregistrées de l’entreprise.`,
  ],
  notJson: 'Ce n’est pas un reçu signé ou une liste de clés complets\u00a0: il manque quelque chose.',
  unsupported:
    'Ce navigateur ne peut pas vérifier les signatures Ed25519. Utilisez-en un récent, ou la commande npm run receipt -- verify.',
};

const es: VerifierWords = {
  title: 'Comprobar un recibo firmado',
  about: issuer =>
    `Esta página comprueba la firma por sí misma, y pregunta a ${issuer} por las claves de la empresa y si el recibo ha cambiado desde entonces. Puede guardar la página: sin conexión usa las claves que haya guardado.`,
  file: 'Recibo firmado (un archivo o su texto)',
  text: 'Texto del recibo firmado',
  keys: 'Claves guardadas de la empresa',
  offline: 'Comprobar sin conexión',
  keysFrom: address => `Guárdelas de antemano desde ${address}. Las claves de quien le dio el recibo no prueban nada.`,
  checking: 'Comprobando…',
  notReached: issuer => [
    'No comprobado.',
    `${issuer} no ha respondido. Inténtelo de nuevo, o compruébelo sin conexión con claves guardadas de la empresa.`,
  ],
  notJson: 'No es un recibo firmado o una lista de claves completos: falta algo o se ha cortado.',
  unsupported:
    'Este navegador no puede comprobar firmas Ed25519. Use uno actual o el comando npm run receipt -- verify.',
};

/** The words of the page that checks signed receipts. */
export const verifierWords: InCustomerLanguages<VerifierWords> = { en, de, fr, es };
