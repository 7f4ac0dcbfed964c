import type { StaffRecord } from '@florin/shared/contracts/api-v1/staff.ts';
import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { type RowChoice, RowMenu } from '../../components/row-menu.tsx';
import { useOpenPage } from '../../shell/page-link.tsx';
import { complain, report, toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { StaffDrawer, type TemporaryPassword } from './staff-drawer.tsx';
import { staffTexts } from './texts.ts';

type Props = {
  readonly member: StaffRecord;
  readonly isLocked: boolean;
  readonly onPassword: (given: TemporaryPassword) => void;
};

/** What can be done with a member of staff; a lockout is ended with one press. */
export function StaffActions({ member, isLocked, onPassword }: Props) {
  const text = useTexts(staffTexts);
  const call = useCall();
  const openPage = useOpenPage();
  const [open, setOpen] = useState<'edit' | 'reset'>();
  const { id, name, disabled } = member;
  const unlock = async () => {
    const answer = await call('unlockStaff', { params: { id } });
    report(answer, text.unlocked(name));
  };
  const disable = async (to: boolean, isUndo = false) => {
    const answer = await call('updateStaff', { params: { id }, body: { disabled: to } });
    if (!answer.ok) complain(answer.message);
    else if (!isUndo) toast(to ? text.wasDisabled(name) : text.wasEnabled(name), () => void disable(!to, true));
  };
  const choices: readonly RowChoice[] = [
    ['settings', text.edit, () => setOpen('edit')],
    ['lock', text.reset, () => setOpen('reset')],
    ['returned', text.log, () => openPage('staff/refund-log', { staffId: id })],
    disabled ? ['check', text.enable, () => void disable(false)] : ['ended', text.disable, () => void disable(true)],
  ];
  return (
    <span className="row-actions">
      {isLocked ? <Button onClick={() => void unlock()}>{text.unlock}</Button> : null}
      <RowMenu label={text.actions(name)} choices={choices} />
      {open === 'edit' ? (
        <StaffDrawer member={member} onClose={() => setOpen(undefined)} onPassword={onPassword} />
      ) : null}
      {open === 'reset' ? (
        <ResetPassword member={member} onClose={() => setOpen(undefined)} onPassword={onPassword} />
      ) : null}
    </span>
  );
}

function ResetPassword({ member, onClose, onPassword }: Omit<Props, 'isLocked'> & { readonly onClose: () => void }) {
  const text = useTexts(staffTexts);
  const call = useCall();
  return (
    <Confirm
      title={text.resetTitle(member.name)}
      action={text.resetNow}
      send={idempotencyKey => call('resetStaffPassword', { params: { id: member.id } }, { idempotencyKey })}
      onDone={({ temporaryPassword }) => onPassword({ name: member.name, password: temporaryPassword })}
      onClose={onClose}
    >
      {text.resetWhy}
    </Confirm>
  );
}
