import { english as disagreements } from '../../../money/discrepancies/words/en.ts';
import type { FailingEndpoint, ProblemWords } from './problem-words.ts';

const asking =
  'The service asks until it knows, usually within minutes. Do not take or return the money again meanwhile.';
const deciding =
  'The gateway has not answered for a long time. Look it up in the gateway’s own records, then decide it on that evidence. Do not take or return the money again before.';

function latest({ failureOutcome, failureStatus }: Pick<FailingEndpoint, 'failureOutcome' | 'failureStatus'>): string {
  if (failureStatus !== null) return `: HTTP ${failureStatus}`;
  if (failureOutcome === 'timeout') return ': it does not answer in time';
  if (failureOutcome === 'connection_failed') return ': there is no connection';
  return failureOutcome === 'address_refused' ? ': the address is not public' : '';
}

export const english: ProblemWords = {
  payment_outcome_unknown: (amount, isForPerson) => ({
    title: `Payment of ${amount} without outcome`,
    message: `It is not known whether the bank took this payment. ${isForPerson ? deciding : asking}`,
  }),
  refund_outcome_unknown: (amount, isForPerson) => ({
    title: `Refund of ${amount} without outcome`,
    message: `It is not known whether the customer gets this money back. Its amount stays reserved. ${isForPerson ? deciding : asking}`,
  }),
  withdrawal_outcome_unknown: (amount, isForPerson) => ({
    title: `Withdrawal of ${amount} without outcome`,
    message: isForPerson
      ? 'The node does not say whether this withdrawal was sent. Look it up at the node, then decide it on that evidence. Do not send it again before.'
      : 'The node has not said yet whether this withdrawal was sent. The service asks until it knows. Do not send it again meanwhile.',
  }),
  discrepancy_open: (name, kind) => ({
    title: kind === 'reader_totals_differ' ? `The day of card reader ${name} differs` : `Disagreement about ${name}`,
    message: disagreements[kind],
  }),
  webhook_disabled: url => ({
    title: 'Webhook endpoint switched off',
    message: `Too many deliveries to ${url} failed in a row, so nothing is sent to it. Repair the receiver, enable the endpoint, and send again what failed.`,
  }),
  webhook_failing: ({ url, failedInARow, ...failure }, disableAfter) => ({
    title: 'Webhook endpoint failing',
    message: `Attempts at ${url} fail${latest(failure)}.${failedInARow === 0 ? '' : ` ${failedInARow === 1 ? 'One delivery' : `${failedInARow} deliveries in a row`} failed after all attempts.`} After ${disableAfter} failed deliveries in a row nothing more is sent to it. Look at the responses in the delivery history and repair the receiver.`,
  }),
  terminal_silent: name => ({
    title: `${name} is silent`,
    message:
      'This terminal was in use today and has stopped reporting. Check that it is switched on and has a network. If it was put away for the day, there is nothing to do.',
  }),
  terminal_not_ready: (name, whyNot, attention) => ({
    title: `${name} cannot take cards`,
    message:
      whyNot === 'reader_needs_attention'
        ? `Its card reader needs attention${attention ? `: ${attention}` : ''}.`
        : 'It has no card reader that answers. Check the cable and the reader’s power.',
  }),
  staff_locked: (name, staffNumber) => ({
    title: `${name} is locked out`,
    message: `Too many wrong passwords were entered for the staff ID ${staffNumber}. Ask ${name} whether it was them. Unlock them, or let the lock end by itself; if it was somebody else, look first at their failed checks in the refund log and the void log.`,
  }),
  api_key_expiring: (name, isUsed) => ({
    title: `API key “${name}” expires soon`,
    message: isUsed
      ? 'It is in use, and the software that uses it will be refused from then on. Create a new key and replace it there.'
      : 'It was never used. Nothing has to be done unless software is still to use it.',
  }),
  email_not_sent: (recipient, count, isGivenUp) => ({
    title: `E-mail to ${recipient} not delivered`,
    message: `${count === 1 ? 'One notification' : `${count} notifications`} could not be sent${isGivenUp ? ' and will not be tried again' : ' so far'}. Check the address, or ask whoever runs this service for the mail server.`,
  }),
};
