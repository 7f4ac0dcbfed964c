import type { HostAnswer, ReadCard } from '@florin/device/readers/reader.ts';
import type { BankAnswer, BankUnderTest } from './suite.ts';

/** A bank that answers each authorisation once and counts them by transaction. */
export function aBank() {
  const asked: { transactionId: string; card: ReadCard }[] = [];
  const answers: (HostAnswer | Promise<HostAnswer>)[] = [];
  return {
    asked,
    answersNext: (answer: HostAnswer | Promise<HostAnswer>) => answers.push(answer),
    chargesOf: (transactionId: string) => asked.filter(entry => entry.transactionId === transactionId).length,
    authorise: async (transactionId: string, card: ReadCard): Promise<HostAnswer> => {
      asked.push({ transactionId, card });
      return answers.shift() ?? { kind: 'approved', authorisationCode: '712345', hostCode: '00' };
    },
  };
}
export type Bank = ReturnType<typeof aBank>;

const hostAnswers: Readonly<Record<BankAnswer, HostAnswer>> = {
  approved: { kind: 'approved', authorisationCode: '712345', hostCode: '00' },
  declined: { kind: 'declined', hostCode: '05' },
  unknown: { kind: 'unknown' },
};

/** The bank of the suite, for a driver whose host authorises. */
export function bankUnderTest(bank: Bank = aBank()): BankUnderTest {
  return {
    authorise: bank.authorise,
    chargesOf: bank.chargesOf,
    answersNext: answer => void bank.answersNext(Promise.resolve(answer).then(given => hostAnswers[given])),
  };
}
