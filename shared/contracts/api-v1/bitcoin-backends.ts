import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { machineWord } from '../text.ts';

const connectionTest = z.object({
  name: z.string().meta({ description: 'The tested interface', example: 'invoices' }),
  ok: z.boolean().meta({ description: 'Whether the test succeeded' }),
  cause: z.string().nullable().meta({ description: 'A stable code for the failure', example: 'permission_denied' }),
  message: z.string().nullable().meta({ description: 'The node’s own message, if any' }),
});
export type ConnectionTestRecord = z.infer<typeof connectionTest>;

export const bitcoinBackendRecord = z
  .object({
    id: id('node'),
    adapter: z.string().meta({ description: 'The kind of node', example: 'lnd' }),
    config: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Its settings without secrets, which are never shown' }),
    publicKey: z.string().nullable().meta({ description: 'The node’s public key' }),
    network: z.enum(['bitcoin', 'testnet', 'regtest', 'signet']),
    capabilities: z.object({
      lightning: z.boolean().meta({ description: 'Receives Lightning payments' }),
      onChain: z.boolean().meta({ description: 'Has receiving addresses' }),
      lightningWithdrawals: z.boolean().meta({ description: 'Pays Lightning invoices' }),
      onChainWithdrawals: z.boolean().meta({ description: 'Sends on chain' }),
      channelBackup: z.boolean().meta({ description: 'Has a channel backup to read' }),
    }),
    addresses: z
      .object({
        first: z.string().nullable().meta({
          description: 'The first address of `config.onChain.publicKey`: compare it with the wallet',
          example: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
        }),
        given: z.int().meta({
          description: 'The number of issued addresses; set the wallet’s gap limit to at least this',
          example: 42,
        }),
      })
      .nullable()
      .meta({ description: 'Set if addresses are derived from an extended public key; null if the node has its own' }),
    tests: z.array(connectionTest).meta({ description: 'The results of testing the node now' }),
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
  stepUp: true,
  authentication: ['apiKey'],
  permissions: ['bitcoin-backend:write'],
  summary: 'Set the node and wallet that receive the business’s bitcoin payments',
  description:
    'The node is tested at once, and the settings are stored only if the test succeeds. Settings for the same node replace the stored ones; another node receives new payments from then on, and the previous one is watched until its open payments have ended.  ' +
    '`config` and `secrets` depend on the adapter: for `lnd` `{"url","certificate"?,"privateHints"?}` and `{"macaroon"}`; for `phoenixd` `{"url","onChain"?}` and `{"password"}`. `onChain` is `{"publicKey","script"?,"sources"}`: the extended public key of an account (xpub, zpub, tpub, vpub, with its origin or as a descriptor), `bip84` or `bip86` if the key does not state it, and one to three servers with Esplora’s interface that report payments. With several servers, a payment counts only if all of them report it. A single server is trusted: use two from different operators unless it is your own.',
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
  stepUp: true,
  authentication: ['apiKey'],
  permissions: ['backup:read'],
  summary: 'Read the backup that recovers channel funds together with the node’s seed',
  description:
    'LND’s static channel backup: encrypted under the seed and useless without it. Restoring it closes every channel. Take a new one whenever channels were opened or closed.',
  tag,
  responses: {
    200: json(
      z
        .object({
          backendId: id('node'),
          publicKey: z.string().nullable().meta({ description: 'The node’s public key' }),
          format: z.enum(['lnd_multi_channel_backup']),
          data: z.base64().meta({ description: 'The backup' }),
          channels: z.int().meta({ description: 'The number of channels in it' }),
          createdAt: timestamp,
        })
        .meta({ id: 'WalletBackup' }),
    ),
  },
  errors: { 404: ['bitcoin_backend_not_set'], 409: ['backup_not_supported'], 503: ['node_unavailable'] },
  origin: 'project',
});
