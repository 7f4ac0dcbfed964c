import { expect, test } from 'vitest';
import { mostToasts, type Toast, withToast } from './toast-list.ts';

let ids = 0;
const aToast = (message: string, tone: Toast['tone'] = 'done'): Toast => {
  ids += 1;
  return { id: ids, tone, message };
};
const shown = (...toasts: readonly Toast[]) =>
  toasts.reduce<readonly Toast[]>(withToast, []).map(({ message }) => message);

test('at most a few are shown, the newest last', () => {
  expect(shown(...['a', 'b', 'c', 'd'].map(message => aToast(message)))).toEqual(['b', 'c', 'd']);
  expect(mostToasts).toBe(3);
});

test('the same message is shown once, with its newest undo', () => {
  const [first, again] = [
    { ...aToast('a'), undo: () => {} },
    { ...aToast('a'), undo: () => {} },
  ];
  expect([first, aToast('b'), again].reduce<readonly Toast[]>(withToast, [])).toMatchObject([
    { message: 'b' },
    { message: 'a', id: again.id, undo: again.undo },
  ]);
});

test('a problem stays while there is something else to leave', () => {
  expect(shown(aToast('p', 'problem'), ...['a', 'b', 'c'].map(message => aToast(message)))).toEqual(['p', 'b', 'c']);
  expect(shown(...['p', 'q', 'r', 's'].map(message => aToast(message, 'problem')))).toEqual(['q', 'r', 's']);
});
