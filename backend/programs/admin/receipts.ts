import { operator } from '@florin/shared/actor.ts';
import { z } from 'zod';
import { businessFlag, command, done, noBusiness, theBusiness } from './command.ts';

export const receiptKeyRotate = command({
  summary: 'Replace the key with which a business signs its receipts; earlier receipts stay valid',
  flags: { business: businessFlag },
  input: z.object({ business: z.string().optional() }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const { id, publicKey } = await backend.services.receipts.keys.rotate(businessId, operator);
    return done({ receiptKey: { id, publicKey } }, [`Receipts are signed with ${id} from now on`]);
  },
});
