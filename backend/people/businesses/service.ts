import type { Actor } from '@florin/shared/actor.ts';
import { oneLine } from '@florin/shared/contracts/text.ts';
import { currencyCode } from '@florin/shared/money.ts';
import type { Clock, Ids } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { Database } from '../../foundation/database/database.ts';
import type { ChangeLog } from './change-log.ts';
import type { BusinessRow } from './rows.ts';
import { allBusinesses, type BusinessSetting, businessById, insertBusiness, switchSetting } from './store.ts';

export type Business = Omit<BusinessRow, BusinessSetting> & Readonly<Record<BusinessSetting, boolean>>;

export const newBusiness = z.object({
  name: oneLine(100),
  countryCode: z.string().regex(/^[A-Z]{2}$/, { error: 'must be an ISO 3166 country code, such as GB' }),
  currency: currencyCode,
  locale: z.string().refine(isLocale, { error: 'must be a language tag, such as en-GB' }),
  timeZone: z.string().refine(isTimeZone, { error: 'must be a time zone, such as Europe/London' }),
});
export type NewBusiness = z.infer<typeof newBusiness>;

export type BusinessOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly changes: ChangeLog;
};

/** Businesses and their settings. Specification: Portal/terminal setting. */
export function businessService(options: BusinessOptions) {
  const { database, clock, ids, changes } = options;

  return {
    async create(input: NewBusiness): Promise<Business> {
      const row: BusinessRow = {
        id: ids.next('biz'),
        ...input,
        passwordProtectRefundsAndVoids: 1,
        paymentLinksEnabled: 1,
        createdAt: clock.now(),
      };
      await database.write(async tx => {
        await tx.run(insertBusiness, row);
        await changes.begin(tx, row.id);
      });
      return businessOf(row);
    },

    async find(id: string): Promise<Business | undefined> {
      const row = await database.first(businessById, { id });
      return row && businessOf(row);
    },

    async list(): Promise<Business[]> {
      return (await database.all(allBusinesses, {})).map(businessOf);
    },

    async switchSetting(businessId: string, setting: BusinessSetting, on: boolean, by: Actor): Promise<void> {
      await database.write(async tx => {
        if ((await tx.run(switchSetting[setting], { id: businessId, value: on ? 1 : 0 })) === 0) return;
        await changes.append(tx, { businessId, kind: 'setting_changed', by, detail: { setting, value: on } });
      });
    },
  };
}
export type BusinessService = ReturnType<typeof businessService>;

function businessOf(row: BusinessRow): Business {
  const { passwordProtectRefundsAndVoids, paymentLinksEnabled, ...rest } = row;
  return {
    ...rest,
    passwordProtectRefundsAndVoids: passwordProtectRefundsAndVoids === 1,
    paymentLinksEnabled: paymentLinksEnabled === 1,
  };
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}
