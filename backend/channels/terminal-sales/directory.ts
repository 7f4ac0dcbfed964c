import type { Database } from '../../foundation/database/database.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { deviceRecord } from '../terminals/routes.ts';
import type { Terminal, TerminalService } from '../terminals/service.ts';
import type { TerminalChannels } from './channels.ts';
import type { SaleCaller } from './service.ts';
import { terminalBySerial } from './store.ts';

/** Terminals for kiosks: by serial, with their business and readiness. */
export function terminalDirectory(options: {
  database: Database;
  businesses: Pick<BusinessService, 'find'>;
  channels: TerminalChannels;
  terminals: Pick<TerminalService, 'find' | 'list'>;
}) {
  const { database, businesses, channels, terminals } = options;
  const recordsOf = async (of: readonly Terminal[]) =>
    (await channels.withReadiness(of)).map(([terminal, readiness]) => ({ ...deviceRecord(terminal), ...readiness }));
  return {
    async ofBusiness(businessId: string, id: string) {
      const terminal = await terminals.find(businessId, id);
      return terminal?.removedAt === null ? (await recordsOf([terminal]))[0] : undefined;
    },

    list: async (filter: Parameters<TerminalService['list']>[0]) => recordsOf(await terminals.list(filter)),

    async ofCaller({ businessId, terminalIds }: SaleCaller, serial: string) {
      const terminal = await database.first(terminalBySerial, { businessId, serial });
      if (!terminal || terminalIds?.has(terminal.id) === false) return undefined;
      const business = await businesses.find(businessId);
      if (!business) throw new Error(`terminal ${terminal.id} belongs to no business`);
      const { name, currency, locale, timeZone } = business;
      const [[, readiness] = []] = await channels.withReadiness([terminal]);
      if (!readiness) throw new Error(`terminal ${terminal.id} has no readiness`);
      return {
        ...readiness,
        serial,
        name: terminal.name,
        mode: terminal.mode,
        business: { name, currency, locale, timeZone },
      };
    },
  };
}
