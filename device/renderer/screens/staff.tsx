import { type RefObject, useId, useRef, useState } from 'react';
import type { Authorised } from '../../ipc/view.ts';
import { useActions } from '../actions.tsx';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { Frame } from '../components/frame.tsx';
import { CheckIcon, InfoIcon, LockIcon } from '../components/icons.tsx';
import { deleteFrom, Keyboard, typeInto } from '../components/keyboard.tsx';
import { Keys } from '../components/keys.tsx';
import { Notice } from '../components/notice.tsx';
import { PasswordField, takePassword } from '../components/password-field.tsx';
import { AuthorisedSummary, ReturnedSale, summaryTone } from '../components/sale-facts.tsx';
import { countdown, useFormats, useServiceTime } from '../formats.tsx';
import type { StaffText } from '../words/en.ts';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';
import { OutcomeText } from './result.tsx';

const maxStaffNumberLength = 32;

/** The first step of a staff check: the staff number of the person who authorises. It starts empty at each entry. */
export function StaffIdScreen({ screen }: ScreenProps<'staff_id'>) {
  const text = useText();
  const { send } = useActions();
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
      tone={summaryTone(screen.authorised)}
      summary={<AuthorisedSummary authorised={screen.authorised} />}
      onBack={() => void send({ name: 'back' })}
      onSubmit={() => {
        if (given !== '' && !screen.busy) void send({ name: 'enter_staff_number', staffNumber: given });
      }}
      actions={
        <Button look="primary" submits disabled={given === ''} busy={screen.busy}>
          {screen.busy ? text.staffId.busy : text.staffId.submit}
        </Button>
      }
      entry={
        <>
          <Notice notice={given === '' ? screen.notice : null} />
          <Field
            label={approvesFor(screen.authorised) === null ? text.staffId.title : text.staffId.approverTitle}
            asHeading
            value={staffNumber}
            onChange={setStaffNumber}
            maxLength={maxStaffNumberLength}
            disabled={screen.busy}
            attempt={screen.notice?.message}
          />
        </>
      }
    >
      <Keys
        label={text.staffId.keys}
        disabled={screen.busy}
        onKey={digit => setStaffNumber(typed => (typed.length < maxStaffNumberLength ? typed + digit : typed))}
        onDelete={() => setStaffNumber(typed => typed.slice(0, -1))}
        corner={{ label: text.keypad.clear, press: () => setStaffNumber('') }}
      />
    </Frame>
  );
}

/** The staff member whose request a second one is about to approve. */
function approvesFor(authorised: Authorised): string | null {
  return 'sale' in authorised ? authorised.approvesFor : null;
}

function submitWords(authorised: Authorised, text: StaffText): string {
  return 'sale' in authorised && authorised.approvesFor !== null
    ? text.password.approve[authorised.kind]
    : text.password.submit[authorised.kind];
}

/** The second step of a staff check. Sending empties the field, so after a refusal the password is typed again. */
export function StaffPasswordScreen({ screen }: ScreenProps<'staff_password'>) {
  const text = useText();
  const { send } = useActions();
  const input = useRef<HTMLInputElement>(null);
  const [empty, setEmpty] = useState(true);
  return (
    <Frame
      name="staff_password"
      tone={summaryTone(screen.authorised)}
      summary={<AuthorisedSummary authorised={screen.authorised} brief />}
      onBack={() => void send({ name: 'back' })}
      onSubmit={() => {
        if (empty || screen.busy) return;
        const password = takePassword(input);
        setEmpty(true);
        void send({ name: 'enter_password', password });
      }}
      keyboard={
        <Keyboard
          kind="password"
          label={text.keyboard.title}
          disabled={screen.busy}
          onKey={character => typeInto(input, character)}
          onDelete={() => deleteFrom(input)}
        />
      }
      actions={
        <Button
          look={summaryTone(screen.authorised) === 'return' ? 'return' : 'primary'}
          submits
          disabled={empty}
          busy={screen.busy}
        >
          {screen.busy ? text.password.busy : submitWords(screen.authorised, text)}
        </Button>
      }
    >
      <div className="fields">
        <PasswordField
          label={text.password.title(screen.staffName)}
          asHeading
          input={input}
          onInput={() => setEmpty(input.current?.value === '')}
          disabled={screen.busy}
          first
          attempt={screen.notice?.message}
        />
      </div>
      <Notice notice={screen.notice} />
    </Frame>
  );
}

function Rule({ met, children }: { met: boolean; children: string }) {
  const text = useText();
  return (
    <li data-met={met}>
      <span className="rule-mark">{met ? <CheckIcon /> : null}</span>
      <span>
        {children}
        {met ? <span className="visually-hidden"> ({text.newPassword.met})</span> : null}
      </span>
    </li>
  );
}

type InputRef = RefObject<HTMLInputElement | null>;

/** The rules that the two entries meet; call `check` after a change. */
function usePasswordRules(password: InputRef, repeated: InputRef) {
  const text = useText();
  const { minimumLength, maximumLength } = text.newPassword;
  const [met, setMet] = useState({ long: false, same: false, begun: false, touched: false });
  const check = () => {
    const first = password.current?.value ?? '';
    const length = Array.from(first).length;
    const second = repeated.current?.value ?? '';
    setMet({
      long: length >= minimumLength && length <= maximumLength,
      same: first !== '' && first === second,
      begun: second !== '',
      touched: first !== '' || second !== '',
    });
  };
  return { met, check };
}

function PasswordRules({ id, met }: { id: string; met: { readonly long: boolean; readonly same: boolean } }) {
  const text = useText();
  const words = text.newPassword;
  return (
    <ul id={id} className="rules" aria-label={words.rules}>
      <Rule met={met.long}>{words.long}</Rule>
      <Rule met={met.same}>{words.same}</Rule>
      <li>
        <span className="rule-mark rule-note">
          <InfoIcon />
        </span>
        <span>{words.notStaffId}</span>
      </li>
    </ul>
  );
}

/** Shown if the password is temporary: the staff member chooses another one before anything is authorised. */
export function NewPasswordScreen({ screen }: ScreenProps<'new_password'>) {
  const text = useText();
  const { send } = useActions();
  const words = text.newPassword;
  const password = useRef<HTMLInputElement>(null);
  const repeated = useRef<HTMLInputElement>(null);
  /** The field the on-screen keyboard types into. */
  const [current, setCurrent] = useState(password);
  const rulesId = useId();
  const { met, check } = usePasswordRules(password, repeated);
  const ready = met.long && met.same;
  const canContinue = met.long && !met.begun;
  return (
    <Frame
      name="new_password"
      tone={summaryTone(screen.authorised)}
      summary={<AuthorisedSummary authorised={screen.authorised} brief />}
      onBack={() => void send({ name: 'back' })}
      onSubmit={() => {
        if (!ready || screen.busy) return;
        const chosen = { password: takePassword(password), repeated: takePassword(repeated) };
        check();
        void send({ name: 'choose_password', ...chosen });
      }}
      keyboard={
        <Keyboard
          kind="password"
          label={text.keyboard.title}
          disabled={screen.busy}
          onKey={character => typeInto(current, character)}
          onDelete={() => deleteFrom(current)}
        />
      }
      actions={
        canContinue ? (
          <Button look="primary" onPress={() => repeated.current?.focus()}>
            {words.next}
          </Button>
        ) : (
          <Button look="primary" submits disabled={!ready} busy={screen.busy}>
            {screen.busy ? words.busy : words.submit}
          </Button>
        )
      }
    >
      <h1 className="work-title" tabIndex={-1}>
        {words.title}
      </h1>
      <p className="work-detail">{words.detail(screen.staffName)}</p>
      <div className="fields">
        <PasswordField
          label={words.label}
          input={password}
          onInput={check}
          onFocus={() => setCurrent(password)}
          onEnter={() => {
            if (met.long && !met.same) repeated.current?.focus();
          }}
          disabled={screen.busy}
          first
          describedBy={rulesId}
          attempt={screen.notice?.message}
        />
        <PasswordField
          label={words.repeat}
          input={repeated}
          onInput={check}
          onFocus={() => setCurrent(repeated)}
          disabled={screen.busy}
        />
      </div>
      <Notice notice={met.touched ? null : screen.notice} />
      <PasswordRules id={rulesId} met={met} />
    </Frame>
  );
}

/** Shown during a lockout, with the time left if known. Back returns to the staff ID, for a colleague to continue. */
export function LockedOutScreen({ screen }: ScreenProps<'locked_out'>) {
  const text = useText();
  const { send } = useActions();
  const formats = useFormats();
  const now = useServiceTime();
  const { lockedUntil, notice, authorised } = screen;
  const words = text.lockedOut;
  const isOver = lockedUntil !== null && lockedUntil <= now;
  return (
    <Frame
      name="locked_out"
      tone={isOver ? summaryTone(authorised) : 'attention'}
      onBack={() => void send({ name: 'back' })}
      backTo={words.back}
      summary={
        <>
          <p className="summary-label">{text.returning[authorised.kind]}</p>
          <span className="outcome-icon">
            <LockIcon />
          </span>
          <h1 className="summary-title" tabIndex={-1}>
            {isOver ? words.over : notice.message}
          </h1>
          {'sale' in authorised ? <ReturnedSale returning={authorised} /> : null}
        </>
      }
    >
      <div className="outcome">
        {lockedUntil === null ? null : isOver ? (
          <p className="outcome-text outcome-text-first" role="status">
            {words.overDetail}
          </p>
        ) : (
          <p className="lockout">
            <span className="lockout-label">{words.left}</span>
            <strong role="timer">{countdown(lockedUntil - now)}</strong>
            {/* The message itself may already say until when. */}
            {notice.message === words.until(formats.time(lockedUntil)) ? null : (
              <span>{words.until(formats.time(lockedUntil))}</span>
            )}
          </p>
        )}
        {notice.detail === null || isOver ? null : <OutcomeText detail={notice.detail} />}
      </div>
    </Frame>
  );
}
