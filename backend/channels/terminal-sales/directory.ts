import type { TerminalHealth } from '@florin/shared/contracts/device-v1/commands.ts';
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
  terminals: Pick<TerminalService, 'find' | 'list' | 'configurationVersions'>;
}) {
  const { database, businesses, channels, terminals } = options;
  async function recordsOf(businessId: string, of: readonly Terminal[]) {
    const versions = await terminals.configurationVersions(businessId, of);
    return (await channels.withReadiness(of)).map(([terminal, readiness, reported]) => ({
      ...deviceRecord(terminal),
      ...readiness,
      health: reported && healthOf(reported, versions.get(terminal.id)),
    }));
  }
  return {
    async ofBusiness(businessId: string, id: string) {
      const terminal = await terminals.find(businessId, id);
      return terminal?.removedAt === null ? (await recordsOf(businessId, [terminal]))[0] : undefined;
    },

    list: async (filter: Parameters<TerminalService['list']>[0]) =>
      recordsOf(filter.businessId, await terminals.list(filter)),

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

function healthOf({ configurationVersion, ...health }: TerminalHealth, current: string | undefined) {
  return { ...health, configuration: configurationVersion === current ? 'current' : 'outdated' } as const;
}
