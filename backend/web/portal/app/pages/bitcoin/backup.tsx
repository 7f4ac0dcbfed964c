import { useState } from 'react';
import { callFor } from '../../api/call.ts';
import { Button } from '../../components/button.tsx';
import { FormProblem } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { bytesOf } from '../../platform/base64.ts';
import { download } from '../../platform/browser.ts';
import { clock } from '../../platform/time.ts';
import { useBusiness } from '../../session/session.ts';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useProblemWords } from '../../words/problem-words.ts';
import { useTexts } from '../../words/texts.ts';
import { bitcoinTexts } from './texts.ts';

/** The backup of the node's channels, as a file. It is read when it is asked for, and kept nowhere. */
export function Backup() {
  const text = useTexts(bitcoinTexts);
  const formats = useFormats();
  const wordsOf = useProblemWords();
  const { id } = useBusiness();
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string>();
  const save = async () => {
    setBusy(true);
    setMessage(undefined);
    const answer = await callFor(id, 'getBackup', {});
    setBusy(false);
    if (!answer.ok) return setMessage(wordsOf(answer));
    download(`channels-${formats.dayOf(clock.now())}.backup`, bytesOf(answer.body.data));
    toast(text.downloaded(formats.number(answer.body.channels)));
  };
  return (
    <Card title={text.backup}>
      <div className="form">
        <FormProblem message={message} />
        <p className="muted">{text.backupWhy}</p>
        <div className="row-actions start">
          <Button icon="download" isBusy={isBusy} onClick={() => void save()}>
            {text.download}
          </Button>
        </div>
      </div>
    </Card>
  );
}
