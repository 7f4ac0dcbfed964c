import type { DashboardRecord } from '@florin/shared/contracts/api-v1/dashboard.ts';
import { useState } from 'react';
import { useCall, useRead } from '../../api/use-read.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useMay } from '../../session/session.ts';
import { useTexts } from '../../words/texts.ts';
import { overviewTexts } from './texts.ts';

/** The parts of the overview that can be arranged, in the order in which they stand at first, with their width. */
const sizes = { toDo: 'large', today: 'large', days: 'large', latest: 'medium', terminals: 'small' } as const;
export type PartName = keyof typeof sizes;
const all = Object.keys(sizes) as PartName[];
const isPart = (kind: string): kind is PartName => Object.hasOwn(sizes, kind);

/** How wide a part is. */
export const sizeOf = (part: PartName): string => sizes[part];

/** The parts in the user's order, or in the first one; `undefined` until it is known. */
export function useArrangement() {
  const may = useMay();
  const read = useRead('getDashboard', {}, { enabled: may('sales:read') });
  const isKnown = !may('sales:read') || read.data !== undefined || read.isError;
  return { parts: isKnown ? partsOf(read.data) : undefined, mayArrange: may('dashboard:write') };
}

function partsOf(dashboard: DashboardRecord | undefined): readonly PartName[] {
  const kept = dashboard?.cards.map(({ kind }) => kind).filter(isPart) ?? [];
  return kept.length === 0 ? all : kept;
}

type ArrangeProps = { readonly parts: readonly PartName[]; readonly onClose: () => void };

/** Which parts stand on the overview, and in which order: for this user alone. */
function Arrange({ parts, onClose }: ArrangeProps) {
  const { arrange: text } = useTexts(overviewTexts);
  const call = useCall();
  const [order, setOrder] = useState<readonly PartName[]>([...parts, ...all.filter(part => !parts.includes(part))]);
  const [shown, setShown] = useState<ReadonlySet<PartName>>(new Set(parts));
  const { submit, isBusy, message } = useWriteForm();
  const move = (from: number, to: number) => {
    const moved = [...order];
    moved.splice(to, 0, ...moved.splice(from, 1));
    setOrder(moved);
  };
  const save = () => {
    const cards = order.filter(part => shown.has(part)).map(kind => ({ kind, size: sizes[kind], options: {} }));
    void submit({ send: () => call('putDashboard', { body: { cards } }), onDone: onClose });
  };
  return (
    <Dialog title={text.title} onClose={onClose}>
      <Form onSubmit={save} action={text.save} isBusy={isBusy} message={message} onCancel={onClose}>
        <ol className="arrange">
          {order.map((part, index) => (
            <li key={part}>
              <CheckField
                label={text.parts[part]}
                checked={shown.has(part)}
                onChange={({ target }) => {
                  const next = new Set(shown);
                  if (target.checked) next.add(part);
                  else next.delete(part);
                  setShown(next);
                }}
              />
              <IconButton
                icon="up"
                label={text.up(text.parts[part])}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <IconButton
                icon="down"
                label={text.down(text.parts[part])}
                disabled={index === order.length - 1}
                onClick={() => move(index, index + 1)}
              />
            </li>
          ))}
        </ol>
      </Form>
    </Dialog>
  );
}

/** Opens the arrangement. */
export function ArrangeButton({ parts }: { readonly parts: readonly PartName[] }) {
  const { arrange: text } = useTexts(overviewTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="bare" onClick={() => setOpen(true)}>
        {text.open}
      </Button>
      {isOpen ? <Arrange parts={parts} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
