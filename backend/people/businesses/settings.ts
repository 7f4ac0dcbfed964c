import type { Actor } from '@florin/shared/actor.ts';
import type { BusinessChanges, BusinessRecord, CounterSettings } from '@florin/shared/contracts/api-v1/business.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { ChangeLog } from './change-log.ts';
import { type Logo, logoOf } from './logo.ts';
import type { BusinessLogoRow, BusinessRow } from './rows.ts';
import {
  anyPayment,
  businessById,
  businessForUpdate,
  deleteLogo,
  logoOfBusiness,
  saveLogo,
  updateBusiness,
} from './store.ts';

type Refusal =
  | { readonly kind: 'currency_fixed' }
  /** What the picture must be. */
  | { readonly kind: 'logo_refused'; readonly message: string };

/** A business's settings as it reads and changes them itself. */
export type BusinessSettings = {
  read(businessId: string): Promise<BusinessRecord>;
  /** Changes what differs; each such setting is an entry of the audit log. */
  change(businessId: string, changes: BusinessChanges, by: Actor): Promise<Result<BusinessRecord, Refusal>>;
};

/** After a change of settings or staff: connected terminals synchronise at once, the others when they next do so. */
export function announceConfiguration(events: Events, tx: Transaction, businessId: string, by: Actor): void {
  // The type's payload is about one terminal; where the subject is the business, nobody reads it.
  const payload = { name: '', mode: 'staff' } as const;
  events.announce(tx, { type: 'terminal.profile_changed', businessId, subjectId: businessId, by, payload });
}

/** Reads and changes a business's settings. */
export function businessSettings(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly changes: ChangeLog;
  readonly events: Events;
}): BusinessSettings {
  const { database, clock, events } = options;

  async function recordIn(from: Pick<Database, 'first'>, row: BusinessRow): Promise<BusinessRecord> {
    const { id: businessId } = row;
    const logo = await from.first(logoOfBusiness, { businessId });
    return recordOf(row, logo, (await from.first(anyPayment, { businessId })) !== undefined);
  }

  async function setLogo(tx: Transaction, businessId: string, logo: Logo | null) {
    if (logo === null) await tx.run(deleteLogo, { businessId });
    else await tx.run(saveLogo, { ...logo, businessId, changedAt: clock.now() });
  }

  return {
    async read(businessId) {
      const row = await database.first(businessById, { id: businessId });
      if (!row) throw new Error(`business ${businessId} is missing`);
      return recordIn(database, row);
    },

    async change(businessId, { logo: picture, ...changes }, by) {
      const logo = picture === undefined || picture === null ? ok(picture) : logoOf(picture);
      if (!logo.ok) return err({ kind: 'logo_refused', message: logo.refusal });
      return database.write(async tx => {
        const row = await tx.first(businessForUpdate, { id: businessId });
        if (!row) throw new Error(`business ${businessId} is missing`);
        const before = await recordIn(tx, row);
        const next = { ...row, ...columnsOfChanges(changes) };
        if (next.currency !== row.currency && before.isCurrencyFixed) return err({ kind: 'currency_fixed' });
        await tx.run(updateBusiness, next);
        if (logo.value !== undefined && logo.value?.hash !== before.logo?.hash)
          await setLogo(tx, businessId, logo.value);
        const after = await recordIn(tx, next);
        const differences = differencesOf(before, after);
        if (differences.length > 0) announceConfiguration(events, tx, businessId, by);
        // Last: the chain's head is its most contended lock.
        for (const detail of differences)
          await options.changes.append(tx, { businessId, kind: 'setting_changed', by, detail });
        return ok(after);
      });
    },
  };
}

/** One detail of the audit log for each setting that differs; the methods each count for themselves. */
function differencesOf(before: BusinessRecord, after: BusinessRecord): Record<string, unknown>[] {
  const named = (group: string, settings: object) =>
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [`${group}.${name}`, value]));
  const flat = ({ paymentMethods, counter, ...rest }: BusinessRecord): Record<string, unknown> => ({
    ...rest,
    ...named('paymentMethods', paymentMethods),
    ...named('counter', counter),
  });
  const [old, fresh] = [flat(before), flat(after)];
  return Object.entries(fresh)
    .filter(([setting, value]) => JSON.stringify(value) !== JSON.stringify(old[setting]))
    .map(([setting, value]) => ({
      setting,
      value,
      previous: old[setting],
    }));
}

const flag = (on: boolean) => (on ? 1 : 0) as 0 | 1;

/** What staff find at a terminal. */
export function counterOf(
  row: Pick<
    BusinessRow,
    'quickAmountsJson' | 'confirmAboveMinor' | 'playsSounds' | 'saleReference' | 'tipPercentsJson'
  >,
): CounterSettings {
  return {
    quickAmountsInCents: JSON.parse(row.quickAmountsJson) as number[],
    confirmAboveInCents: row.confirmAboveMinor,
    playsSounds: row.playsSounds === 1,
    saleReference: row.saleReference,
    tipPercents: JSON.parse(row.tipPercentsJson) as number[],
  };
}

/** The columns that these changes set. */
function columnsOfChanges(changes: Omit<BusinessChanges, 'logo'>): Partial<BusinessRow> {
  const {
    addressLines,
    paymentMethods = {},
    counter = {},
    passwordProtectRefundsAndVoids: isProtected,
    ...same
  } = changes;
  const { quickAmountsInCents, confirmAboveInCents, playsSounds, saleReference, tipPercents } = counter;
  const { card, wallets, lightning, onchain } = paymentMethods;
  const columns: { [Column in keyof BusinessRow]?: BusinessRow[Column] | undefined } = {
    ...same,
    addressLinesJson: addressLines && JSON.stringify(addressLines),
    passwordProtectRefundsAndVoids: isProtected === undefined ? undefined : flag(isProtected),
    quickAmountsJson: quickAmountsInCents && JSON.stringify(quickAmountsInCents),
    confirmAboveMinor: confirmAboveInCents,
    playsSounds: playsSounds === undefined ? undefined : flag(playsSounds),
    saleReference,
    tipPercentsJson: tipPercents && JSON.stringify(tipPercents),
    takesCards: card === undefined ? undefined : flag(card),
    takesWallets: wallets === undefined ? undefined : flag(wallets),
    takesLightning: lightning === undefined ? undefined : flag(lightning),
    takesOnChain: onchain === undefined ? undefined : flag(onchain),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

function recordOf(
  row: BusinessRow,
  logo: Omit<BusinessLogoRow, 'contentBase64'> | undefined,
  isCurrencyFixed: boolean,
): BusinessRecord {
  const { id, name, countryCode, currency, locale, timeZone, accentColour, receiptFooter } = row;
  return {
    id,
    name,
    countryCode,
    currency,
    locale,
    timeZone,
    addressLines: JSON.parse(row.addressLinesJson) as string[],
    isCurrencyFixed,
    accentColour,
    logo: logo ? { hash: logo.hash, mediaType: logo.mediaType, widthPx: logo.widthPx, heightPx: logo.heightPx } : null,
    paymentMethods: {
      card: row.takesCards === 1,
      wallets: row.takesWallets === 1,
      lightning: row.takesLightning === 1,
      onchain: row.takesOnChain === 1,
    },
    passwordProtectRefundsAndVoids: row.passwordProtectRefundsAndVoids === 1,
    counter: counterOf(row),
    receiptFooter,
    createdAt: new Date(row.createdAt).toISOString(),
  };
}
