import type { BusinessRecord } from '@florin/shared/contracts/api-v1/business.ts';
import { useCall, useRead } from '../../api/use-read.ts';
import { useAdding } from '../../components/adding.tsx';
import { CheckField } from '../../components/field.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Card, PageHead, Tabs } from '../../components/page.tsx';
import { complain, toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { Accounts } from './accounts.tsx';
import { methodsTexts } from './texts.ts';

/** Which ways to pay customers are offered, and where cards are sent. */
export function Page() {
  const text = useTexts(methodsTexts);
  const read = useRead('getBusiness', {});
  const { add, isAdding, endAdding } = useAdding('team:write', text.add);
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={add} />
      <Tabs area="settings" />
      <div className="stack">
        <Loaded read={read} skeleton={<SkeletonLines lines={8} />}>
          {business => <Offered methods={business.paymentMethods} />}
        </Loaded>
        <section>
          <h2 className="section-title">{text.accounts}</h2>
          <p className="muted section-about">{text.accountsWhy}</p>
          <Accounts begin={add} isAdding={isAdding} countryCode={read.data?.countryCode} onAdded={endAdding} />
        </section>
      </div>
    </>
  );
}

type Methods = BusinessRecord['paymentMethods'];

function Offered({ methods }: { readonly methods: Methods }) {
  const text = useTexts(methodsTexts);
  const call = useCall();
  const change = async (method: keyof Methods, isOn: boolean, isUndo = false) => {
    const answer = await call('updateBusiness', { body: { paymentMethods: { [method]: isOn } } });
    const [name] = text.methods[method];
    if (!answer.ok) complain(answer.message);
    else if (!isUndo) toast(isOn ? text.isOn(name) : text.isOff(name), () => void change(method, !isOn, true));
  };
  return (
    <Card title={text.offered}>
      <div className="form">
        {(Object.keys(text.methods) as (keyof Methods)[]).map(method => (
          <CheckField
            key={method}
            label={text.methods[method][0]}
            hint={text.methods[method][1]}
            checked={methods[method]}
            onChange={({ target }) => void change(method, target.checked)}
          />
        ))}
      </div>
    </Card>
  );
}
