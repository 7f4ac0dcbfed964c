import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { machineWord } from '../text.ts';

const connectionTest = z.object({
  name: z.string().meta({ description: 'What was asked', example: 'invoices' }),
  ok: z.boolean().meta({ description: 'Whether it answered as it should' }),
  cause: z.string().nullable().meta({ description: 'Why it failed, a stable word', example: 'permission_denied' }),
  message: z.string().nullable().meta({ description: 'In the words of the node, where it gave any' }),
});
export type ConnectionTestRecord = z.infer<typeof connectionTest>;

export const bitcoinBackendRecord = z
  .object({
    id: id('node'),
    adapter: z.string().meta({ description: 'Which kind of node it is', example: 'lnd' }),
    config: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Its settings that are no secret; secrets are never shown again' }),
    publicKey: z.string().nullable().meta({ description: 'The node’s own key' }),
    network: z.enum(['bitcoin', 'testnet', 'regtest', 'signet']),
    capabilities: z.object({
      lightning: z.boolean().meta({ description: 'Is paid over Lightning' }),
      onChain: z.boolean().meta({ description: 'Has receiving addresses' }),
      lightningWithdrawals: z.boolean().meta({ description: 'Pays Lightning invoices' }),
      onChainWithdrawals: z.boolean().meta({ description: 'Sends on chain' }),
      channelBackup: z.boolean().meta({ description: 'Has a channel backup to read' }),
    }),
    addresses: z
      .object({
        first: z.string().nullable().meta({
          description: 'The first address of `config.onChain.publicKey`: the wallet it is from shows the same',
          example: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
        }),
        given: z
          .int()
          .meta({ description: 'How many were given out; give the wallet at least this gap limit', example: 42 }),
      })
      .nullable()
      .meta({ description: 'Where addresses are made of an extended public key; null where the node has its own' }),
    tests: z.array(connectionTest).meta({ description: 'What asking the node just now came to' }),
    createdAt: timestamp,
    changedAt: timestamp,
  })
  .meta({ id: 'BitcoinBackend' });
export type BitcoinBackendRecord = z.infer<typeof bitcoinBackendRecord>;

const tag = 'Bitcoin backend';

export const getBitcoinBackend = contract({
  name: 'getBitcoinBackend',
  method: 'GET',
  path: '/api/v1/bitcoin-backend',
  authentication: ['apiKey'],
  permissions: ['bitcoin-backend:read'],
  summary: 'Read the node and wallet of the business, and test the connection to it',
  tag,
  responses: { 200: json(bitcoinBackendRecord) },
  errors: { 404: ['bitcoin_backend_not_set'] },
  origin: 'project',
});

const settings = z.record(z.string().max(100), z.unknown());

export const setBitcoinBackend = contract({
  name: 'setBitcoinBackend',
  method: 'PUT',
  path: '/api/v1/bitcoin-backend',
  authentication: ['apiKey'],
  permissions: ['bitcoin-backend:write'],
  summary: 'Set the node and wallet that the business is paid in bitcoin through',
  description:
    'The node is asked at once, and the settings are stored only where it answers. Settings for the same node replace those stored; another node takes new payments from then on, and the one before is followed until what it is owed has ended. ' +
    '`config` and `secrets` depend on the adapter: for `lnd` `{"url","certificate"?,"privateHints"?}` and `{"macaroon"}`; for `phoenixd` `{"url","onChain"?}` and `{"password"}`. `onChain` is `{"publicKey","script"?,"sources"}`: the extended public key of an account (xpub, zpub, tpub, vpub, with its origin or as a descriptor), `bip84` or `bip86` where the key does not say it, and one to three servers with Esplora’s interface that tell of payments; of several, what they all tell counts. A single one is believed whatever it says: name two that different people run, unless it is your own.',
  tag,
  body: z.object({
    adapter: machineWord(40).meta({ example: 'lnd' }),
    config: settings.meta({ example: { url: 'https://node.example:8080' } }),
    secrets: settings.meta({ description: 'Stored encrypted, never shown', example: { macaroon: '0201036c6e64' } }),
  }),
  responses: { 200: json(bitcoinBackendRecord) },
  errors: { 400: ['settings_invalid'], 409: ['bitcoin_backend_test_failed'] },
  origin: 'project',
});

export const getBackup = contract({
  name: 'getBackup',
  method: 'GET',
  path: '/api/v1/backup',
  authentication: ['apiKey'],
  permissions: ['backup:read'],
  summary: 'Read what brings channel funds back, together with the node’s seed',
  description:
    'LND’s static channel backup: encrypted under the seed, and of no use without it. Restoring it closes every channel. Take a new one whenever channels were opened or closed.',
  tag,
  responses: {
    200: json(
      z
        .object({
          backendId: id('node'),
          publicKey: z.string().nullable().meta({ description: 'The node’s own key' }),
          format: z.enum(['lnd_multi_channel_backup']),
          data: z.base64().meta({ description: 'The backup itself' }),
          channels: z.int().meta({ description: 'How many channels are in it' }),
          createdAt: timestamp,
        })
        .meta({ id: 'WalletBackup' }),
    ),
  },
  errors: { 404: ['bitcoin_backend_not_set'], 409: ['backup_not_supported'], 503: ['node_unavailable'] },
  origin: 'project',
});
