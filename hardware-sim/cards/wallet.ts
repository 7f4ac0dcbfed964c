/**
 * The test cards of the simulated reader, the same as the gateway's. Full numbers exist only inside the simulated
 * device: pages, logs and files contain names and last four digits.
 */
export type TestCard = {
  readonly id: string;
  readonly name: string;
  readonly scheme: 'visa' | 'mastercard' | 'amex';
  readonly number: string;
  /** YYMM, as on the chip. */
  readonly expiry: string;
  /** RID and PIX, as on the wire. */
  readonly applicationId: string;
  /** Required when the card is inserted. Listed on the page and in README.md. */
  readonly pin?: string;
  readonly contactless: boolean;
  /** Special behaviour of the card. */
  readonly quirk?: 'blocked' | 'refuses_after_approval';
  /** A note for testers. */
  readonly hint: string;
};

const visa = 'A000000003.1010';
const mastercard = 'A000000004.1010';
const amex = 'A000000025.01';

export const wallet: readonly TestCard[] = [
  {
    id: 'visa',
    name: 'Visa credit',
    scheme: 'visa',
    number: '4929421234600821',
    expiry: '3012',
    applicationId: visa,
    contactless: true,
    hint: 'No PIN',
  },
  {
    id: 'visa-debit',
    name: 'Visa debit',
    scheme: 'visa',
    number: '4539791001730106',
    expiry: '3012',
    applicationId: visa,
    pin: '1234',
    contactless: true,
    hint: 'PIN 1234',
  },
  {
    id: 'mastercard',
    name: 'Mastercard credit',
    scheme: 'mastercard',
    number: '5301250070000191',
    expiry: '3012',
    applicationId: mastercard,
    contactless: true,
    hint: 'No PIN',
  },
  {
    id: 'mastercard-debit',
    name: 'Mastercard debit',
    scheme: 'mastercard',
    number: '5573471234567898',
    expiry: '3012',
    applicationId: mastercard,
    pin: '1234',
    contactless: true,
    hint: 'PIN 1234',
  },
  {
    id: 'amex',
    name: 'American Express',
    scheme: 'amex',
    number: '374245455400001',
    expiry: '3012',
    applicationId: amex,
    contactless: true,
    hint: 'No PIN',
  },
  {
    id: 'refuser',
    name: 'Visa, refuses late',
    scheme: 'visa',
    number: '4929421234600821',
    expiry: '3012',
    applicationId: visa,
    contactless: false,
    quirk: 'refuses_after_approval',
    hint: 'After the approval',
  },
  {
    id: 'blocked',
    name: 'Mastercard, blocked',
    scheme: 'mastercard',
    number: '5301250070000191',
    expiry: '3012',
    applicationId: mastercard,
    contactless: false,
    quirk: 'blocked',
    hint: 'Refuses at once',
  },
];

/** By the name that actions and scenarios use; undefined if no test card has it. */
export function cardOf(id: string): TestCard | undefined {
  return wallet.find(card => card.id === id);
}

/** The only digits of the number that the line carries unencrypted. */
export function lastFourOf(card: TestCard): string {
  return card.number.slice(-4);
}
