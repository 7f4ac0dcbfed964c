import { useWidth } from '../platform/browser.ts';
import { useFormats } from '../words/formats.ts';

/** The series of a chart of money, in the order in which they stand on each other. */
export const series = ['card', 'wallet', 'lightning', 'onchain'] as const;
export type Series = (typeof series)[number];

/** The money of one day. Amounts are positive. */
export type MoneyDay = {
  /** Such as 2026-11-24. */
  readonly day: string;
  readonly taken: Readonly<Record<Series, number>>;
  readonly returned: number;
};

const size = { height: 220, left: 4, right: 64, top: 12, bottom: 28 };
/** A day's label needs this much room. */
const labelWidth = 56;

/** A scale with round numbers: at most four lines above zero. */
function stepFor(largest: number): number {
  const rough = Math.max(1, largest / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find(factor => factor * power >= rough) ?? 10) * power;
}

type ChartProps = { readonly days: readonly MoneyDay[]; readonly currency: string; readonly label: string };

/** Bars of each day: what was taken, by how customers paid, and below zero what was returned. */
export function DayChart({ days, currency, label }: ChartProps) {
  const formats = useFormats();
  const [place, width] = useWidth(760);
  const takenOf = ({ taken }: MoneyDay) => series.reduce((sum, each) => sum + taken[each], 0);
  const most = Math.max(1, ...days.map(takenOf));
  const least = Math.max(0, ...days.map(({ returned }) => returned));
  const step = stepFor(Math.max(most, least));
  const [top, bottom] = [Math.ceil(most / step) * step, Math.ceil(least / step) * step];
  const plot = size.height - size.top - size.bottom;
  const yOf = (value: number) => size.top + (plot * (top - value)) / (top + bottom);
  const end = Math.max(size.left, width - size.right);
  const slot = (end - size.left) / days.length;
  const labelEvery = Math.ceil(labelWidth / slot);
  const lines = Array.from({ length: Math.round((top + bottom) / step) + 1 }, (_, index) => top - index * step);
  const whole = (value: number) => formats.money(value, currency).replace(/[.,]00(?=\D*$)/, '');
  return (
    <div ref={place} className="chart-place">
      <svg
        className="chart"
        viewBox={`0 0 ${width} ${size.height}`}
        width={width}
        height={size.height}
        role="img"
        aria-label={label}
      >
        {lines.map(value => (
          <g key={value}>
            <line
              className={value === 0 ? 'chart-zero' : 'chart-line'}
              x1={size.left}
              x2={end}
              y1={yOf(value)}
              y2={yOf(value)}
            />
            <text x={end + 8} y={yOf(value) + 4}>
              {whole(value)}
            </text>
          </g>
        ))}
        {days.map((day, index) => (
          <g key={day.day}>
            <rect className="chart-day" x={size.left + index * slot} y={size.top} width={slot} height={plot} rx={6}>
              <title>{`${formats.longDay(day.day)}: ${formats.money(takenOf(day) - day.returned, currency)}`}</title>
            </rect>
            <Bar day={day} x={size.left + index * slot + slot * 0.2} width={slot * 0.6} yOf={yOf} />
            <text x={size.left + (index + 0.5) * slot} y={size.height - 8} textAnchor="middle">
              {(days.length - 1 - index) % labelEvery === 0 ? formats.shortDay(day.day) : ''}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

type BarProps = {
  readonly day: MoneyDay;
  readonly x: number;
  readonly width: number;
  readonly yOf: (value: number) => number;
};

function Bar({ day, x, width, yOf }: BarProps) {
  let below = 0;
  const parts = series.flatMap(each => {
    const value = day.taken[each];
    if (value === 0) return [];
    const from = below;
    below += value;
    return [{ each, y: yOf(below), height: Math.max(1, yOf(from) - yOf(below)) }];
  });
  return (
    <g pointerEvents="none">
      {parts.map(({ each, y, height }, index) => (
        <rect
          key={each}
          className={`series-${each}`}
          x={x}
          y={y}
          width={width}
          height={height}
          rx={index === parts.length - 1 ? 3 : 0}
        />
      ))}
      {day.returned === 0 ? null : (
        <rect className="series-returned" x={x} y={yOf(0)} width={width} height={yOf(-day.returned) - yOf(0)} rx={3} />
      )}
    </g>
  );
}
