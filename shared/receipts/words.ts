import { formatMoney, formatSats } from '../amounts.ts';
import type { CustomerLanguage, InCustomerLanguages } from '../languages.ts';
import type { SignedReceipt } from './document.ts';
import { type ReceiptVerdict, returnsSince } from './verdict.ts';

type Formatted = {
  readonly at: (time: string) => string;
  readonly amount: (of: Amount, document: SignedReceipt) => string;
};

type VerdictWords = {
  readonly [Kind in ReceiptVerdict['kind']]: (
    verdict: Extract<ReceiptVerdict, { kind: Kind }>,
    formatted: Formatted,
  ) => readonly string[];
} & {
  /** What a document says. */
  readonly facts: (document: SignedReceipt, formatted: Formatted) => string;
};

type Amount = { readonly amountMinor: number; readonly amountSats: number | null };

const remainingOf = ({ remainingMinor, remainingSats }: SignedReceipt): Amount => ({
  amountMinor: remainingMinor,
  amountSats: remainingSats,
});

const en: VerdictWords = {
  facts: (document, { at, amount }) =>
    `${{ sale: 'Sale', void: 'Void', refund: 'Refund' }[document.kind]} of ${amount(document, document)} on ${at(document.at)}, invoice ${document.invoiceNumber}. Left of the sale: ${amount(remainingOf(document), document)}.`,
  valid: ({ document, signer }, { at }) => [
    'Valid and current.',
    `Signed by ${signer} (${document.business.id}) on ${at(document.issuedAt)}. Nothing was changed in the file since.`,
    `Its payment service says the same now: ${document.url}`,
  ],
  valid_then: ({ document, signer }, { at }) => [
    `Valid as of ${at(document.issuedAt)}; it may have changed since.`,
    `Signed by ${signer} (${document.business.id}). Nothing was changed in the file since.`,
    `Later voids and refunds are not in it. Before you rely on it, open the receipt as it is now: ${document.url}`,
  ],
  superseded: ({ document, current, signer }, { at, amount }) => [
    'Superseded: the receipt has changed since.',
    `Signed by ${signer} (${document.business.id}) on ${at(document.issuedAt)}. Since then:`,
    ...returnsSince(document, current).map(each => {
      const names = { void: 'Voided', refund: 'Refunded', rejected: 'Not paid out by the bank' };
      return `${names[each.kind]} on ${at(each.at)}: ${amount(each, current)}.`;
    }),
    `Left of the sale: ${amount(remainingOf(current), current)}.`,
    `The receipt as it is now: ${current.url}`,
  ],
  issuer_not_confirmed: ({ document, signer }, { at }) => [
    'Signed, but the issuer is not confirmed.',
    `The key is published at ${new URL(document.url).origin} in the name of ${signer}, and the receipt is dated ${at(document.issuedAt)}. Anyone can publish a key in any name.`,
    'Check it again with the address of the payment service as you know it from elsewhere (--issuer), or with keys that you saved (--keys).',
  ],
  not_a_receipt: () => ['Not valid.', 'This file is not a signed receipt.'],
  not_keys: () => ['Not checked.', 'This is not a list of receipt keys.'],
  no_such_business: ({ businessId }) => [
    'Not valid.',
    `The payment service that was asked has no business ${businessId}: the receipt is not from there.`,
  ],
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
  facts: (document, { at, amount }) =>
    `${{ sale: 'Verkauf', void: 'Stornierung', refund: 'Erstattung' }[document.kind]} über ${amount(document, document)} vom ${at(document.at)}, Verkaufs-Nr. ${document.invoiceNumber}. Verbleibt: ${amount(remainingOf(document), document)}.`,
  valid: ({ document, signer }, { at }) => [
    'Gültig und aktuell.',
    `Signiert von ${signer} (${document.business.id}) am ${at(document.issuedAt)}. Seitdem wurde in der Datei nichts geändert.`,
    `Der Zahlungsdienst sagt jetzt dasselbe: ${document.url}`,
  ],
  valid_then: ({ document, signer }, { at }) => [
    `Gültig mit Stand vom ${at(document.issuedAt)}; seitdem kann sich der Beleg geändert haben.`,
    `Signiert von ${signer} (${document.business.id}). Seitdem wurde in der Datei nichts geändert.`,
    `Spätere Stornierungen und Erstattungen stehen nicht darin. Öffnen Sie den aktuellen Beleg, bevor Sie sich darauf verlassen: ${document.url}`,
  ],
  superseded: ({ document, current, signer }, { at, amount }) => [
    'Überholt: Der Beleg hat sich seitdem geändert.',
    `Signiert von ${signer} (${document.business.id}) am ${at(document.issuedAt)}. Seitdem:`,
    ...returnsSince(document, current).map(each => {
      const names = { void: 'Storniert', refund: 'Erstattet', rejected: 'Von der Bank nicht ausgezahlt' };
      return `${names[each.kind]} am ${at(each.at)}: ${amount(each, current)}.`;
    }),
    `Verbleibt: ${amount(remainingOf(current), current)}.`,
    `Der aktuelle Beleg: ${current.url}`,
  ],
  issuer_not_confirmed: ({ document, signer }, { at }) => [
    'Signiert, aber der Aussteller ist nicht bestätigt.',
    `Der Schlüssel wird bei ${new URL(document.url).origin} im Namen von ${signer} veröffentlicht; der Beleg trägt das Datum ${at(document.issuedAt)}. Jeder kann einen Schlüssel unter jedem Namen veröffentlichen.`,
    'Prüfen Sie ihn noch einmal mit der Adresse des Zahlungsdienstes, die Sie anderswoher kennen (--issuer), oder mit Schlüsseln, die Sie gespeichert haben (--keys).',
  ],
  not_a_receipt: () => ['Nicht gültig.', 'Diese Datei ist kein unterschriebener Beleg.'],
  not_keys: () => ['Nicht geprüft.', 'Das ist keine Liste von Belegschlüsseln.'],
  no_such_business: ({ businessId }) => [
    'Nicht gültig.',
    `Der befragte Zahlungsdienst hat kein Unternehmen ${businessId}: Der Beleg ist nicht von dort.`,
  ],
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
  facts: (document, { at, amount }) =>
    `${{ sale: 'Vente', void: 'Annulation', refund: 'Remboursement' }[document.kind]} de ${amount(document, document)} du ${at(document.at)}, n° de vente ${document.invoiceNumber}. Reste de l’achat\u00a0: ${amount(remainingOf(document), document)}.`,
  valid: ({ document, signer }, { at }) => [
    'Valable et à jour.',
    `Signé par ${signer} (${document.business.id}) le ${at(document.issuedAt)}. Rien n’a été modifié dans le fichier depuis.`,
    `Son service de paiement indique la même chose à présent\u00a0: ${document.url}`,
  ],
  valid_then: ({ document, signer }, { at }) => [
    `Valable au ${at(document.issuedAt)}\u00a0; il a pu changer depuis.`,
    `Signé par ${signer} (${document.business.id}). Rien n’a été modifié dans le fichier depuis.`,
    `Les annulations et remboursements ultérieurs n’y figurent pas. Avant de vous y fier, ouvrez le reçu actuel\u00a0: ${document.url}`,
  ],
  superseded: ({ document, current, signer }, { at, amount }) => [
    'Périmé\u00a0: le reçu a changé depuis.',
    `Signé par ${signer} (${document.business.id}) le ${at(document.issuedAt)}. Depuis\u00a0:`,
    ...returnsSince(document, current).map(each => {
      const names = { void: 'Annulé', refund: 'Remboursé', rejected: 'Non versé par la banque' };
      return `${names[each.kind]} le ${at(each.at)}\u00a0: ${amount(each, current)}.`;
    }),
    `Reste de l’achat\u00a0: ${amount(remainingOf(current), current)}.`,
    `Le reçu actuel\u00a0: ${current.url}`,
  ],
  issuer_not_confirmed: ({ document, signer }, { at }) => [
    'Signé, mais l’émetteur n’est pas confirmé.',
    `La clé est publiée à ${new URL(document.url).origin} au nom de ${signer}, et le reçu est daté du ${at(document.issuedAt)}. N’importe qui peut publier une clé sous n’importe quel nom.`,
    'Vérifiez-le à nouveau avec l’adresse du service de paiement que vous connaissez par ailleurs (--issuer), ou avec des clés que vous avez enregistrées (--keys).',
  ],
  not_a_receipt: () => ['Non valable.', 'Ce fichier n’est pas un reçu signé.'],
  not_keys: () => ['Non vérifié.', 'Ce n’est pas une liste de clés de reçus.'],
  no_such_business: ({ businessId }) => [
    'Non valable.',
    `Le service de paiement interrogé n’a pas d’entreprise ${businessId}\u00a0: le reçu n’en provient pas.`,
  ],
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
  facts: (document, { at, amount }) =>
    `${{ sale: 'Venta', void: 'Anulación', refund: 'Devolución' }[document.kind]} de ${amount(document, document)} del ${at(document.at)}, n.º de venta ${document.invoiceNumber}. Resto de la compra: ${amount(remainingOf(document), document)}.`,
  valid: ({ document, signer }, { at }) => [
    'Válido y actual.',
    `Firmado por ${signer} (${document.business.id}) el ${at(document.issuedAt)}. No se ha modificado nada en el archivo desde entonces.`,
    `Su servicio de pagos indica ahora lo mismo: ${document.url}`,
  ],
  valid_then: ({ document, signer }, { at }) => [
    `Válido a fecha del ${at(document.issuedAt)}; puede haber cambiado desde entonces.`,
    `Firmado por ${signer} (${document.business.id}). No se ha modificado nada en el archivo desde entonces.`,
    `No incluye anulaciones ni devoluciones posteriores. Antes de fiarse de él, abra el recibo actual: ${document.url}`,
  ],
  superseded: ({ document, current, signer }, { at, amount }) => [
    'Superado: el recibo ha cambiado desde entonces.',
    `Firmado por ${signer} (${document.business.id}) el ${at(document.issuedAt)}. Desde entonces:`,
    ...returnsSince(document, current).map(each => {
      const names = { void: 'Anulado', refund: 'Devuelto', rejected: 'No abonado por el banco' };
      return `${names[each.kind]} el ${at(each.at)}: ${amount(each, current)}.`;
    }),
    `Resto de la compra: ${amount(remainingOf(current), current)}.`,
    `El recibo actual: ${current.url}`,
  ],
  issuer_not_confirmed: ({ document, signer }, { at }) => [
    'Firmado, pero el emisor no está confirmado.',
    `La clave se publica en ${new URL(document.url).origin} a nombre de ${signer}, y el recibo tiene fecha del ${at(document.issuedAt)}. Cualquiera puede publicar una clave con cualquier nombre.`,
    'Compruébelo de nuevo con la dirección del servicio de pagos que conozca por otra vía (--issuer), o con claves que haya guardado (--keys).',
  ],
  not_a_receipt: () => ['No válido.', 'Este archivo no es un recibo firmado.'],
  not_keys: () => ['No comprobado.', 'Esto no es una lista de claves de recibos.'],
  no_such_business: ({ businessId }) => [
    'No válido.',
    `El servicio de pagos consultado no tiene ninguna empresa ${businessId}: el recibo no procede de allí.`,
  ],
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
  const write = words[language][verdict.kind] as (verdict: ReceiptVerdict, formatted: Formatted) => readonly string[];
  const amount = ({ amountMinor, amountSats }: Amount, { currency }: SignedReceipt) =>
    amountSats === null ? formatMoney({ amountMinor, currency }, language) : formatSats(amountSats, language);
  const formatted = { at, amount };
  const [title = '', ...why] = write(verdict, formatted);
  const isValid = verdict.kind === 'valid' || verdict.kind === 'valid_then';
  return isValid ? [title, words[language].facts(verdict.document, formatted), ...why] : [title, ...why];
}
