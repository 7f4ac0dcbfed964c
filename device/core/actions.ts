import type { UserAction } from '../ipc/user-action.ts';

/** What each action does; false where it does not fit what is under way. */
export type ActionHandlers = {
  readonly [Name in UserAction['name']]: (action: Extract<UserAction, { name: Name }>) => boolean;
};

/** In kiosk mode, everything else is not for customers. */
const customerActions: ReadonlySet<UserAction['name']> = new Set([
  'cancel_sale',
  'pay_in_bitcoin',
  'pay_by_card',
  'show_keypad',
  'change_mode',
  'confirm_return',
  'enter_staff_number',
  'enter_password',
  'choose_password',
  'back',
]);

export function isForCustomers({ name }: UserAction): boolean {
  return customerActions.has(name);
}

export function performAction(handlers: ActionHandlers, action: UserAction): boolean {
  const handler = handlers[action.name] as (action: UserAction) => boolean;
  return handler(action);
}
