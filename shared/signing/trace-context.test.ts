import { expect, test } from 'vitest';
import { spanIdOf, traceBegunBy, traceOf, traceparentOf } from './trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test.each([
  ['sampled', `00-${traceId}-${spanId}-01`, true],
  ['not sampled', `00-${traceId}-${spanId}-00`, false],
  ['with flags that are not known', `00-${traceId}-${spanId}-ff`, true],
  ['of a later version', `01-${traceId}-${spanId}-01`, true],
  ['of a later version with more members', `cc-${traceId}-${spanId}-00-what-follows`, false],
])('a header is read: %s', (_, header, isSampled) => {
  expect(traceOf(header)).toEqual({ traceId, isSampled });
});

test('is written as version 00, with the one flag that is known', () => {
  expect(traceparentOf({ traceId, isSampled: true }, spanId)).toBe(`00-${traceId}-${spanId}-01`);
  expect(traceparentOf({ traceId, isSampled: false }, spanId)).toBe(`00-${traceId}-${spanId}-00`);
});

test('the id of a sale or a request is that of its trace, and the end of it that of its span', () => {
  expect(traceBegunBy(`sale_${traceId}`)).toEqual({ traceId, isSampled: false });
  expect(spanIdOf(`req_${traceId}`)).toBe('a3ce929d0e0e4736');
});

test.each(['sale_1', 'req_till-7_0042', `req_${'0'.repeat(32)}`, `sale_${traceId.toUpperCase()}`])(
  'an id of another form still gives a valid trace, always the same: %s',
  id => {
    const trace = traceBegunBy(id);
    expect(traceOf(traceparentOf(trace, spanIdOf(id)))).toEqual(trace);
    expect(traceBegunBy(id)).toEqual(trace);
  },
);
