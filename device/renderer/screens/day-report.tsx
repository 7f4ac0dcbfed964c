import { useActions } from '../actions.tsx';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { PrinterIcon } from '../components/icons.tsx';
import { Notice } from '../components/notice.tsx';
import { Tool } from '../components/receipt-tools.tsx';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';

const dayMs = 86_400_000;

/** The date so many days later, as YYYY-MM-DD. */
function daysLater(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** What was taken and returned on a day, on this terminal or in the business. */
export function DayReportScreen({ screen }: ScreenProps<'day_report'>) {
  const text = useText();
  const { send } = useActions();
  const { date, scope, busy, isToday, sections, print } = screen;
  const show = (change: { date?: string; scope?: typeof scope }) =>
    void send({ name: 'show_day_report', date, scope, ...change });
  const printed = print === 'printed' ? text.print.done : undefined;
  const other = scope === 'terminal' ? 'business' : 'terminal';
  return (
    <Frame
      name="day_report"
      onBack={() => void send({ name: 'back' })}
      actions={
        <>
          <Button onPress={() => show({ date: daysLater(date, -1) })}>{text.dayReport.before}</Button>
          <Button disabled={isToday} onPress={() => show({ date: daysLater(date, 1) })}>
            {text.dayReport.after}
          </Button>
        </>
      }
    >
      <div className="list-head">
        <h1 className="work-title" tabIndex={-1}>
          {text.dayReport.title}
        </h1>
        <Button onPress={() => show({ scope: other })}>{text.dayReport.show[other]}</Button>
        {print === null ? null : (
          // Not marked as a copy: the totals may have changed since.
          <Tool
            name="report-print"
            look="plain"
            label={text.print[print === 'printed' ? 'failed' : print]}
            done={printed}
            busy={print === 'printing'}
            icon={<PrinterIcon />}
            onPress={() => void send({ name: 'print_day_report' })}
          />
        )}
      </div>
      <p className="visually-hidden" role="status">
        {printed}
      </p>
      <Notice notice={screen.notice} />
      <div className="report" aria-busy={busy}>
        {sections.map(({ title, lines }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other identity, and no state
          <section key={index}>
            {title === null ? null : <h2>{title}</h2>}
            <dl className="facts">
              {lines.map(({ label, value }) => (
                <div key={`${label} ${value}`}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        {screen.hasReaderDay ? (
          <Button onPress={() => void send({ name: 'show_reader_day' })}>{text.readerDay.title}</Button>
        ) : null}
      </div>
      {busy && sections.length === 0 ? (
        <p className="empty" role="status">
          <span className="spinner spinner-large" aria-hidden="true" />
          {text.dayReport.loading}
        </p>
      ) : null}
    </Frame>
  );
}
