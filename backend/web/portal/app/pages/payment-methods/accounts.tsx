import type { GatewayAccountRecord } from '@florin/shared/contracts/api-v1/gateway-accounts.ts';
import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/use-read.ts';
import { useFilters } from '../../components/list-state.tsx';
import { Status } from '../../components/notice.tsx';
import { RowMenu } from '../../components/row-menu.tsx';
import { type Column, List } from '../../components/table.tsx';
import { toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { DisableAccount, TestDialog, UseAccount, useAccountTest } from './account-dialogs.tsx';
import { ChangeAccount } from './change-account.tsx';
import { NewAccount } from './new-account.tsx';
import { methodsTexts } from './texts.ts';

type Act = 'change' | 'test' | 'use' | 'disable';
type Acting = { readonly account: GatewayAccountRecord; readonly act: Act };

function useColumns(onAct: (acting: Acting) => void): readonly Column<GatewayAccountRecord>[] {
  const text = useTexts(methodsTexts);
  return [
    { id: 'name', header: text.name, cell: ({ name }) => <span className="strong">{name}</span>, onCard: 'lead' },
    {
      id: 'gateway',
      header: text.gateway,
      cell: ({ adapter }) => text.gateways[adapter] ?? adapter,
      onCard: 'detail',
    },
    { id: 'merchant', header: text.merchant, cell: ({ merchantId }) => <code>{merchantId}</code>, onCard: 'detail' },
    {
      id: 'state',
      header: text.state,
      cell: ({ isDefault, disabledAt }) => {
        if (disabledAt !== null) return <Status tone="ended">{text.disabled}</Status>;
        return isDefault ? <Status tone="done">{text.used}</Status> : <Status tone="act">{text.unused}</Status>;
      },
      onCard: 'state',
    },
    {
      id: 'can',
      header: text.can,
      isExtra: true,
      cell: ({ capabilities }) =>
        (Object.keys(text.capabilities) as (keyof typeof capabilities)[])
          .filter(name => capabilities[name])
          .map(name => text.capabilities[name])
          .join(', '),
    },
    {
      id: 'actions',
      header: '',
      isNumber: true,
      cell: account => <AccountMenu account={account} onAct={act => onAct({ account, act })} />,
      onCard: 'amount',
    },
  ];
}

type MenuProps = { readonly account: GatewayAccountRecord; readonly onAct: (act: Act) => void };

function AccountMenu({ account: { name, isDefault, isOwn, disabledAt }, onAct }: MenuProps) {
  const text = useTexts(methodsTexts);
  const isDisabled = disabledAt !== null;
  return (
    <RowMenu
      label={text.actions(name)}
      choices={[
        ...(isOwn ? [['settings', text.change, () => onAct('change')] as const] : []),
        ['bolt', text.test, () => onAct('test')],
        ...(isDisabled || isDefault ? [] : [['check', text.use, () => onAct('use')] as const]),
        ...(isDisabled ? [] : [['ended', text.disable, () => onAct('disable')] as const]),
      ]}
    />
  );
}

type Props = {
  /** What begins the list. */
  readonly begin: ReactNode;
  readonly isAdding: boolean;
  /** Of the business, once it is known. */
  readonly countryCode: string | undefined;
  readonly onAdded: () => void;
};

/** The accounts at card gateways, and what can be done with them. */
export function Accounts({ begin, isAdding, countryCode, onAdded }: Props) {
  const text = useTexts(methodsTexts);
  const { query } = useFilters();
  const read = useRead('listGatewayAccounts', { query: { ...query, limit: 50 } });
  const [acting, setActing] = useState<Acting>();
  const { test, answer } = useAccountTest();
  const act = (next: Acting) => {
    setActing(next);
    if (next.act === 'test') void test(next.account.id);
  };
  const columns = useColumns(act);
  const close = () => setActing(undefined);
  return (
    <>
      <List
        read={read}
        columns={columns}
        text={{ caption: text.caption, empty: text.none, emptyWhy: text.noneWhy }}
        icon="payments"
        begin={begin}
      />
      {isAdding && countryCode !== undefined ? (
        <NewAccount
          countryCode={countryCode}
          onClose={onAdded}
          onAdded={account => {
            toast(text.form.added(account.name));
            onAdded();
            act({ account, act: 'test' });
          }}
        />
      ) : null}
      {acting?.act === 'change' ? (
        <ChangeAccount
          account={acting.account}
          onClose={close}
          onChanged={account => {
            toast(text.changing.changed(account.name));
            act({ account, act: 'test' });
          }}
        />
      ) : null}
      {acting?.act === 'test' ? (
        <TestDialog
          account={acting.account}
          answer={answer}
          onAgain={() => void test(acting.account.id)}
          onUse={() => act({ ...acting, act: 'use' })}
          onClose={close}
        />
      ) : null}
      {acting?.act === 'use' ? <UseAccount account={acting.account} onClose={close} /> : null}
      {acting?.act === 'disable' ? <DisableAccount account={acting.account} onClose={close} /> : null}
    </>
  );
}
