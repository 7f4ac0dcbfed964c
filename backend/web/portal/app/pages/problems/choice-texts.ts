import type { DiscrepancyRecord } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { texts } from '../../words/texts.ts';

/** What a decision changes: which it is depends on the kind of discrepancy. */
type Effect = 'held' | 'sale' | 'reversal' | 'settlement' | 'noted';

/** What a decision about this discrepancy changes. */
export function effectOf({ kind, contestedInCents }: Pick<DiscrepancyRecord, 'kind' | 'contestedInCents'>): Effect {
  if (kind === 'sale_not_completed') return 'sale';
  if (kind === 'reversal_declined' || kind === 'reversal_overdue') return 'reversal';
  if (kind === 'settlement_rejected_late') return 'settlement';
  return contestedInCents > 0 ? 'held' : 'noted';
}

type Side = readonly [label: string, effect: (held: string) => string];
type Choices = { readonly question: string; readonly gateway_right: Side; readonly records_right: Side };

const noted = () => 'The decision is kept with the payment, which stays as it is recorded.';

const en = {
  effects: {
    held: {
      question: 'Which side is right?',
      gateway_right: ['The gateway is right', (held: string) => `${held} counts as returned to the customer.`],
      records_right: ['Our records are right', (held: string) => `${held} can be refunded again.`],
    },
    sale: {
      question: 'How did the sale end?',
      gateway_right: ['The sale stands', () => 'The customer has paid, and keeps the goods.'],
      records_right: ['The sale is reversed', () => 'Its money goes back to the customer.'],
    },
    reversal: {
      question: 'What became of the money?',
      gateway_right: ['No money is due to the customer', () => 'The service no longer tries to return it.'],
      records_right: ['It was returned in another way', () => 'The service no longer tries to return it.'],
    },
    settlement: {
      question: 'Did the money arrive?',
      gateway_right: ['No, the bank took it back', () => 'Nothing more of this payment is refunded.'],
      records_right: ['Yes, it arrived', () => 'The payment can be refunded again.'],
    },
    noted: {
      question: 'Which side is right?',
      gateway_right: ['The gateway is right', noted],
      records_right: ['Our records are right', noted],
    },
  } as Readonly<Record<Effect, Choices>>,
  acknowledge: 'Neither records nor money depend on it. It stays in this list until somebody acknowledges it.',
  close: 'Acknowledge',
  gone: 'This was decided in the meantime.',
  first: 'Something else has to be decided first',
  firstWhy: {
    payment: 'Whether the payment was made is not known yet. Decide that first, among the problems.',
    refund: 'Whether the refund was made is not known yet. Decide that first, among the problems.',
  },
  problems: 'Show the problems',
  refusals: {
    discrepancy_already_resolved: 'This was decided in the meantime.',
    payment_not_decided: 'Decide first whether the payment was made.',
    refund_not_decided: 'Decide first whether the refund was made.',
  },
};

const notedInGerman = () => 'Die Entscheidung wird bei der Zahlung vermerkt; die Zahlung bleibt, wie sie erfasst ist.';

const de: typeof en = {
  effects: {
    held: {
      question: 'Welche Seite hat recht?',
      gateway_right: ['Das Gateway hat recht', held => `${held} gelten als dem Kunden zurückgegeben.`],
      records_right: ['Unsere Aufzeichnungen haben recht', held => `${held} können erneut erstattet werden.`],
    },
    sale: {
      question: 'Wie endete der Verkauf?',
      gateway_right: ['Der Verkauf gilt', () => 'Der Kunde hat bezahlt und behält die Ware.'],
      records_right: ['Der Verkauf wird rückgängig gemacht', () => 'Sein Geld geht an den Kunden zurück.'],
    },
    reversal: {
      question: 'Was wurde aus dem Geld?',
      gateway_right: ['Dem Kunden steht kein Geld zu', () => 'Der Dienst versucht nicht weiter, es zurückzugeben.'],
      records_right: [
        'Es wurde auf anderem Weg zurückgegeben',
        () => 'Der Dienst versucht nicht weiter, es zurückzugeben.',
      ],
    },
    settlement: {
      question: 'Kam das Geld an?',
      gateway_right: ['Nein, die Bank nahm es zurück', () => 'Von dieser Zahlung wird nichts weiter erstattet.'],
      records_right: ['Ja, es kam an', () => 'Die Zahlung kann wieder erstattet werden.'],
    },
    noted: {
      question: 'Welche Seite hat recht?',
      gateway_right: ['Das Gateway hat recht', notedInGerman],
      records_right: ['Unsere Aufzeichnungen haben recht', notedInGerman],
    },
  },
  acknowledge: 'Davon hängen weder Aufzeichnungen noch Geld ab. Es bleibt in dieser Liste, bis es jemand bestätigt.',
  close: 'Bestätigen',
  gone: 'Das wurde inzwischen entschieden.',
  first: 'Zuerst ist etwas anderes zu entscheiden',
  firstWhy: {
    payment:
      'Ob die Zahlung ausgeführt wurde, ist noch nicht bekannt. Entscheiden Sie das zuerst, unter den Problemen.',
    refund:
      'Ob die Erstattung ausgeführt wurde, ist noch nicht bekannt. Entscheiden Sie das zuerst, unter den Problemen.',
  },
  problems: 'Probleme zeigen',
  refusals: {
    discrepancy_already_resolved: 'Das wurde inzwischen entschieden.',
    payment_not_decided: 'Entscheiden Sie zuerst, ob die Zahlung ausgeführt wurde.',
    refund_not_decided: 'Entscheiden Sie zuerst, ob die Erstattung ausgeführt wurde.',
  },
};

export const choiceTexts = texts({ en, de });
