import { type CheckBench, CheckFailure } from './bench.ts';
import type { StepResult } from './report.ts';
import { checkSteps, outcomeText } from './steps.ts';

const realMoney =
  'This reader asks its bank by itself: with a real card and a live account, money moves. The sales are of 1.00 each and are returned at the end. Go on?';

/**
 * Leads a person through every step with the reader on the desk. Undefined if they do not want to move money. Sales that
 * the reader authorised are voided at the end.
 */
export async function checkReader(bench: CheckBench): Promise<StepResult[] | undefined> {
  const { person } = bench;
  if (!bench.isHostAuthorised && !(await person.confirms(realMoney))) return undefined;
  const steps = checkSteps.filter(({ applies }) => applies?.(bench) ?? true);
  const results: StepResult[] = [];
  for (const [index, step] of steps.entries()) {
    const { title, todo } = step;
    const wanted = await person.begin({ number: index + 1, of: steps.length, title, todo });
    const { result, saw } =
      wanted === 'skip' ? { result: 'skipped' as const, saw: '' } : await outcomeOf(bench, step.run);
    person.say(`  ${result}${saw === '' ? '' : `: ${saw}`}`);
    results.push({ title, result, saw });
    // Without a reader the other steps would all fail for the same reason.
    if (index === 0 && result === 'failed') break;
  }
  if (bench.alarms.some(({ kind }) => kind === 'card_number_on_line'))
    results.push({ title: 'No card number on the line', result: 'failed', saw: 'the reader sent one in the clear' });
  for (const sale of bench.taken.slice()) {
    person.say(`The sale ${sale.transactionId} is voided.`);
    const outcome = await bench.void(sale);
    if (outcome.kind !== 'approved') person.say(`  not returned: ${outcomeText(outcome)}`);
  }
  return results;
}

async function outcomeOf(
  bench: CheckBench,
  run: (bench: CheckBench) => Promise<string>,
): Promise<{ result: 'passed' | 'failed'; saw: string }> {
  try {
    return { result: 'passed', saw: await run(bench) };
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    await bench.release();
    return { result: 'failed', saw: error.message };
  }
}
