import type { UserAction } from '../ipc/user-action.ts';

/** Runs an action; returns false if the action is not possible in the current state. */
export type ActionHandlers = {
  readonly [Name in UserAction['name']]: (action: Extract<UserAction, { name: Name }>) => boolean;
};

/** In kiosk mode customers may take only these actions. */
const customerActions: ReadonlySet<UserAction['name']> = new Set([
  'cancel_sale',
  'pay_in_bitcoin',
  'pay_by_card',
  'show_keypad',
  'print_receipt',
  'show_receipt_code',
  'hide_receipt_code',
  'change_mode',
  'choose_language',
  'confirm_return',
  'enter_staff_number',
  'enter_password',
  'choose_password',
  'back',
]);

/** Whether the terminal accepts the action in kiosk mode, also from a manager who ends that mode. */
export function isForCustomers({ name }: UserAction): boolean {
  return customerActions.has(name);
}

/** False if the action is not possible in the current state; nothing has changed then. */
export function performAction(handlers: ActionHandlers, action: UserAction): boolean {
  const handler = handlers[action.name] as (action: UserAction) => boolean;
  return handler(action);
}
