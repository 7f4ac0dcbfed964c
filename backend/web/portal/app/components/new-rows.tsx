import { useLive } from '../api/live.ts';
import { useFormats } from '../words/formats.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';

/** New rows wait here until they are asked for, so that nothing moves while it is read; and since when nothing came. */
export function NewRows({ onShow }: { readonly onShow: () => void }) {
  const words = useWords();
  const formats = useFormats();
  const { arrived, staleSince, forgetArrived } = useLive();
  const show = () => {
    forgetArrived();
    onShow();
  };
  return (
    <div className="new-rows" role="status">
      {arrived.size === 0 ? null : (
        <Button icon="plus" onClick={show}>
          {words.list.arrived(arrived.size)}
        </Button>
      )}
      {staleSince === undefined ? null : (
        <span className="small muted">{words.states.stale(formats.time(staleSince))}</span>
      )}
    </div>
  );
}
