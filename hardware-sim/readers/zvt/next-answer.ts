import { type Timers, wait } from '@florin/shared/ports.ts';
import { type BankAction, isBankDecline } from '../../actions.ts';
import type { OutsideRefusal } from '../../outside.ts';
import { byAmount, type Processor } from './processor.ts';

/** What a tester makes the reader's own processor do with the next sale; it knows a few of the bank's faults. */
export function decideNext(processor: Processor, timers: Timers, asked: BankAction): OutsideRefusal | undefined {
  const { fault, request, delayMs } = asked;
  if (request === 'void' || request === 'refund') return notSupported(`a ${request} of a ZVT reader cannot be decided`);
  if (isBankDecline(fault)) processor.answersNext(fault);
  else if (fault === 'hang') processor.decidesNext(() => new Promise(() => undefined));
  else if (fault === 'delay')
    processor.decidesNext(async amountMinor => {
      await wait(timers, delayMs);
      return byAmount(amountMinor);
    });
  else return notSupported(`the bank of a ZVT reader has no ${fault}`);
  return undefined;
}

function notSupported(message: string): OutsideRefusal {
  return { kind: 'not_supported', message };
}
