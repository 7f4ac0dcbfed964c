import { readSettings } from '@florin/backend/config/settings.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { startServer } from '@florin/backend/server.ts';
import { instantRegistry } from './instant-gateway.ts';
import { postRoute } from './post-contract.ts';
import { announce } from './processes.ts';

/** The whole backend as in production, with a gateway that answers at once. */
const read = readSettings();
if (!read.ok) throw new Error(read.problems.join('\n'));
const { settings } = read;
const log = createLog({ level: settings.logLevel });
const server = await startServer({ settings, log, gatewayRegistry: instantRegistry(), extraRoutes: [postRoute] });
announce(server.url, () => server.stop());
