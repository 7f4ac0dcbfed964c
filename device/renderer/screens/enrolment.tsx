import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { Frame } from '../components/frame.tsx';
import { Mark } from '../components/icons.tsx';
import { CodeKeys } from '../components/keys.tsx';
import { Notice } from '../components/notice.tsx';
import { useIntents } from '../intents.tsx';
import { text } from '../text.ts';
import type { ScreenProps } from './props.ts';

export function EnrolmentScreen({ screen }: ScreenProps<'enrolment'>) {
  const { send } = useIntents();
  const [code, setCode] = useState('');
  const given = code.trim();
  return (
    <Frame
      name="enrolment"
      tally={
        <>
          <span className="tally-mark">
            <Mark />
          </span>
          <h1 className="tally-title" tabIndex={-1}>
            {text.enrolment.title}
          </h1>
          <p className="tally-note">{text.enrolment.detail}</p>
          <Notice notice={screen.notice} />
        </>
      }
      onSubmit={() => {
        if (given !== '' && !screen.busy) void send({ name: 'enrol', code: given });
      }}
      actions={
        <Button look="primary" submits wide disabled={given === ''} busy={screen.busy}>
          {screen.busy ? text.enrolment.busy : text.enrolment.submit}
        </Button>
      }
    >
      <Field label={text.enrolment.code} value={code} onChange={setCode} maxLength={32} disabled={screen.busy} spaced />
      <CodeKeys
        label={text.enrolment.keys}
        disabled={screen.busy}
        onKey={character => setCode(typed => (typed.length < 32 ? typed + character : typed))}
        onDelete={() => setCode(typed => typed.slice(0, -1))}
      />
    </Frame>
  );
}
