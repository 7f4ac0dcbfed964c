import type { Figures } from './drill.ts';

/** The figures of a drill, for a person. */
export function told(figures: Figures): string {
  const { perSecond, processorMs, failures, webhooks, violations } = figures;
  const [one = 0] = perSecond;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return [
    figures.isPooled ? 'behind PgBouncer in transaction mode' : 'without PgBouncer, which is not on this machine',
    `${figures.operations} operations`,
    ...perSecond.map(
      (rate, index) =>
        `  ${index + 1} serving: ${rate.toFixed(0)} answers per second, ${(rate / one).toFixed(2)} of one, ${(processorMs[index] ?? 0).toFixed(1)} ms of processor time each`,
    ),
    `primary killed; standby promoted after ${seconds(figures.promotedAfterMs)}, first answer after ${seconds(figures.answeredAfterMs)}`,
    'what callers saw meanwhile, and repeated:',
    ...[...failures].map(([kind, times]) => `  ${times} × ${kind}`),
    `outcomes unknown after the last answer: ${figures.unknown}, all resolved since`,
    `webhooks: ${webhooks.events} events, ${webhooks.received} requests received, ${webhooks.lost} lost, ${webhooks.unexpected} doubled or of no event`,
    violations.length === 0 ? 'nothing lost, nothing doubled' : violations.join('\n'),
  ].join('\n');
}
