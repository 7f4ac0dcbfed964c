import { supportCode } from '@florin/shared/contracts/support-code.ts';
import { formatMoney } from '@florin/shared/money.ts';
import { supportCodeOf } from '@florin/shared/signing/support-code.ts';
import { z } from 'zod';
import { afterEveryId } from '../../foundation/database/database.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import { salesOfBusiness } from '../../money/payments/store.ts';
import { businessFlag, command, done, noBusiness, theBusiness } from './command.ts';

const perQuery = 5_000;

export const saleFind = command({
  summary: 'Find the sale of a terminal by the support code that a person reads out',
  flags: { business: businessFlag, code: { about: 'Six letters and digits, as the terminal shows them' } },
  input: z.object({
    business: z.string().optional(),
    code: z.preprocess(typed => String(typed).replaceAll(' ', '').toUpperCase(), supportCode),
  }),
  async run({ business, code }, backend) {
    const businessId = await theBusiness(backend, business);
    if (businessId === undefined) return noBusiness(business);
    const sales: ReturnType<typeof factsOf>[] = [];
    for (let before: string = afterEveryId; ; ) {
      const page = await backend.database.all(salesOfBusiness, { businessId, before, limit: perQuery });
      sales.push(...page.filter(({ saleId }) => supportCodeOf(saleId ?? '') === code).map(factsOf));
      const last = page.at(-1);
      if (last === undefined || sales.length > 0) break;
      before = last.id;
    }
    const lines = sales.map(({ id, saleId, invoiceNumber, amountMinor, currency, status, terminalId, createdAt }) => {
      const amount = formatMoney({ amountMinor, currency }, 'en-GB');
      return `${saleId}  ${id}  ${invoiceNumber}  ${amount}  ${status}  ${terminalId}  ${new Date(createdAt).toISOString()}`;
    });
    return done({ sales }, lines.length === 0 ? [`No sale has the code ${code}: look for it in the logs`] : lines);
  },
});

function factsOf({ id, saleId, invoiceNumber, amountMinor, currency, status, terminalId, createdAt }: PaymentRow) {
  return { id, saleId, invoiceNumber, amountMinor, currency, status, terminalId, createdAt };
}
