import type { Actor } from '@florin/shared/actor.ts';
import { businessFields } from '@florin/shared/contracts/api-v1/business.ts';
import type { Clock, Ids } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { Database } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { ChangeLog } from './change-log.ts';
import { logos } from './logos.ts';
import type { BusinessRow } from './rows.ts';
import { announceConfiguration, businessSettings } from './settings.ts';
import { allBusinesses, type BusinessSetting, businessById, insertBusiness, switchSetting } from './store.ts';

type SwitchName = 'takesCards' | 'takesWallets' | 'takesLightning' | 'takesOnChain' | BusinessSetting;
export type Business = Omit<BusinessRow, SwitchName> & Readonly<Record<SwitchName, boolean>>;

export const newBusiness = z.object(businessFields);
export type NewBusiness = z.infer<typeof newBusiness>;

/** What a new business has until its owner changes it. */
export const initialSettings = {
  addressLinesJson: '[]',
  accentColour: null,
  receiptFooter: null,
  passwordProtectRefundsAndVoids: 1,
  quickAmountsJson: '[]',
  confirmAboveMinor: null,
  playsSounds: 0,
  saleReference: 'none',
  tipPercentsJson: '[]',
  paymentLinksEnabled: 1,
  takesCards: 1,
  takesWallets: 1,
  takesLightning: 1,
  takesOnChain: 1,
} as const satisfies Partial<BusinessRow>;

export type BusinessOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly changes: ChangeLog;
  readonly events: Events;
};

/** Businesses and their settings. Specification: Portal/terminal setting. */
export function businessService(options: BusinessOptions) {
  const { database, clock, ids, changes, events } = options;

  return {
    settings: businessSettings(options),
    logos: logos(options),

    async create(input: NewBusiness): Promise<Business> {
      const row: BusinessRow = {
        id: ids.next('biz'),
        ...input,
        ...initialSettings,
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

    /** The bitcoin networks that it chose to offer to its customers. */
    async networksOffered(id: string): Promise<('lightning' | 'onchain')[]> {
      const row = await database.first(businessById, { id });
      return [
        ...(row?.takesLightning ? (['lightning'] as const) : []),
        ...(row?.takesOnChain ? (['onchain'] as const) : []),
      ];
    },

    async list(): Promise<Business[]> {
      return (await database.all(allBusinesses, {})).map(businessOf);
    },

    async switchSetting(businessId: string, setting: BusinessSetting, on: boolean, by: Actor): Promise<void> {
      await database.write(async tx => {
        if ((await tx.run(switchSetting[setting], { id: businessId, value: on ? 1 : 0 })) === 0) return;
        announceConfiguration(events, tx, businessId, by);
        await changes.append(tx, { businessId, kind: 'setting_changed', by, detail: { setting, value: on } });
      });
    },
  };
}
export type BusinessService = ReturnType<typeof businessService>;

function businessOf(row: BusinessRow): Business {
  return {
    ...row,
    passwordProtectRefundsAndVoids: row.passwordProtectRefundsAndVoids === 1,
    paymentLinksEnabled: row.paymentLinksEnabled === 1,
    takesCards: row.takesCards === 1,
    takesWallets: row.takesWallets === 1,
    takesLightning: row.takesLightning === 1,
    takesOnChain: row.takesOnChain === 1,
  };
}
