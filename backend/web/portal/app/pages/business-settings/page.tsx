import type { BusinessRecord } from '@florin/shared/contracts/api-v1/business.ts';
import { useState } from 'react';
import { useRead } from '../../api/use-read.ts';
import { Confirm } from '../../components/confirm.tsx';
import { CheckField, LinesField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Card, PageHead, Tabs } from '../../components/page.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { report, toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { Appearance } from './appearance.tsx';
import { Counter } from './counter.tsx';
import { Profile } from './profile.tsx';
import { businessSettingsTexts } from './texts.ts';
import { useBusinessChange } from './use-business-change.ts';

/** The settings of the business itself. */
export function Page() {
  const text = useTexts(businessSettingsTexts);
  const read = useRead('getBusiness', {});
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      <Tabs area="settings" />
      <Loaded read={read} skeleton={<SkeletonLines lines={14} />}>
        {business => (
          <div className="settings">
            <Profile business={business} />
            <Appearance business={business} />
            <Counter business={business} />
            <Receipts business={business} />
            <Protection business={business} />
          </div>
        )}
      </Loaded>
    </>
  );
}

type Props = { readonly business: BusinessRecord };

function Receipts({ business: { receiptFooter } }: Props) {
  const text = useTexts(businessSettingsTexts);
  const words = useWords();
  const change = useBusinessChange();
  const { submit, isBusy, issues, message } = useWriteForm();
  const save = (form: FormData) => {
    const footer = textOf(form, 'footer').trim();
    void submit({
      send: () => change({ receiptFooter: footer === '' ? null : footer }),
      onDone: () => toast(text.saved),
    });
  };
  return (
    <Card title={text.receipts}>
      <Form onSubmit={save} action={words.actions.save} isBusy={isBusy} message={message}>
        <LinesField
          label={text.footer}
          hint={text.footerHint}
          name="footer"
          rows={3}
          maxLength={500}
          defaultValue={receiptFooter ?? ''}
          issue={issues.receiptFooter}
        />
      </Form>
    </Card>
  );
}

function Protection({ business: { passwordProtectRefundsAndVoids: isOn } }: Props) {
  const text = useTexts(businessSettingsTexts);
  const change = useBusinessChange();
  const [isAsking, setAsking] = useState(false);
  const switchOn = async () => {
    const answer = await change({ passwordProtectRefundsAndVoids: true });
    report(answer, text.isOn);
  };
  return (
    <Card title={text.protection}>
      <CheckField
        label={text.protect}
        hint={text.protectHint}
        checked={isOn}
        onChange={() => (isOn ? setAsking(true) : void switchOn())}
      />
      {isAsking ? (
        <Confirm
          title={text.offTitle}
          action={text.offNow}
          send={() => change({ passwordProtectRefundsAndVoids: false })}
          onDone={() => toast(text.isOff)}
          onClose={() => setAsking(false)}
        >
          {text.offWhy}
        </Confirm>
      ) : null}
    </Card>
  );
}
