import type { Clock, Ids, Random } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import { pruningJob } from '../../foundation/jobs/pruning.ts';
import type { SendLetter } from '../../foundation/mail.ts';
import type { Module } from '../../foundation/module.ts';
import type { PermanentKey } from '../../foundation/secrets/permanent-key.ts';
import type { Sealing } from '../../foundation/secrets/service.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { type ReceiptAddresses, receiptAddresses } from './address.ts';
import { receiptConsumer } from './consumer.ts';
import { type ReceiptKeys, receiptKeys } from './keys.ts';
import { receiptRoutes } from './routes.ts';
import { type ReceiptService, receiptService } from './service.ts';
import { deleteOldReceiptEmails } from './store.ts';

/** The receipts of sales, voids and refunds: their addresses, what they say, and the keys that sign them. */
export function receiptsModule(ports: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly secrets: Sealing;
  readonly permanentKey: PermanentKey;
  /** The public base URL, without a trailing slash. */
  readonly publicUrl: string;
  readonly businesses: Pick<BusinessService, 'find'>;
  readonly changes: ChangeLog;
  readonly sendLetter: SendLetter;
  /** Whether the service has a mail server. */
  readonly sendsEmails: boolean;
  readonly retentionMs: number;
}): Module<ReceiptService & { readonly addresses: ReceiptAddresses; readonly keys: ReceiptKeys }> {
  const addresses = receiptAddresses(ports);
  const box = ports.secrets.box({
    purpose: 'receipt key',
    table: 'receiptKeys',
    owner: 'id',
    columns: ['sealedSeed'],
  });
  const keys = receiptKeys({ ...ports, box });
  const receipts = receiptService({ ...ports, addresses, keys });
  return {
    service: { ...receipts, addresses, keys },
    routes: receiptRoutes({ receipts, keys, ...ports }),
    jobs: [pruningJob('receipt-address-pruning', ports, (tx, options) => tx.run(deleteOldReceiptEmails, options))],
    consumers: [receiptConsumer({ ...ports, addresses })],
  };
}
