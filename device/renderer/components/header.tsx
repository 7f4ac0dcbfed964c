import type { ReactNode } from 'react';
import { Button as PressButton } from 'react-aria-components/Button';
import type { Header as HeaderView } from '../../ipc/view.ts';
import { useActions } from '../actions.tsx';
import { useHeldFor } from '../platform/time.ts';
import { useText } from '../words/words.ts';
import { AttentionIcon, BatteryIcon, CloudIcon, Mark, ReaderIcon, SendIcon } from './icons.tsx';

const waitingShowsAfterMs = 3_000;

type Tone = 'calm' | 'waiting' | 'alert';

function Status({ tone, icon, children }: { tone: Tone; icon: ReactNode; children: ReactNode }) {
  return (
    <li className="status" data-tone={tone}>
      {icon}
      <span className="status-words">{children}</span>
    </li>
  );
}

const readerTones: Record<HeaderView['reader']['connection'], Tone> = {
  searching: 'waiting',
  connecting: 'waiting',
  ready: 'calm',
  busy: 'calm',
  lost: 'alert',
  incompatible: 'alert',
};

/** The bar above the screens for staff: names, entries to be sent, and the state of the service and the reader. */
export function Header({ header }: { header: HeaderView }) {
  const text = useText();
  const { reader, service, waitingToSync } = header;
  const { send } = useActions();
  // Entries that are sent at once are not shown.
  const isWaiting = useHeldFor(waitingToSync > 0, waitingShowsAfterMs);
  // A terminal that is not enrolled has nothing to connect to yet.
  const isEnrolled = header.terminalName !== null;
  const serviceTone = service === 'online' ? 'calm' : service === 'offline' ? 'alert' : 'waiting';
  return (
    <header className="header">
      <div className="header-who">
        <Mark />
        <p className="header-names">
          <strong>{header.businessName ?? text.product}</strong>
          <span>{header.terminalName ?? text.notEnrolled}</span>
        </p>
      </div>
      {isWaiting ? (
        <p className="status header-waiting" data-tone="waiting">
          <SendIcon />
          <span className="status-words">
            <span aria-hidden="true">{text.waitingToSync(waitingToSync)}</span>
            <span className="visually-hidden">{text.waitingToSyncSpoken(waitingToSync)}</span>
          </span>
        </p>
      ) : null}
      <ul className="header-status" aria-label={text.terminalStatus}>
        {isEnrolled || service !== 'connecting' ? (
          <Status tone={serviceTone} icon={<CloudIcon off={service === 'offline'} />}>
            {text.service[service]}
          </Status>
        ) : null}
        <Status tone={readerTones[reader.connection]} icon={<ReaderIcon />}>
          {text.reader[reader.connection]}
        </Status>
        {reader.batteryPercent === null ? null : (
          <Status
            tone={reader.batteryPercent < 15 ? 'alert' : 'calm'}
            icon={<BatteryIcon percent={reader.batteryPercent} />}
          >
            <span aria-hidden="true">{text.percent(reader.batteryPercent)}</span>
            <span className="visually-hidden">{text.battery(reader.batteryPercent)}</span>
          </Status>
        )}
      </ul>
      {header.mayShowStatus ? (
        <PressButton className="header-open" onPress={() => void send({ name: 'show_status' })}>
          <span className="visually-hidden">{text.statusPage.open}</span>
        </PressButton>
      ) : null}
    </header>
  );
}

/** Warnings on every screen: the service is unreachable, or the reader needs attention. */
export function Banners({ header }: { header: HeaderView }) {
  const text = useText();
  return (
    <div className="banners" role="status">
      {header.service === 'offline' ? (
        <p className="banner">
          <AttentionIcon />
          <span>
            <strong>{text.offline.title}</strong> {/* Customers' terminals have no list of sales. */}
            {header.mode === 'kiosk' ? null : <span className="banner-detail">{text.offline.detail}</span>}
          </span>
        </p>
      ) : null}
      <Alerts alerts={header.alerts} />
      {header.reader.attention === null ? null : (
        <p className="banner">
          <AttentionIcon />
          <strong>{header.reader.attention}</strong>
        </p>
      )}
    </div>
  );
}

/** One line for any number of alerts. */
function Alerts({ alerts }: { alerts: HeaderView['alerts'] }) {
  const [first] = alerts;
  if (first === undefined) return null;
  return (
    <p className="banner">
      <AttentionIcon />
      <span>
        <strong>{alerts.map(({ message }) => message).join(' · ')}</strong>{' '}
        {alerts.length === 1 ? <span className="banner-detail">{first.detail}</span> : null}
      </span>
    </p>
  );
}
