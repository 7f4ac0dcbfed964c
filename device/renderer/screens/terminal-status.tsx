import { type ReactNode, useContext } from 'react';
import type { Screen, StatusLevel } from '../../ipc/view.ts';
import { useActions } from '../actions.tsx';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { AttentionIcon, CheckIcon, CrossIcon, ReaderIcon } from '../components/icons.tsx';
import { AlertsContext, type Formats, useFormats } from '../formats.tsx';
import type { StaffText } from '../words/en.ts';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';

type Status = Extract<Screen, { name: 'terminal_status' }>;
type Row = {
  readonly label: string;
  readonly level: StatusLevel;
  readonly value: string;
  /** More about it, or what to do. */
  readonly detail: string | null;
};

const icons: Record<StatusLevel, ReactNode> = { fine: <CheckIcon />, look: <AttentionIcon />, wrong: <CrossIcon /> };
/** What this terminal knows of itself: each row is fine, wants a look, or is wrong, and then says what to do. */
export function TerminalStatusScreen({ screen }: ScreenProps<'terminal_status'>) {
  const text = useText();
  const words = text.statusPage;
  const { send } = useActions();
  const formats = useFormats();
  const alerts = useContext(AlertsContext);
  const { supportCode } = screen;
  return (
    <Frame
      name="terminal_status"
      summary={
        <>
          <h1 className="summary-label" tabIndex={-1}>
            {words.title}
          </h1>
          <p className="summary-note">{words.supportCode}</p>
          <p className="support-code">
            <span aria-hidden="true">{`${supportCode.slice(0, 3)} ${supportCode.slice(3)}`}</span>
            <span className="visually-hidden">{Array.from(supportCode).join(' ')}</span>
          </p>
          <p className="summary-note">{words.supportCodeHint}</p>
        </>
      }
      onBack={() => void send({ name: 'back' })}
      actions={
        <Button
          icon={<ReaderIcon />}
          busy={screen.reader.test.state === 'asking'}
          onPress={() => void send({ name: 'test_reader' })}
        >
          {words.testReader}
        </Button>
      }
    >
      <ul className="status-rows" aria-label={words.title}>
        {rowsOf(screen, alerts, { formats, text }).map(row => (
          <li key={row.label} className="status-row" data-level={row.level}>
            <span className="status-row-icon" aria-hidden="true">
              {icons[row.level]}
            </span>
            <div>
              <p className="status-row-label">
                {row.label}
                <span className="visually-hidden">: {words.levels[row.level]}</span>
              </p>
              <p className="status-row-value">{row.value}</p>
              {row.detail === null ? null : <p className="status-row-detail">{row.detail}</p>}
            </div>
          </li>
        ))}
      </ul>
    </Frame>
  );
}

function rowsOf(
  status: Status,
  alerts: readonly { readonly message: string }[],
  { formats, text }: { readonly formats: Formats; readonly text: StaffText },
): Row[] {
  const words = text.statusPage;
  const { network, service, reader, printer, outbox, clock, versions } = status;
  const since = formats.isToday(service.since) ? formats.time(service.since) : formats.moment(service.since);
  return [
    {
      label: words.network,
      level: network.level,
      value: network.level === 'fine' ? words.networkConnected : words.networkMissing,
      detail: network.level === 'fine' ? network.addresses.join(' · ') || null : words.networkAdvice,
    },
    {
      label: words.service,
      level: service.level,
      value: words.serviceSince(text.service[service.state], since),
      // Without a network, what to do is in its own row.
      detail:
        service.level === 'fine' || network.level === 'wrong'
          ? service.address
          : `${service.address} · ${words.serviceAdvice}`,
    },
    {
      label: words.reader,
      level: reader.level,
      value: readerValue(reader, text),
      detail: readerDetail(reader, text.statusPage),
    },
    {
      label: words.printer,
      level: printer.level,
      value: printer.state === 'trouble' ? printer.message : words.printerStates[printer.state],
      detail: printer.state === 'trouble' ? printer.remedy : null,
    },
    {
      label: words.outbox,
      level: outbox.level,
      value: outbox.waiting === 0 ? words.nothingWaits : words.waiting(outbox.waiting),
      detail:
        outbox.level === 'fine'
          ? null
          : words.outboxAdvice(outbox.oldestAt === null ? null : formats.moment(outbox.oldestAt)),
    },
    {
      label: words.clock,
      level: clock.level,
      value: clock.aheadMs === null ? words.clockUnknown : words.clockDiffers(clock.aheadMs),
      detail: clock.level === 'fine' ? null : clock.aheadMs === null ? words.clockUnknownAdvice : words.clockAdvice,
    },
    {
      label: words.alerts,
      level: status.alerts.level,
      value: alerts.length === 0 ? words.noAlerts : alerts.map(({ message }) => message).join(' · '),
      detail: alerts.length === 0 ? null : words.alertsAdvice,
    },
    {
      label: words.versions,
      level: 'fine',
      value: words.versionsOf(versions.terminal, versions.service ?? words.unknownVersion),
      detail: null,
    },
  ];
}

function readerValue({ connection, batteryPercent, test }: Status['reader'], text: StaffText): string {
  const state =
    test.state === 'not_asked' || test.state === 'asking' ? text.reader[connection] : text.statusPage.tested(test);
  return batteryPercent === null ? state : `${state} · ${text.battery(batteryPercent)}`;
}

function readerDetail(
  { level, connection, attention, firmware, serial }: Status['reader'],
  words: StaffText['statusPage'],
): string | null {
  if (attention !== null) return attention;
  if (level !== 'fine') return words.readerAdvice[connection] ?? words.lowBattery;
  return firmware === null ? serial : words.firmware(firmware, serial);
}
