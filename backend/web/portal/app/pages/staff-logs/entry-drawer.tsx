import type { StaffLogEntry } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Fact, Facts, Money, Time } from '../../components/values.tsx';
import { useTexts } from '../../words/texts.ts';
import { Result } from './result.tsx';
import { staffLogTexts } from './texts.ts';

/** Everything that an entry of a log says, with the hashes that tie it to the one before. */
export function EntryDrawer({ entry, onClose }: { readonly entry: StaffLogEntry; readonly onClose: () => void }) {
  const text = useTexts(staffLogTexts);
  const { staff, requestedBy, terminal, sale, amountInCents, attemptedAt, recordedAt, id, previousHash, hash } = entry;
  return (
    <Dialog shape="drawer" title={text.entry} onClose={onClose}>
      <Facts>
        <Fact name={text.result}>
          <Result entry={entry} />
        </Fact>
        <Fact name={text.staff}>
          {staff.name} · {staff.staffNumber}
        </Fact>
        {requestedBy === null ? null : (
          <Fact name={text.requestedBy}>
            {requestedBy.name} · {requestedBy.staffNumber}
          </Fact>
        )}
        <Fact name={text.terminal}>{terminal.name ?? terminal.id}</Fact>
        <Fact name={text.time}>
          <Time at={attemptedAt} />
        </Fact>
        <Fact name={text.recorded}>
          <Time at={recordedAt} />
        </Fact>
        <Fact name={text.sale}>{sale.invoiceNumber}</Fact>
        <Fact name={text.sold}>
          <Money minor={sale.amountInCents} currency={sale.currency} />
        </Fact>
        {sale.takenAt === null ? null : (
          <Fact name={text.taken}>
            <Time at={sale.takenAt} />
          </Fact>
        )}
        {amountInCents === null ? null : (
          <Fact name={text.amount}>
            <Money minor={amountInCents} currency={sale.currency} />
          </Fact>
        )}
        <Fact name={text.id}>
          <code>{id}</code>
        </Fact>
        <Fact name={text.previousHash}>
          <code>{previousHash}</code>
        </Fact>
        <Fact name={text.hash}>
          <code>{hash}</code>
        </Fact>
      </Facts>
    </Dialog>
  );
}
