import type { BodyFor } from '../../api/call.ts';
import { useRead } from '../../api/use-read.ts';
import { SelectField } from '../../components/field.tsx';
import { useBusiness } from '../../session/session.ts';
import { usePermissionNames } from '../../words/permissions.ts';
import { useRoleNames } from '../../words/roles.ts';
import { useTexts } from '../../words/texts.ts';
import { teamTexts } from './texts.ts';

export type Role = BodyFor<'listRoles'>['items'][number];

/** The roles that the user can give: nobody gives permissions that they do not hold. */
export function useGivenRoles(): readonly Role[] {
  const { permissions } = useBusiness();
  const roles = useRead('listRoles', {});
  return (roles.data?.items ?? []).filter(role => role.permissions.every(code => permissions.includes(code)));
}

type RoleFieldProps = {
  readonly value: string;
  readonly onChange: (roleId: string) => void;
  readonly issue?: string | undefined;
};

/** A choice of one role, which says what it permits. */
export function RoleField({ value, onChange, issue }: RoleFieldProps) {
  const text = useTexts(teamTexts);
  const nameOf = useRoleNames();
  const permission = usePermissionNames();
  const roles = useGivenRoles();
  const chosen = roles.find(({ id }) => id === value);
  const may = chosen?.id === 'owner' ? text.form.all : chosen?.permissions.map(permission).join(', ');
  return (
    <SelectField
      label={text.role}
      value={value}
      required
      choices={[['', ''], ...roles.map(role => [role.id, nameOf(role)] as const)]}
      hint={may === undefined ? undefined : `${text.form.may}: ${may}`}
      onChange={({ target }) => onChange(target.value)}
      issue={issue}
    />
  );
}
