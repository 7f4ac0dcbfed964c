import { live, rest } from './day.ts';
import { type HourSample, type Leak, leakOf, Watch } from './hours.ts';
import { type DayVerdict, judgeDay } from './judge.ts';
import { type DayPlan, plannedDay, type Scale } from './plan.ts';
import type { Noted } from './roll.ts';
import { TradeShop } from './shop.ts';

export type DayReport = DayVerdict & {
  readonly hours: readonly HourSample[];
  /** Undefined where terminals are switched off between customers. */
  readonly leak: Leak | undefined;
  readonly roll: readonly Noted[];
};

/** Lives through a day and judges it. A shop that comes to a halt is a verdict, too. */
export async function runDay(
  scale: Scale,
  tell: { readonly planned?: (plan: DayPlan) => void; readonly hour?: (sample: HourSample) => void } = {},
): Promise<DayReport> {
  const plan = plannedDay(scale);
  tell.planned?.(plan);
  const shop = await TradeShop.open(plan, scale.seed);
  const watch = new Watch(shop);
  let verdict: DayVerdict;
  try {
    await live(shop, () => tell.hour?.(watch.sample()));
    await rest(shop);
    verdict = await judgeDay(shop);
  } catch (error) {
    const why = error instanceof Error ? `${error.message} ${error.stack?.split('\n')[1]?.trim()}` : String(error);
    verdict = { shop: undefined, terminals: [], explained: [], wrong: [`the day came to a halt: ${why}`] };
  } finally {
    await shop.premises.close();
  }
  return {
    ...verdict,
    hours: watch.samples,
    leak: plan.areSwitchedOff ? undefined : leakOf(watch.samples),
    roll: shop.roll.lines,
  };
}
