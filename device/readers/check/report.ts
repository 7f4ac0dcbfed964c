import type { CheckBench } from './bench.ts';

export type StepResult = {
  readonly title: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly saw: string;
};

/** The report of a check in Markdown. It has no card data. */
export function reportText(options: {
  readonly bench: CheckBench;
  readonly results: readonly StepResult[];
  readonly at: string;
  readonly appVersion: string;
  readonly port: string;
}): string {
  const { bench, results } = options;
  const { serial = 'unknown', firmware = 'unknown', lineFailures = {} } = bench.reader.status();
  const failures = Object.entries(lineFailures).map(([kind, count]) => `${kind.replaceAll('_', ' ')}: ${count}`);
  const count = (result: StepResult['result']) => results.filter(step => step.result === result).length;
  return [
    '# Check of a card reader',
    '',
    `- Reader: serial ${serial}, firmware ${firmware}`,
    `- Protocol ${bench.reader.protocol} at ${options.port}; the ${bench.reader.authorisation} asks the bank`,
    `- ${options.at}, Florin ${options.appVersion}`,
    `- ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} left out`,
    '',
    '| Step | Result | Seen |',
    '| --- | --- | --- |',
    ...results.map(({ title, result, saw }) => `| ${title} | ${result} | ${saw.replaceAll('|', '/')} |`),
    '',
    '| Call | Times | Median | Longest |',
    '| --- | --- | --- | --- |',
    ...timingRows(bench.timings),
    '',
    `Failures of the line: ${failures.length === 0 ? 'none' : failures.join(', ')}. Steps that pull the cable cause some.`,
    `Card numbers seen in the clear: ${bench.alarms.filter(({ kind }) => kind === 'card_number_on_line').length}.`,
    ...moneyLines(bench),
    '',
  ].join('\n');
}

function timingRows(timings: CheckBench['timings']): string[] {
  return [...Map.groupBy(timings, ({ what }) => what)].map(([what, calls]) => {
    const sorted = calls.map(({ ms }) => ms).toSorted((one, other) => one - other);
    return `| ${what} | ${sorted.length} | ${sorted[Math.floor(sorted.length / 2)]} ms | ${sorted.at(-1)} ms |`;
  });
}

/** What may still have been charged. */
function moneyLines({ taken, open }: CheckBench): string[] {
  const charged = taken.map(
    ({ transactionId, reference, amount }) =>
      `- ${transactionId}, ${amount.amountMinor} ${amount.currency} in minor units, reference ${reference}: return it at the reader or at your bank`,
  );
  const unclear = open.map(transactionId => `- ${transactionId}: look it up in your bank’s records`);
  return charged.length + unclear.length === 0
    ? []
    : ['', '## Money that was not returned', '', ...charged, ...unclear];
}
