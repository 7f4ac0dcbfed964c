import { useActions } from '../actions.tsx';
import { Button } from '../components/button.tsx';
import { Frame } from '../components/frame.tsx';
import { Notice } from '../components/notice.tsx';
import { useText } from '../words/words.ts';
import type { ScreenProps } from './props.ts';

/** The end of the day of a reader that authorises by itself: what it does, and how its totals compare. */
export function ReaderDayScreen({ screen: { busy, agrees, lines, notice } }: ScreenProps<'reader_day'>) {
  const { readerDay: text } = useText();
  const { send } = useActions();
  return (
    <Frame
      name="reader_day"
      {...(busy ? {} : { onBack: () => void send({ name: 'back' }) })}
      actions={
        <Button look="primary" busy={busy} onPress={() => void send({ name: 'close_reader_day' })}>
          {text.submit}
        </Button>
      }
    >
      <h1 className="work-title" tabIndex={-1}>
        {text.title}
      </h1>
      <Notice notice={notice} isGood={agrees} />
      <div className="report" aria-busy={busy}>
        <p>{text.what}</p>
        <p>{text.when}</p>
        {lines.length === 0 ? null : (
          <dl className="facts">
            {lines.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {busy ? <p role="status">{text.busy}</p> : null}
      </div>
    </Frame>
  );
}
