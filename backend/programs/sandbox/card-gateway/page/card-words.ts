import type { CustomerLanguage, InCustomerLanguages } from '@florin/shared/languages.ts';

const en = {
  title: 'Card details',
  or: 'or pay with a card',
  number: 'Card number',
  expiry: 'Expiry date',
  code: 'Security code',
  expiryFormat: 'MM / YY',
  codeFormat: '3 or 4 digits',
  enterNumber: 'Enter the card number',
  checkNumber: 'Check the card number',
  enterExpiry: 'Enter MM / YY',
  expired: 'Card has expired',
  enterCode: 'Enter 3 or 4 digits',
  shop: 'Shop',
  card: 'Card',
  testCard: 'Test card •••• 0821',
  total: 'Total',
  noMoney: 'Sandbox: there is no wallet, and no money moves',
  pay: 'Pay',
  cancel: 'Cancel',
};

const de: typeof en = {
  title: 'Kartendaten',
  or: 'oder mit Karte bezahlen',
  number: 'Kartennummer',
  expiry: 'Gültig bis',
  code: 'Prüfnummer',
  expiryFormat: 'MM / JJ',
  codeFormat: '3–4 Ziffern',
  enterNumber: 'Kartennummer eingeben',
  checkNumber: 'Kartennummer prüfen',
  enterExpiry: 'MM / JJ eingeben',
  expired: 'Karte ist abgelaufen',
  enterCode: '3–4 Ziffern eingeben',
  shop: 'Geschäft',
  card: 'Karte',
  testCard: 'Testkarte •••• 0821',
  total: 'Gesamt',
  noMoney: 'Sandbox: Es gibt keine Wallet, und es fließt kein Geld',
  pay: 'Bezahlen',
  cancel: 'Abbrechen',
};

const fr: typeof en = {
  title: 'Données de la carte',
  or: 'ou payer par carte',
  number: 'Numéro de carte',
  expiry: 'Expiration',
  code: 'Cryptogramme',
  expiryFormat: 'MM / AA',
  codeFormat: '3 à 4 chiffres',
  enterNumber: 'Saisissez le numéro de carte',
  checkNumber: 'Vérifiez le numéro de carte',
  enterExpiry: 'Saisissez MM / AA',
  expired: 'Carte expirée',
  enterCode: '3 à 4 chiffres',
  shop: 'Commerce',
  card: 'Carte',
  testCard: 'Carte de test •••• 0821',
  total: 'Total à payer',
  noMoney: 'Bac à sable\u00a0: il n’y a pas de portefeuille, et aucun argent ne circule',
  pay: 'Payer',
  cancel: 'Annuler',
};

const es: typeof en = {
  title: 'Datos de la tarjeta',
  or: 'o pagar con tarjeta',
  number: 'Número de tarjeta',
  expiry: 'Caducidad',
  code: 'Código CVC',
  expiryFormat: 'MM / AA',
  codeFormat: '3 o 4 dígitos',
  enterNumber: 'Escriba el número de tarjeta',
  checkNumber: 'Compruebe el número de tarjeta',
  enterExpiry: 'Escriba MM / AA',
  expired: 'Tarjeta caducada',
  enterCode: '3 o 4 dígitos',
  shop: 'Comercio',
  card: 'Tarjeta',
  testCard: 'Tarjeta de prueba •••• 0821',
  total: 'Total',
  noMoney: 'Entorno de pruebas: no hay cartera y no se mueve dinero',
  pay: 'Pagar',
  cancel: 'Cancelar',
};

/** The words of the card fields, which the page around them asks for in its own language. */
export const cardWords: InCustomerLanguages<typeof en> = { en, de, fr, es };

/** English for a language that there are no words in. */
export function languageOf(asked: string | null): CustomerLanguage {
  return asked !== null && Object.hasOwn(cardWords, asked) ? (asked as CustomerLanguage) : 'en';
}
