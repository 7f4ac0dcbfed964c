import type { Permission } from '@florin/shared/permissions.ts';
import { useBusiness } from '../session/session.ts';
import { usePermissionEffects } from '../words/permission-effects.ts';
import { usePermissionNames } from '../words/permissions.ts';
import { texts, useTexts } from '../words/texts.ts';
import { CheckField, CheckGroup } from './field.tsx';

const groups = {
  money: [
    'sales:read',
    'take-payments:read',
    'take-payments:write',
    'refunds:write',
    'tip-links:read',
    'tip-links:write',
  ],
  terminals: ['devices:read', 'devices:write', 'terminal-sales:read', 'terminal-sales:write'],
  people: ['team:read', 'team:write', 'notifications:write', 'dashboard:write'],
  developers: ['api-keys:read', 'api-keys:write', 'webhooks:read', 'webhooks:write', 'ucp:verify'],
  bitcoin: ['bitcoin-backend:read', 'bitcoin-backend:write', 'withdraw:write', 'backup:read'],
} as const satisfies Record<string, readonly Permission[]>;

const groupNames = texts({
  en: {
    money: 'Payments',
    terminals: 'Terminals',
    people: 'People',
    developers: 'Developers',
    bitcoin: 'Bitcoin',
  },
  de: {
    money: 'Zahlungen',
    terminals: 'Terminals',
    people: 'Menschen',
    developers: 'Entwickler',
    bitcoin: 'Bitcoin',
  },
});

type PermissionFieldsProps = {
  readonly chosen: readonly Permission[];
  readonly onChange: (chosen: readonly Permission[]) => void;
  /** These are given anyway. */
  readonly fixed?: readonly Permission[];
  readonly issue?: string | undefined;
};

/** A choice of permissions: those that the user holds, because nobody gives what they lack. */
export function PermissionFields({ chosen, onChange, fixed = [], issue }: PermissionFieldsProps) {
  const names = useTexts(groupNames);
  const nameOf = usePermissionNames();
  const effects = usePermissionEffects();
  const { permissions: held } = useBusiness();
  const offered = (Object.keys(groups) as (keyof typeof groups)[])
    .map(group => [group, groups[group].filter(code => held.includes(code))] as const)
    .filter(([, codes]) => codes.length > 0);
  return (
    <div className="form">
      {issue === undefined ? null : <p className="field-issue">{issue}</p>}
      {offered.map(([group, codes]) => (
        <CheckGroup key={group} label={names[group]}>
          {codes.map(code => (
            <CheckField
              key={code}
              label={nameOf(code)}
              hint={effects[code]}
              checked={fixed.includes(code) || chosen.includes(code)}
              disabled={fixed.includes(code)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, code] : chosen.filter(other => other !== code))
              }
            />
          ))}
        </CheckGroup>
      ))}
    </div>
  );
}

/** Permissions that somebody or something holds, with their codes. */
export function GrantedPermissions({ permissions }: { readonly permissions: readonly Permission[] }) {
  const nameOf = usePermissionNames();
  const effects = usePermissionEffects();
  return (
    <ul className="granted">
      {permissions.map(code => (
        <li key={code}>
          <div>
            <p>{nameOf(code)}</p>
            <p className="small muted">{effects[code]}</p>
          </div>
          <code>{code}</code>
        </li>
      ))}
    </ul>
  );
}
