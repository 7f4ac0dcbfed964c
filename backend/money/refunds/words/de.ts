import { germanReasons } from '../../../foundation/refusal-words/de-reasons.ts';
import type { RefundWords } from './refund-words.ts';

export const german: RefundWords = {
  blocked: germanReasons,
  onlyLeft: (left, whole) => `Von ${whole} sind nur noch ${left} zu erstatten.`,
  onlyLeftSats: (left, whole) => `Von ${whole} sind nur noch ${left} zurückzugeben.`,
  card: (scheme, lastFour) => `${scheme ?? 'die Karte'}${lastFour === null ? '' : ` ••${lastFour}`}`,
  refund: (amount, card) => `${amount} gehen zurück auf ${card}, meist in einem bis fünf Werktagen.`,
  void: (amount, card) =>
    `Die ganze Zahlung von ${amount} wird storniert: Auf der Abrechnung von ${card} erscheint nichts.`,
  record: amount =>
    `${amount} werden als zurückgegeben erfasst. Gesendet wird nichts: Sie geben sie dem Kunden selbst zurück.`,
  left: amount => (amount === null ? 'Es bleibt nichts übrig.' : `${amount} bleiben übrig.`),
  leftSats: amount => (amount === null ? 'Es bleibt nichts übrig.' : `${amount} bleiben übrig.`),
  twice: 'Wer sie noch einmal veranlasst, zahlt sie noch einmal.',
  customer: {
    paymentUnknown: amount =>
      `Wir fragen die Bank noch nach Ihrer Zahlung von ${amount}; Sie müssen nichts wiederholen.`,
    paymentDeclined: amount => `Ihre Zahlung von ${amount} wurde abgelehnt; es wurde kein Geld eingezogen.`,
    paymentFailed: amount => `Ihre Zahlung von ${amount} hat die Bank nicht erreicht; es wurde kein Geld eingezogen.`,
    paymentRejected: amount =>
      `Die Bank hat Ihre Zahlung von ${amount} nicht ausgeführt; es wurde kein Geld eingezogen.`,
    authorised: (amount, day) =>
      `Ihre Zahlung von ${amount} wurde am ${day} genehmigt und wird mit der nächsten Abrechnung eingezogen.`,
    paid: (amount, day) => `Ihre Zahlung von ${amount} wurde am ${day} eingezogen.`,
    voided: amount => `Ihre Zahlung von ${amount} wurde storniert; sie erscheint nicht auf Ihrer Abrechnung.`,
    refundUnknown: amount =>
      `Wir fragen die Bank noch nach Ihrer Erstattung von ${amount}; Sie müssen nichts wiederholen.`,
    refundDeclined: (amount, day) =>
      `Die Bank hat Ihre Erstattung von ${amount} am ${day} abgelehnt; es wurde kein Geld zurückgegeben.`,
    refundFailed: (amount, day) =>
      `Ihre Erstattung von ${amount} wurde am ${day} nicht an die Bank gesendet; es wurde kein Geld zurückgegeben.`,
    refundSent: (amount, day, card, reference) =>
      `Ihre Erstattung von ${amount}${card === null ? '' : ` auf ${card}`} wurde am ${day} gesendet; sie erscheint meist in einem bis fünf Werktagen, über ein Wochenende oder einen Feiertag später.${reference === null ? '' : ` Wenn sie nach zehn Werktagen nicht erschienen ist, fragen Sie Ihre Bank nach der Referenz ${reference}.`}`,
    refundRecorded: (amount, day) =>
      `Ihre Erstattung von ${amount} wurde am ${day} erfasst; das Geschäft gibt sie Ihnen selbst zurück.`,
    several: {
      sum: (whole, returned, card, left) =>
        `Von Ihrer Zahlung über ${whole} ${returned === null ? 'wurde nichts' : `wurden ${returned}`}${card === null ? '' : ` auf ${card}`} erstattet${left === null ? '.' : `, ${left} bleiben übrig.`}`,
      pending: amount => `${amount}: Wir fragen die Bank noch; Sie müssen nichts wiederholen`,
      approved: (amount, day, reference) =>
        `${amount}: am ${day} gesendet${reference === null ? '' : `, Referenz ${reference}`}`,
      declined: (amount, day) => `${amount}: am ${day} von der Bank abgelehnt; es wurde kein Geld zurückgegeben`,
      failed: (amount, day) => `${amount}: am ${day} nicht an die Bank gesendet; es wurde kein Geld zurückgegeben`,
      recorded: (amount, day) => `${amount}: am ${day} erfasst; das Geschäft gibt sie Ihnen selbst zurück`,
      usually: hasReferences =>
        `Eine Erstattung erscheint meist in einem bis fünf Werktagen, über ein Wochenende oder einen Feiertag später.${hasReferences ? ' Wenn eine nach zehn Werktagen nicht erschienen ist, fragen Sie Ihre Bank nach ihrer Referenz.' : ''}`,
    },
  },
};
