import type { BusinessRecord } from '@florin/shared/contracts/api-v1/business.ts';
import { useState } from 'react';
import { AmountField, minorOf, typedAmount } from '../../components/amount-field.tsx';
import { CheckField, LinesField, SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Card } from '../../components/page.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { businessSettingsTexts } from './texts.ts';
import { useBusinessChange } from './use-business-change.ts';

const maxQuickAmounts = 6;
const maxTips = 3;

/** Percentages as typed, with commas between them, with or without percent signs; undefined for anything else. */
function percentsOf(typed: string): number[] | undefined {
  const percents = typed
    .replaceAll('%', '')
    .split(',')
    .flatMap(part => (part.trim() === '' ? [] : [Number(part)]));
  const areGood = percents.every(percent => Number.isInteger(percent) && percent >= 1 && percent <= 100);
  return areGood && percents.length <= maxTips ? percents : undefined;
}
const saleReferences = ['none', 'note', 'table_number'] as const satisfies BusinessRecord['counter']['saleReference'][];

/** What staff find at the terminals of the business. */
export function Counter({ business: { counter, currency } }: { readonly business: BusinessRecord }) {
  const text = useTexts(businessSettingsTexts);
  const words = useWords();
  const { locale } = useFormats();
  const change = useBusinessChange();
  const { submit, isBusy, issues, message } = useWriteForm();
  const written = (minor: number) => typedAmount(minor, currency, locale);
  const [above, setAbove] = useState(counter.confirmAboveInCents === null ? '' : written(counter.confirmAboveInCents));
  const [wrong, setWrong] = useState<{ readonly quick?: string; readonly above?: string; readonly tips?: string }>({});
  const save = (form: FormData) => {
    const lines = textOf(form, 'quick')
      .split('\n')
      .filter(line => line.trim() !== '');
    const amounts = lines.map(line => minorOf(line, currency));
    const known = amounts.filter(amount => amount !== undefined);
    const confirmAbove = above.trim() === '' ? null : minorOf(above, currency);
    const isQuickWrong = known.length < amounts.length || amounts.length > maxQuickAmounts;
    const tipPercents = percentsOf(textOf(form, 'tips'));
    setWrong({
      ...(isQuickWrong ? { quick: text.quickIssue } : {}),
      ...(tipPercents === undefined ? { tips: text.tipsIssue } : {}),
      ...(confirmAbove === undefined ? { above: words.form.amount } : {}),
    });
    if (isQuickWrong || confirmAbove === undefined || tipPercents === undefined) return;
    const playsSounds = form.has('sounds');
    const saleReference = saleReferences.find(each => each === textOf(form, 'reference')) ?? 'none';
    const body = {
      counter: {
        quickAmountsInCents: known,
        confirmAboveInCents: confirmAbove,
        playsSounds,
        saleReference,
        tipPercents,
      },
    };
    void submit({ send: () => change(body), onDone: () => toast(text.saved) });
  };
  return (
    <Card title={text.counter}>
      <Form onSubmit={save} action={words.actions.save} isBusy={isBusy} message={message}>
        <LinesField
          label={text.quick}
          hint={text.quickHint}
          name="quick"
          rows={3}
          defaultValue={counter.quickAmountsInCents.map(written).join('\n')}
          issue={wrong.quick}
        />
        <AmountField
          label={text.confirmAbove}
          hint={text.confirmAboveHint}
          currency={currency}
          value={above}
          onChange={setAbove}
          issue={wrong.above ?? issues['counter.confirmAboveInCents']}
        />
        <SelectField
          label={text.saleReference}
          hint={text.saleReferenceHint}
          name="reference"
          defaultValue={counter.saleReference}
          choices={saleReferences.map(each => [each, text.saleReferences[each]] as const)}
        />
        <TextField
          label={text.tips}
          hint={text.tipsHint}
          name="tips"
          inputMode="numeric"
          defaultValue={counter.tipPercents.join(', ')}
          issue={wrong.tips ?? issues['counter.tipPercents']}
        />
        <CheckField label={text.sounds} hint={text.soundsHint} name="sounds" defaultChecked={counter.playsSounds} />
      </Form>
    </Card>
  );
}
