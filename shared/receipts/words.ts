import type { InLanguages, Language } from '../languages.ts';
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
    `Unterschrieben von ${signer} (${document.business.id}) am ${at(document.issuedAt)}. Seitdem wurde nichts geändert.`,
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
    'Der Beleg wurde nach der Unterschrift geändert oder nie von diesem Unternehmen unterschrieben.',
  ],
  from_the_future: ({ issuedAt }, { at }) => [
    'Nicht gültig.',
    `Der Beleg trägt das Datum ${at(issuedAt)}, das noch nicht gekommen ist.`,
  ],
};

const words: InLanguages<VerdictWords> = { en, de };

/** What a check found: first whether the receipt is valid, then why. */
export function sentencesOf(
  verdict: ReceiptVerdict,
  { language, at }: { readonly language: Language; readonly at: (time: string) => string },
): readonly string[] {
  const write = words[language][verdict.kind] as (verdict: ReceiptVerdict, formatted: { at: typeof at }) => string[];
  return write(verdict, { at });
}
