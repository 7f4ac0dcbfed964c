import type { WithdrawalRecord } from '@florin/shared/contracts/api-v1/withdrawals.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { CopyButton, Fact, Facts, Time } from '../../components/values.tsx';
import { PageLink } from '../../shell/page-link.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { withdrawalsTexts } from './texts.ts';

type Props = { readonly withdrawal: WithdrawalRecord; readonly onClose: () => void };

/** One withdrawal: where it went, and what proves it. */
export function WithdrawalDrawer({ withdrawal, onClose }: Props) {
  const text = useTexts(withdrawalsTexts);
  const formats = useFormats();
  const { status, failureReason, missingSince, destination } = withdrawal;
  return (
    <Dialog shape="drawer" title={text.drawer} onClose={onClose}>
      {status === 'failed' ? (
        <Notice tone="ended" title={text.form.ended.failed}>
          {text.reasons[failureReason ?? 'other'] ?? failureReason}
        </Notice>
      ) : null}
      {status === 'unknown' ? (
        <Notice tone="attention" title={text.form.wait}>
          {text.form.waitWhy}
        </Notice>
      ) : null}
      {missingSince === null ? null : (
        <Notice
          tone="attention"
          title={text.missing(formats.dateTime(missingSince))}
          action={
            <PageLink to="problems" className="button button-quiet">
              {text.problems}
            </PageLink>
          }
        >
          {text.missingWhy}
        </Notice>
      )}
      <WithdrawalFacts withdrawal={withdrawal} />
      <section className="stack-tight">
        <h3>{text.destination}</h3>
        <div className="copy-line">
          <code>{destination}</code>
          <CopyButton text={destination} />
        </div>
      </section>
    </Dialog>
  );
}

function WithdrawalFacts({ withdrawal }: Pick<Props, 'withdrawal'>) {
  const text = useTexts(withdrawalsTexts);
  const words = useWords();
  const formats = useFormats();
  const { network, amountSats, feeSats, maxFeeSats, txId, preimage, createdAt, finalAt, status, id } = withdrawal;
  return (
    <Facts>
      <Fact name={text.state}>{text.statuses[status]}</Fact>
      <Fact name={text.amount}>{formats.sats(amountSats)}</Fact>
      {feeSats === null ? null : <Fact name={text.fee}>{formats.sats(feeSats)}</Fact>}
      {maxFeeSats === null ? null : <Fact name={text.maxFee}>{formats.sats(maxFeeSats)}</Fact>}
      <Fact name={text.over}>{words.methods[network]}</Fact>
      <Fact name={text.created}>
        <Time at={createdAt} />
      </Fact>
      {finalAt === null ? null : (
        <Fact name={text.ended}>
          <Time at={finalAt} />
        </Fact>
      )}
      {txId === null ? null : (
        <Fact name={network === 'lightning' ? text.paymentHash : text.txId}>
          <code>{txId}</code>
        </Fact>
      )}
      {preimage === null ? null : (
        <Fact name={text.preimage}>
          <code>{preimage}</code>
        </Fact>
      )}
      <Fact name={text.id}>
        <code>{id}</code>
      </Fact>
    </Facts>
  );
}
