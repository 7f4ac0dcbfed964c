import type { Module } from '../module.ts';
import { terminalRoutes } from './routes.ts';
import { type TerminalOptions, type TerminalService, terminalService } from './service.ts';
import { type SyncOptions, type SyncService, syncService } from './sync.ts';

export function terminalsModule(
  ports: TerminalOptions & Pick<SyncOptions, 'recordOfflineCheck'>,
): Module<TerminalService & SyncService> {
  const terminals = terminalService(ports);
  const sync = syncService({ ...ports, terminals });
  return { service: { ...terminals, ...sync }, routes: terminalRoutes(terminals, sync), jobs: [] };
}
