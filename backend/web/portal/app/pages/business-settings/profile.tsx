import type { BusinessRecord } from '@florin/shared/contracts/api-v1/business.ts';
import { useMemo } from 'react';
import { LinesField, SelectField, TextField } from '../../components/field.tsx';
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

/** The choices of a kind that the browser knows, with the present one. */
function choicesOf(kind: 'currency' | 'timeZone', present: string): readonly (readonly [string, string])[] {
  return [...new Set([present, ...Intl.supportedValuesOf(kind)])].sort().map(value => [value, value]);
}

/** Currencies with their names. */
function useCurrencies(present: string): readonly (readonly [string, string])[] {
  const { locale } = useFormats();
  return useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'currency' });
    return choicesOf('currency', present).map(([code]) => [code, `${code} · ${names.of(code) ?? code}`] as const);
  }, [locale, present]);
}

/** Name, address and place of the business. */
export function Profile({ business }: { readonly business: BusinessRecord }) {
  const text = useTexts(businessSettingsTexts);
  const words = useWords();
  const change = useBusinessChange();
  const { submit, isBusy, issues, message } = useWriteForm({ currency_fixed: ['currency', text.currency_fixed] });
  const { isCurrencyFixed } = business;
  const save = (form: FormData) => {
    const typed = (name: string) => textOf(form, name).trim();
    const body = {
      name: typed('name'),
      addressLines: typed('address')
        .split('\n')
        .map(line => line.trim())
        .filter(line => line !== ''),
      countryCode: typed('country').toUpperCase(),
      timeZone: typed('timeZone'),
      locale: typed('locale'),
      ...(isCurrencyFixed ? {} : { currency: typed('currency') }),
    };
    void submit({ send: () => change(body), onDone: () => toast(text.saved) });
  };
  const ofAddress = Object.entries(issues).find(([path]) => path.startsWith('addressLines'))?.[1];
  return (
    <Card title={text.profile}>
      <Form onSubmit={save} action={words.actions.save} isBusy={isBusy} message={message}>
        <TextField
          label={text.name}
          hint={text.nameHint}
          name="name"
          required
          maxLength={100}
          defaultValue={business.name}
          issue={issues.name}
        />
        <LinesField
          label={text.address}
          hint={text.addressHint}
          name="address"
          rows={4}
          defaultValue={business.addressLines.join('\n')}
          issue={ofAddress}
        />
        <div className="form-row">
          <TextField
            label={text.country}
            hint={text.countryHint}
            name="country"
            required
            minLength={2}
            maxLength={2}
            defaultValue={business.countryCode}
            issue={issues.countryCode}
          />
          <TextField
            label={text.locale}
            hint={text.localeHint}
            name="locale"
            required
            maxLength={35}
            defaultValue={business.locale}
            issue={issues.locale}
          />
        </div>
        <div className="form-row">
          <SelectField
            label={text.timeZone}
            hint={text.timeZoneHint}
            name="timeZone"
            choices={choicesOf('timeZone', business.timeZone)}
            defaultValue={business.timeZone}
            issue={issues.timeZone}
          />
          <Currency business={business} issue={issues.currency} />
        </div>
      </Form>
    </Card>
  );
}

function Currency({ business, issue }: { readonly business: BusinessRecord; readonly issue: string | undefined }) {
  const text = useTexts(businessSettingsTexts);
  const choices = useCurrencies(business.currency);
  return (
    <SelectField
      label={text.currency}
      hint={business.isCurrencyFixed ? text.currencyFixed : undefined}
      name="currency"
      disabled={business.isCurrencyFixed}
      choices={choices}
      defaultValue={business.currency}
      issue={issue}
    />
  );
}
