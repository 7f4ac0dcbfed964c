import { z } from 'zod';
import { amountMinor, currencyCode } from '../../money.ts';
import { accentColour } from '../accent-colour.ts';
import { changesOf, contract, id, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { lines, oneLine } from '../text.ts';

/** What describes a business wherever one is created or changed. */
export const businessFields = {
  name: oneLine(100).meta({ description: 'As customers read it', example: 'Corner Shop' }),
  countryCode: z
    .string({ error: 'must be an ISO 3166 country code, such as GB' })
    .regex(/^[A-Z]{2}$/, { error: 'must be an ISO 3166 country code, such as GB', abort: true })
    .refine(isCountry, { error: 'must be an ISO 3166 country code, such as GB' })
    .meta({ description: 'ISO 3166', example: 'GB' }),
  currency: currencyCode,
  locale: z
    .string({ error: 'must be a language tag, such as en-GB' })
    .refine(isLocale, { error: 'must be a language tag, such as en-GB' })
    .meta({ description: 'The language and the way of writing numbers of its pages', example: 'en-GB' }),
  timeZone: z
    .string({ error: 'must be a time zone, such as Europe/London' })
    .refine(isTimeZone, { error: 'must be a time zone, such as Europe/London' })
    .meta({ description: 'Where its days begin and end', example: 'Europe/London' }),
} as const;

/** The largest logo, before base64. */
export const maxLogoBytes = 100_000;

const takes = (what: string) =>
  z.boolean({ error: 'must be true or false' }).meta({ description: `Whether customers are offered ${what}` });
const paymentMethods = {
  card: takes('cards on payment pages'),
  wallets: takes('Apple Pay and Google Pay on payment pages'),
  lightning: takes('Lightning'),
  onchain: takes('on-chain bitcoin'),
};

/** What staff may note of a sale that they key in. */
export const saleReferences = ['none', 'note', 'table_number'] as const;

const counter = {
  quickAmountsInCents: z
    .array(amountMinor, { error: 'must be a list of amounts' })
    .max(6, { error: 'must have at most 6 amounts' })
    .meta({ description: 'Amounts that staff enter with one key, in this order', example: [350, 1200] }),
  confirmAboveInCents: amountMinor
    .nullable()
    .meta({ description: 'Staff confirm a sale of more than this once more; null: none', example: 50_000 }),
  playsSounds: z.boolean({ error: 'must be true or false' }).meta({
    description: 'Whether terminals sound when a payment is approved or not, and when a card stays in the reader',
  }),
  saleReference: z.enum(saleReferences, { error: `must be ${saleReferences.join(', ')}` }).meta({
    description: 'What staff may note of a sale that they key in; it is the reference of the sale and of its payment',
  }),
  tipPercents: z
    .array(
      z
        .int({ error: 'must be a whole number of percent' })
        .min(1, { error: 'must be at least 1 percent' })
        .max(100, { error: 'must be at most 100 percent' }),
      { error: 'must be a list of percentages' },
    )
    .max(3, { error: 'must have at most 3 percentages' })
    .meta({
      description:
        'Tips that the customer is offered on the reader before a card sale that staff keyed in, beside another amount and none; empty: they are not asked',
      example: [5, 10, 15],
    }),
};

/** What staff find at a terminal; all of it is off until the business switches it on. */
export const counterSettings = z.object(counter).meta({
  description: 'What staff find at a terminal. The currency of the amounts is that of the business',
});
export type CounterSettings = z.infer<typeof counterSettings>;

const addressLines = z
  .array(oneLine(100), { error: 'must be a list of lines' })
  .max(6, { error: 'must have at most 6 lines' })
  .meta({
    description: 'As written on a letter, without name and country',
    example: ['1 High Street', 'London N1 1AA'],
  });
const receiptFooter = lines(500)
  .nullable()
  .meta({ description: 'Printed below each receipt', example: 'Thank you! Returns within 30 days.' });
const passwordProtect = z.boolean({ error: 'must be true or false' }).meta({
  description:
    'Whether refunds and voids at a terminal need a staff ID and its password. Off, they have no named person and no entry in the refund log and the void log',
});

export const businessRecord = z
  .object({
    id: id('biz'),
    ...businessFields,
    addressLines,
    isCurrencyFixed: z.boolean().meta({ description: 'Since its first payment the currency cannot change' }),
    accentColour: z.string().nullable().meta({ description: 'Null: the colour of the service', example: '#1f4fe0' }),
    logo: z
      .object({
        hash: z.string().meta({ description: 'SHA-256 of the picture, in hexadecimal' }),
        mediaType: z.enum(['image/png', 'image/jpeg']),
        widthPx: z.int().meta({ description: 'Pixels', example: 512 }),
        heightPx: z.int().meta({ description: 'Pixels', example: 512 }),
      })
      .nullable(),
    paymentMethods: z.object(paymentMethods).meta({
      description: 'A method is offered if it is on here and the business is set up for it: a gateway account, a node',
    }),
    passwordProtectRefundsAndVoids: passwordProtect,
    counter: counterSettings,
    receiptFooter,
    createdAt: timestamp,
  })
  .meta({ id: 'Business' });
export type BusinessRecord = z.infer<typeof businessRecord>;

export const businessChanges = changesOf({
  ...businessFields,
  addressLines,
  accentColour: accentColour.nullable().meta({
    description: 'With a contrast of at least 3:1 to white and to the dark surface of pages; null removes it',
    example: '#1f4fe0',
  }),
  logo: z
    .base64({ error: 'must be the picture in base64' })
    .max(Math.ceil(maxLogoBytes / 3) * 4, { error: 'must be a picture of at most 100 kB' })
    .nullable()
    .meta({
      description: 'A PNG or JPEG picture of at most 100 kB and 2,000 × 2,000 pixels, in base64; null removes it',
      example: 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAAAAAA6mKC9AAAAD0lEQVR42mNoQAMMI1sAAAUMgAHjM1mKAAAAAElFTkSuQmCC',
    }),
  paymentMethods: changesOf(paymentMethods),
  passwordProtectRefundsAndVoids: passwordProtect,
  counter: changesOf({
    ...counter,
    // Only of changes: what was stored before may have one twice.
    tipPercents: counter.tipPercents.refine(percents => new Set(percents).size === percents.length, {
      error: 'must name each percentage once',
    }),
  }),
  receiptFooter,
});
export type BusinessChanges = z.output<typeof businessChanges>;

const tag = 'Business';

export const getBusiness = contract({
  name: 'getBusiness',
  method: 'GET',
  path: '/api/v1/business',
  authentication: ['apiKey'],
  permissions: ['team:write'],
  adminsOnly: true,
  summary: 'Read the business and its settings',
  tag,
  responses: { 200: json(businessRecord) },
  origin: 'project',
});

/** Not with a key: whoever has one must not be able to switch off what watches over its use. */
export const updateBusiness = contract({
  name: 'updateBusiness',
  method: 'PATCH',
  path: '/api/v1/business',
  authentication: ['portalSession'],
  permissions: ['team:write'],
  adminsOnly: true,
  stepUp: { isNeeded: ({ passwordProtectRefundsAndVoids }) => passwordProtectRefundsAndVoids === false },
  summary: 'Change settings of the business',
  description: 'Each changed setting is an entry of the audit log. Terminals have the new settings within a minute.',
  tag,
  body: businessChanges,
  bodyLimits: { bytes: 150_000, fields: 100 },
  responses: { 200: json(businessRecord) },
  errors: { 409: ['currency_fixed'] },
  origin: 'project',
});

/** Assigned, and not another name of one: `UK` stands for GB in Intl, and nowhere else. */
function isCountry(code: string): boolean {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return code !== 'ZZ' && new Intl.Locale(`und-${code}`).region === code && names.of(code) !== undefined;
}

/** One that amounts and dates can be written in. */
function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length === 1;
  } catch {
    return false;
  }
}

/** By name: an offset, which Intl takes as well, would not follow a change of the clocks. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}
