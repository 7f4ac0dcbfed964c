import type { Log } from '@florin/shared/ports.ts';
import type { Module } from '../../foundation/module.ts';
import { terminalAlerts } from './alerts.ts';
import { diagnosticsOfTerminals } from './diagnostics.ts';
import { terminalAuthenticators, terminalRoutes } from './routes.ts';
import { deviceTokenPrefix, type TerminalOptions, type TerminalService, terminalService } from './service.ts';
import { type SyncOptions, type SyncService, syncService } from './sync.ts';

/**
 * Terminals with their enrolment, management and synchronisation; authenticates the `deviceToken` scheme for all
 * modules.
 */
export function terminalsModule(
  ports: TerminalOptions &
    Pick<SyncOptions, 'recordOfflineCheck' | 'commandsFor' | 'clockSkewMs' | 'entriesPerDay'> & { readonly log: Log },
): Module<TerminalService & SyncService> {
  const terminals = terminalService(ports);
  const alerts = terminalAlerts(ports);
  const sync = syncService({ ...ports, terminals, alerts });
  return {
    service: { ...terminals, ...sync },
    routes: terminalRoutes({ terminals, sync, alerts, diagnostics: diagnosticsOfTerminals(ports) }),
    jobs: [],
    authenticators: terminalAuthenticators(terminals),
    credentialPrefix: deviceTokenPrefix(ports.brand),
  };
}
