import type { BitcoinClaimFacts, BitcoinClaimRecord } from '@florin/shared/contracts/api-v1/bitcoin-claims.ts';
import { useState } from 'react';
import { useCall, useRead } from '../../api/use-read.ts';
import { Dialog } from '../../components/dialog.tsx';
import { LinesField, SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { CopyButton, Fact, Facts, Time } from '../../components/values.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useMay } from '../../session/session.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { returnsTexts } from './texts.ts';

/** What is still to be returned of a claim, in satoshis. */
export function leftOf({ amountSats, returnedSats, refundedSats }: BitcoinClaimFacts): number {
  return Math.max(0, amountSats - returnedSats - refundedSats);
}

const pages: Readonly<Partial<Record<BitcoinClaimFacts['purpose'], string>>> = {
  checkout: 'checkouts',
  paymentLink: 'links',
  tip: 'tips',
};

/** One amount to return: where it comes from, where it goes, and what was returned of it. */
export function ReturnDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const text = useTexts(returnsTexts);
  const may = useMay();
  const read = useRead('getBitcoinClaim', { params: { id } });
  return (
    <Dialog shape="drawer" className="wide" title={text.title} onClose={onClose}>
      <Loaded read={read} skeleton={<SkeletonLines lines={8} />}>
        {claim => (
          <>
            <Claim claim={claim} />
            {may('take-payments:write') && leftOf(claim) > 0 ? <Record claim={claim} onClose={onClose} /> : null}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

type Props = { readonly claim: BitcoinClaimRecord };

function Claim({ claim }: Props) {
  const text = useTexts(returnsTexts);
  const formats = useFormats();
  const { purpose, purposeId, status, reason, amountSats, refundedSats, returnedSats } = claim;
  const page = pages[purpose];
  return (
    <>
      {status === 'disputed' ? <Notice tone="refused">{text.disputed}</Notice> : null}
      {status === 'open' ? <Notice tone="doing">{text.open}</Notice> : null}
      <Facts>
        <Fact name={text.what}>
          {page === undefined ? (
            text.purposes[purpose]
          ) : (
            <PageLink to={`${page}/${purposeId}`}>{text.purposes[purpose]}</PageLink>
          )}
        </Fact>
        <Fact name={text.reason}>{text.reasons[reason]}</Fact>
        <Fact name={text.total}>{formats.sats(amountSats)}</Fact>
        {refundedSats === 0 ? null : <Fact name={text.refunded}>{formats.sats(refundedSats)}</Fact>}
        {returnedSats === 0 ? null : <Fact name={text.returned}>{formats.sats(returnedSats)}</Fact>}
        <Fact name={text.left}>
          <span className="strong">{formats.sats(leftOf(claim))}</span>
        </Fact>
      </Facts>
      <Destinations claim={claim} />
      <Transactions title={text.receipts} of={claim.receipts} />
      <Transactions title={text.returns} of={claim.returns} />
    </>
  );
}

function Destinations({ claim: { destinations } }: Props) {
  const text = useTexts(returnsTexts);
  const formats = useFormats();
  if (destinations.length === 0) return null;
  return (
    <section className="stack-tight">
      <h3>{text.destinations}</h3>
      {destinations.map(({ destination, givenAt }) => (
        <div key={destination} className="stack-tight">
          <div className="copy-line">
            <code>{destination}</code>
            <CopyButton text={destination} />
          </div>
          <p className="small muted">{text.givenAt(formats.dateTime(givenAt))}</p>
        </div>
      ))}
    </section>
  );
}

type Transaction = {
  readonly network: 'lightning' | 'onchain';
  readonly txId: string;
  readonly amountSats: number;
  readonly returnedAt?: string;
  readonly note?: string | null;
};

function Transactions({ title, of }: { readonly title: string; readonly of: readonly Transaction[] }) {
  const words = useWords();
  const formats = useFormats();
  if (of.length === 0) return null;
  return (
    <section className="stack-tight">
      <h3>{title}</h3>
      <ul className="granted">
        {of.map(({ network, txId, amountSats, returnedAt, note }) => (
          <li key={txId}>
            <div>
              <p>
                {words.methods[network]}
                {returnedAt === undefined ? null : (
                  <>
                    {' · '}
                    <Time at={returnedAt} />
                  </>
                )}
              </p>
              <code className="small">{txId}</code>
              {note ? <p className="small muted">{note}</p> : null}
            </div>
            <span className="nowrap">{formats.sats(amountSats)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Record({ claim, onClose }: Props & { readonly onClose: () => void }) {
  const { record: text } = useTexts(returnsTexts);
  const words = useWords();
  const call = useCall();
  const [network, setNetwork] = useState<'lightning' | 'onchain'>('lightning');
  const { submit, isBusy, issues, message } = useWriteForm({
    claim_already_returned: text.claim_already_returned,
    return_exceeds_claim: ['amountSats', text.return_exceeds_claim],
    return_differs: ['txId', text.return_differs],
    destination_required: ['destination', text.destination_required],
    destination_not_given: ['destination', text.destination_not_given],
  });
  const send = (form: FormData) => {
    const [destination, note] = [textOf(form, 'destination'), textOf(form, 'note').trim()];
    const body = {
      network,
      txId: textOf(form, 'txId').trim().toLowerCase(),
      amountSats: Number(textOf(form, 'amount')),
      ...(destination === '' ? {} : { destination }),
      ...(note === '' ? {} : { note }),
    };
    void submit({
      send: idempotencyKey => call('returnBitcoinClaim', { params: { id: claim.id }, body }, { idempotencyKey }),
      onDone: () => {
        toast(text.done);
        onClose();
      },
    });
  };
  return (
    <section className="stack-tight">
      <h3>{text.title}</h3>
      <Form onSubmit={send} action={text.submit} isBusy={isBusy} message={message}>
        <p className="muted">{text.why}</p>
        <SelectField
          label={text.network}
          value={network}
          choices={(['lightning', 'onchain'] as const).map(each => [each, words.methods[each]])}
          onChange={({ target }) => setNetwork(target.value === 'onchain' ? 'onchain' : 'lightning')}
        />
        <TextField
          label={text.txId}
          name="txId"
          hint={text.txIdHint}
          required
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          issue={issues.txId}
        />
        <TextField
          label={text.amount}
          name="amount"
          type="number"
          min={1}
          max={leftOf(claim)}
          required
          defaultValue={leftOf(claim)}
          issue={issues.amountSats}
        />
        {claim.destinations.length === 0 ? null : (
          <SelectField
            label={text.destination}
            name="destination"
            required
            choices={[
              ...(claim.destinations.length > 1 ? ([['', '']] as const) : []),
              ...claim.destinations.map(({ destination }) => [destination, destination] as const),
            ]}
            issue={issues.destination}
          />
        )}
        <LinesField label={text.note} name="note" hint={text.noteHint} maxLength={500} rows={2} issue={issues.note} />
      </Form>
    </section>
  );
}
