import { useId, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { Frame } from '../components/frame.tsx';
import { CheckIcon, LockIcon } from '../components/icons.tsx';
import { Keys } from '../components/keys.tsx';
import { PasswordField, takePassword } from '../components/password-field.tsx';
import { ReturningTally } from '../components/sale-facts.tsx';
import { countdown, useFormats } from '../formats.tsx';
import { useIntents } from '../intents.tsx';
import { useNow } from '../platform/time.ts';
import { text } from '../text.ts';
import type { ScreenProps } from './props.ts';

const longestStaffNumber = 32;

export function StaffIdScreen({ screen }: ScreenProps<'staff_id'>) {
  const { send } = useIntents();
  const [staffNumber, setStaffNumber] = useState('');
  const [entry, setEntry] = useState(screen.entry);
  if (entry !== screen.entry) {
    setEntry(screen.entry);
    setStaffNumber('');
  }
  const given = staffNumber.trim();
  return (
    <Frame
      name="staff_id"
      tally={<ReturningTally returning={screen.returning} notice={screen.notice} />}
      onBack={() => void send({ name: 'back' })}
      onSubmit={() => {
        if (given !== '' && !screen.busy) void send({ name: 'enter_staff_number', staffNumber: given });
      }}
      actions={
        <Button look="primary" submits disabled={given === ''} busy={screen.busy}>
          {screen.busy ? text.staffId.busy : text.staffId.submit}
        </Button>
      }
    >
      <h1 className="work-title" tabIndex={-1}>
        {text.staffId.title}
      </h1>
      <Field
        label={text.staffId.detail}
        value={staffNumber}
        onChange={setStaffNumber}
        maxLength={longestStaffNumber}
        disabled={screen.busy}
        attempt={screen.notice?.message}
      />
      <Keys
        label={text.staffId.keys}
        disabled={screen.busy}
        onKey={digit => setStaffNumber(typed => (typed.length < longestStaffNumber ? typed + digit : typed))}
        onDelete={() => setStaffNumber(typed => typed.slice(0, -1))}
        corner={{ label: text.keypad.clear, press: () => setStaffNumber('') }}
      />
    </Frame>
  );
}

export function StaffPasswordScreen({ screen }: ScreenProps<'staff_password'>) {
  const { send } = useIntents();
  const input = useRef<HTMLInputElement>(null);
  const [empty, setEmpty] = useState(true);
  return (
    <Frame
      name="staff_password"
      tally={<ReturningTally returning={screen.returning} notice={screen.notice} />}
      onBack={() => void send({ name: 'back' })}
      onSubmit={() => {
        if (empty || screen.busy) return;
        const password = takePassword(input);
        setEmpty(true);
        void send({ name: 'enter_password', password });
      }}
      actions={
        <Button look="primary" submits disabled={empty} busy={screen.busy}>
          {screen.busy ? text.password.busy : text.password.submit[screen.returning.kind]}
        </Button>
      }
    >
      <h1 className="work-title" tabIndex={-1}>
        {text.password.title(screen.staffName)}
      </h1>
      <PasswordField
        label={text.password.label}
        input={input}
        onInput={() => setEmpty(input.current?.value === '')}
        disabled={screen.busy}
        first
        attempt={screen.notice?.message}
      />
    </Frame>
  );
}

function Rule({ met, children }: { met: boolean; children: string }) {
  return (
    <li data-met={met}>
      <span className="rule-mark">{met ? <CheckIcon /> : null}</span>
      <span>
        {children}
        {met ? <span className="aloud"> ({text.newPassword.met})</span> : null}
      </span>
    </li>
  );
}

export function NewPasswordScreen({ screen }: ScreenProps<'new_password'>) {
  const { send } = useIntents();
  const words = text.newPassword;
  const password = useRef<HTMLInputElement>(null);
  const repeated = useRef<HTMLInputElement>(null);
  const rulesId = useId();
  const [met, setMet] = useState({ long: false, same: false });
  const look = () => {
    const first = password.current?.value ?? '';
    setMet({
      long: first.length >= words.minimumLength && first.length <= words.maximumLength,
      same: first !== '' && first === repeated.current?.value,
    });
  };
  const ready = met.long && met.same;
  return (
    <Frame
      name="new_password"
      tally={<ReturningTally returning={screen.returning} notice={screen.notice} />}
      onBack={() => void send({ name: 'back' })}
      onSubmit={() => {
        if (!ready || screen.busy) return;
        const chosen = { password: takePassword(password), repeated: takePassword(repeated) };
        setMet({ long: false, same: false });
        void send({ name: 'choose_password', ...chosen });
      }}
      actions={
        <Button look="primary" submits disabled={!ready} busy={screen.busy}>
          {screen.busy ? words.busy : words.submit}
        </Button>
      }
    >
      <h1 className="work-title" tabIndex={-1}>
        {words.title}
      </h1>
      <p className="work-detail">{words.detail(screen.staffName)}</p>
      <PasswordField
        label={words.label}
        input={password}
        onInput={look}
        onEnter={() => {
          if (met.long && !met.same) repeated.current?.focus();
        }}
        disabled={screen.busy}
        first
        describedBy={rulesId}
        attempt={screen.notice?.message}
      />
      <PasswordField label={words.repeat} input={repeated} onInput={look} disabled={screen.busy} />
      <ul id={rulesId} className="rules" aria-label={words.rules}>
        <Rule met={met.long}>{words.long}</Rule>
        <Rule met={met.same}>{words.same}</Rule>
        <li>
          <span className="rule-mark">•</span>
          <span>{words.notStaffId}</span>
        </li>
      </ul>
    </Frame>
  );
}

export function LockedOutScreen({ screen }: ScreenProps<'locked_out'>) {
  const { send } = useIntents();
  const formats = useFormats();
  const now = useNow(1000);
  const { lockedUntil } = screen;
  const words = text.lockedOut;
  return (
    <Frame
      name="locked_out"
      tone="attention"
      onBack={() => void send({ name: 'back' })}
      tally={
        <div className="poster">
          <LockIcon />
          <h1 tabIndex={-1}>{screen.notice.message}</h1>
          {screen.notice.detail === null ? null : <p>{screen.notice.detail}</p>}
          {lockedUntil === null ? null : lockedUntil > now ? (
            <p className="lockout">
              {/* The message itself may already say until when. */}
              {screen.notice.message === words.until(formats.time(lockedUntil)) ? null : (
                <span>{words.until(formats.time(lockedUntil))}</span>
              )}
              <span className="lockout-label">{words.left}</span>
              <strong role="timer">{countdown(lockedUntil - now)}</strong>
            </p>
          ) : (
            <p className="lockout" role="status">
              <strong>{words.over}</strong>
              <span>{words.overDetail}</span>
            </p>
          )}
        </div>
      }
    />
  );
}
