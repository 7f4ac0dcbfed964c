import type { Readiness } from '@florin/shared/contracts/terminal-sales.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { deviceRecord } from '../terminals/routes.ts';
import type { TerminalRow } from '../terminals/rows.ts';
import type { TerminalChannels } from './channels.ts';
import type { SaleCaller } from './service.ts';
import { terminalBySerial } from './store.ts';

/** Terminals for kiosks: by serial, with their business and readiness. */
export function terminalDirectory(options: {
  database: Database;
  businesses: Pick<BusinessService, 'find'>;
  channels: TerminalChannels;
  terminal: (businessId: string, id: string) => Promise<TerminalRow | undefined>;
}) {
  const { database, businesses, channels } = options;
  return {
    async ofBusiness(businessId: string, id: string) {
      const terminal = await options.terminal(businessId, id);
      return terminal?.removedAt === null
        ? { ...deviceRecord(terminal), ...(await channels.readiness(terminal)) }
        : undefined;
    },

    async ofCaller({ businessId, terminalIds }: SaleCaller, serial: string) {
      const terminal = await database.first(terminalBySerial, { businessId, serial });
      if (!terminal || terminalIds?.has(terminal.id) === false) return undefined;
      const business = await businesses.find(businessId);
      if (!business) throw new Error(`terminal ${terminal.id} belongs to no business`);
      const { name, currency, locale, timeZone } = business;
      const ready: Readiness = await channels.readiness(terminal);
      return {
        ...ready,
        serial,
        name: terminal.name,
        mode: terminal.mode,
        business: { name, currency, locale, timeZone },
      };
    },
  };
}
