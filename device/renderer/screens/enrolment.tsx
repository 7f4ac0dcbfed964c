import { useState } from 'react';
import { useActions } from '../actions.tsx';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { Frame } from '../components/frame.tsx';
import { Mark } from '../components/icons.tsx';
import { Keyboard } from '../components/keyboard.tsx';
import { LanguageButton } from '../components/language-button.tsx';
import { Notice } from '../components/notice.tsx';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';

const maxCodeLength = 32;

/** Shown until the terminal is enrolled, also after it was removed: staff type the code that a manager created. */
export function EnrolmentScreen({ screen }: ScreenProps<'enrolment'>) {
  const text = useText();
  const { send } = useActions();
  const [code, setCode] = useState('');
  const given = code.trim();
  return (
    <Frame
      name="enrolment"
      summary={
        <>
          <div className="summary-head">
            <span className="summary-mark">
              <Mark />
            </span>
            <LanguageButton look="onSummary" />
          </div>
          <h1 className="summary-title" tabIndex={-1}>
            {text.enrolment.title}
          </h1>
          <p className="summary-note">{text.enrolment.detail}</p>
        </>
      }
      onSubmit={() => {
        if (given !== '' && !screen.busy) void send({ name: 'enrol', code: given });
      }}
      keyboard={
        <Keyboard
          kind="code"
          label={text.keyboard.title}
          disabled={screen.busy}
          onKey={character => setCode(typed => (typed.length < maxCodeLength ? typed + character : typed))}
          onDelete={() => setCode(typed => typed.slice(0, -1))}
        />
      }
      actions={
        <Button look="primary" submits wide disabled={given === ''} busy={screen.busy}>
          {screen.busy ? text.enrolment.busy : text.enrolment.submit}
        </Button>
      }
    >
      <div className="fields">
        <Field
          label={text.enrolment.code}
          value={code}
          onChange={setCode}
          maxLength={maxCodeLength}
          disabled={screen.busy}
          spaced
          attempt={screen.notice?.message}
        />
      </div>
      <Notice notice={screen.notice} />
    </Frame>
  );
}
