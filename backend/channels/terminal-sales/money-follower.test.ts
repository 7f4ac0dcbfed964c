import { expect, test } from 'vitest';
import type { StoredEvent } from '../../foundation/events/event.ts';
import { mayMoveSale } from './jobs.ts';

const anEvent = (type: StoredEvent['type'], payload: object): StoredEvent => ({
  id: 'evt_1',
  position: 1,
  businessId: 'biz_1',
  type,
  paymentId: 'pay_1',
  subjectId: 'ref_1',
  actorKind: 'system',
  actorId: null,
  terminalId: null,
  payloadJson: JSON.stringify(payload),
  createdAt: 0,
  trace: null,
});

test('the refund of a sale started over the API updates that sale', () => {
  expect(mayMoveSale(anEvent('refund.approved', { saleId: 'sale_1' }))).toBe(true);
});

test.each([
  ['was keyed in at a terminal', { saleId: 'req_1' }],
  ['came over the API', { saleId: null }],
  ['is about something else', {}],
])('an event that %s costs the followers of sales no transaction', (_, payload) => {
  expect(mayMoveSale(anEvent('refund.approved', payload))).toBe(false);
});

test('events of sales themselves do not update them again', () => {
  expect(mayMoveSale(anEvent('terminal.command_given', { saleId: 'sale_1' }))).toBe(false);
});
