import type { InCustomerLanguages } from '@florin/shared/languages.ts';

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
  title: 'Signierten Beleg prüfen',
  about:
    'Es wird nichts gesendet: Diese Seite prüft die Datei selbst. Sie können die Seite speichern und ohne Netz verwenden.',
  file: 'Signierter Beleg (eine Datei oder ihr Text)',
  text: 'Text des signierten Belegs',
  keys: 'Schlüssel des Unternehmens',
  fetch: 'Schlüssel von dem Dienst laden, der den Beleg ausgestellt hat',
  from: address =>
    `Schlüssel von ${address}. Prüfen Sie, dass diese Adresse dem Unternehmen oder seinem Zahlungsdienst gehört.`,
  notFetched: address =>
    `Die Schlüssel konnten nicht geladen werden. Öffnen Sie ${address} und fügen Sie den Inhalt in das Feld oben ein.`,
  notJson:
    'Das ist kein vollständiger Beleg oder keine vollständige Schlüsselliste: Etwas fehlt oder wurde abgeschnitten.',
  unsupported:
    'Dieser Browser kann Ed25519-Signaturen nicht prüfen. Verwenden Sie einen aktuellen oder den Befehl npm run receipt -- verify.',
};

const fr: VerifierWords = {
  title: 'Vérifier un reçu signé',
  about:
    'Rien n’est envoyé\u00a0: cette page vérifie le fichier elle-même. Vous pouvez enregistrer la page et l’utiliser sans réseau.',
  file: 'Reçu signé (un fichier ou son texte)',
  text: 'Texte du reçu signé',
  keys: 'Clés de l’entreprise',
  fetch: 'Obtenir les clés du service qui l’a émis',
  from: address =>
    `Clés de ${address}. Vérifiez que cette adresse est bien celle de l’entreprise ou de son service de paiement.`,
  notFetched: address =>
    `Les clés n’ont pas pu être chargées. Ouvrez ${address} et collez le contenu dans le champ ci-dessus.`,
  notJson: 'Ce n’est pas un reçu signé ou une liste de clés complets\u00a0: il manque quelque chose.',
  unsupported:
    'Ce navigateur ne peut pas vérifier les signatures Ed25519. Utilisez-en un récent, ou la commande npm run receipt -- verify.',
};

const es: VerifierWords = {
  title: 'Comprobar un recibo firmado',
  about:
    'No se envía nada: esta página comprueba el archivo por sí misma. Puede guardar la página y usarla sin conexión.',
  file: 'Recibo firmado (un archivo o su texto)',
  text: 'Texto del recibo firmado',
  keys: 'Claves de la empresa',
  fetch: 'Obtener las claves del servicio que lo emitió',
  from: address => `Claves de ${address}. Asegúrese de que esta dirección es de la empresa o de su servicio de pagos.`,
  notFetched: address =>
    `No se han podido cargar las claves. Abra ${address} y pegue su contenido en el campo de arriba.`,
  notJson: 'No es un recibo firmado o una lista de claves completos: falta algo o se ha cortado.',
  unsupported:
    'Este navegador no puede comprobar firmas Ed25519. Use uno actual o el comando npm run receipt -- verify.',
};

/** The words of the page that checks signed receipts. */
export const verifierWords: InCustomerLanguages<VerifierWords> = { en, de, fr, es };
