import type { CustomerLanguage, InCustomerLanguages } from '../languages.ts';
import type { ReceiptVerdict } from './verdict.ts';

export type VerdictWords = {
  readonly [Kind in ReceiptVerdict['kind']]: (
    verdict: Extract<ReceiptVerdict, { kind: Kind }>,
    formatted: { readonly at: (time: string) => string },
  ) => readonly string[];
};

const en: VerdictWords = {
  valid: ({ document, signer }, { at }) => [
    'Valid.',
    `Signed by ${signer} (${document.business.id}) on ${at(document.issuedAt)}. Nothing was changed since.`,
    `It says what was the case then. Later voids and refunds are not in it; the receipt as it is now: ${document.url}`,
  ],
  not_a_receipt: () => ['Not valid.', 'This file is not a signed receipt.'],
  not_keys: () => ['Not checked.', 'This is not a list of receipt keys.'],
  other_business: ({ businessId, signer }) => [
    'Not valid.',
    `The receipt names the business ${businessId}, and these keys are those of ${signer}, another business.`,
  ],
  unknown_key: ({ keyId, signer }) => [
    'Not valid.',
    `It was not signed with a key of ${signer}: ${keyId} is not in its list. If the list was saved long ago, use the current one.`,
  ],
  key_not_in_use: ({ keyId, issuedAt }, { at }) => [
    'Not valid.',
    `It is dated ${at(issuedAt)}, when the key ${keyId} was not in use.`,
  ],
  altered: () => ['Not valid.', 'It was changed after it was signed, or was never signed by this business.'],
  from_the_future: ({ issuedAt }, { at }) => ['Not valid.', `It is dated ${at(issuedAt)}, which has not come yet.`],
};

const de: VerdictWords = {
  valid: ({ document, signer }, { at }) => [
    'Gültig.',
    `Signiert von ${signer} (${document.business.id}) am ${at(document.issuedAt)}. Seitdem wurde nichts geändert.`,
    `Der Beleg sagt, was zu diesem Zeitpunkt galt. Spätere Stornierungen und Erstattungen stehen nicht darin; der aktuelle Beleg: ${document.url}`,
  ],
  not_a_receipt: () => ['Nicht gültig.', 'Diese Datei ist kein unterschriebener Beleg.'],
  not_keys: () => ['Nicht geprüft.', 'Das ist keine Liste von Belegschlüsseln.'],
  other_business: ({ businessId, signer }) => [
    'Nicht gültig.',
    `Der Beleg nennt das Unternehmen ${businessId}; diese Schlüssel gehören ${signer}, einem anderen Unternehmen.`,
  ],
  unknown_key: ({ keyId, signer }) => [
    'Nicht gültig.',
    `Der Beleg wurde nicht mit einem Schlüssel von ${signer} unterschrieben: ${keyId} steht nicht in der Liste. Wurde die Liste vor langer Zeit gespeichert, verwenden Sie die aktuelle.`,
  ],
  key_not_in_use: ({ keyId, issuedAt }, { at }) => [
    'Nicht gültig.',
    `Der Beleg trägt das Datum ${at(issuedAt)}; da war der Schlüssel ${keyId} nicht in Gebrauch.`,
  ],
  altered: () => [
    'Nicht gültig.',
    'Der Beleg wurde nach der Signatur geändert oder nie von diesem Unternehmen signiert.',
  ],
  from_the_future: ({ issuedAt }, { at }) => [
    'Nicht gültig.',
    `Der Beleg trägt das Datum ${at(issuedAt)}, das noch nicht gekommen ist.`,
  ],
};

const fr: VerdictWords = {
  valid: ({ document, signer }, { at }) => [
    'Valable.',
    `Signé par ${signer} (${document.business.id}) le ${at(document.issuedAt)}. Rien n’a été modifié depuis.`,
    `Il indique la situation à ce moment-là. Les annulations et remboursements ultérieurs n’y figurent pas\u00a0; le reçu actuel\u00a0: ${document.url}`,
  ],
  not_a_receipt: () => ['Non valable.', 'Ce fichier n’est pas un reçu signé.'],
  not_keys: () => ['Non vérifié.', 'Ce n’est pas une liste de clés de reçus.'],
  other_business: ({ businessId, signer }) => [
    'Non valable.',
    `Le reçu désigne l’entreprise ${businessId}, et ces clés sont celles de ${signer}, une autre entreprise.`,
  ],
  unknown_key: ({ keyId, signer }) => [
    'Non valable.',
    `Il n’a pas été signé avec une clé de ${signer}\u00a0: ${keyId} n’est pas dans sa liste. Si la liste a été enregistrée il y a longtemps, utilisez la liste actuelle.`,
  ],
  key_not_in_use: ({ keyId, issuedAt }, { at }) => [
    'Non valable.',
    `Il est daté du ${at(issuedAt)}, quand la clé ${keyId} n’était pas utilisée.`,
  ],
  altered: () => ['Non valable.', 'Il a été modifié après sa signature, ou n’a jamais été signé par cette entreprise.'],
  from_the_future: ({ issuedAt }, { at }) => [
    'Non valable.',
    `Il est daté du ${at(issuedAt)}, un moment qui n’est pas encore arrivé.`,
  ],
};

const es: VerdictWords = {
  valid: ({ document, signer }, { at }) => [
    'Válido.',
    `Firmado por ${signer} (${document.business.id}) el ${at(document.issuedAt)}. No se ha modificado nada desde entonces.`,
    `Indica la situación en ese momento. No incluye anulaciones ni devoluciones posteriores; el recibo actual: ${document.url}`,
  ],
  not_a_receipt: () => ['No válido.', 'Este archivo no es un recibo firmado.'],
  not_keys: () => ['No comprobado.', 'Esto no es una lista de claves de recibos.'],
  other_business: ({ businessId, signer }) => [
    'No válido.',
    `El recibo nombra a la empresa ${businessId}, y estas claves son de ${signer}, otra empresa.`,
  ],
  unknown_key: ({ keyId, signer }) => [
    'No válido.',
    `No se firmó con una clave de ${signer}: ${keyId} no está en su lista. Si la lista se guardó hace mucho tiempo, use la actual.`,
  ],
  key_not_in_use: ({ keyId, issuedAt }, { at }) => [
    'No válido.',
    `Tiene fecha del ${at(issuedAt)}, cuando la clave ${keyId} no estaba en uso.`,
  ],
  altered: () => ['No válido.', 'Se modificó después de firmarse, o esta empresa nunca lo firmó.'],
  from_the_future: ({ issuedAt }, { at }) => [
    'No válido.',
    `Tiene fecha del ${at(issuedAt)}, un momento que aún no ha llegado.`,
  ],
};

const words: InCustomerLanguages<VerdictWords> = { en, de, fr, es };

/** What a check found: first whether the receipt is valid, then why. */
export function sentencesOf(
  verdict: ReceiptVerdict,
  { language, at }: { readonly language: CustomerLanguage; readonly at: (time: string) => string },
): readonly string[] {
  const write = words[language][verdict.kind] as (verdict: ReceiptVerdict, formatted: { at: typeof at }) => string[];
  return write(verdict, { at });
}
