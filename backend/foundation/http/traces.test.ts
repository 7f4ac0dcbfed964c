import { request } from 'undici';
import { expect, test } from 'vitest';
import { aBackend } from '../../../test/support/backend.ts';
import { linesOf } from '../../../test/support/log-lines.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';
const valid = `00-${traceId}-${span}-01`;

test('a request is in its caller’s trace, and with a header that is not valid in one of its own', async () => {
  const world = await aBackend();
  const key = await (await world.aBusiness()).key('sales:read');

  /** The trace in the line about a request with this header, and the one that the request begins without it. */
  async function traceWith(traceparent: string | string[] | undefined) {
    const headers = { authorization: `Bearer ${key}`, ...(traceparent === undefined ? {} : { traceparent }) };
    const answer = await request(`${world.url}/api/v1/payments`, { headers });
    await answer.body.dump();
    const requestId = String(answer.headers['x-request-id']);
    const line = linesOf(world.logged()).find(each => each.requestId === requestId && each.msg === 'answered');
    return { traceId: line?.traceId, own: requestId.replace('req_', '') };
  }

  expect((await traceWith(valid)).traceId).toBe(traceId);
  const invalid = [
    undefined,
    '',
    `00-${traceId.slice(1)}-${span}-01`,
    `00-${traceId}a-${span}-01`,
    `00-${traceId}-${span.slice(1)}-01`,
    `00-${traceId}-${span}-1`,
    `${valid}-more`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `ff-${traceId}-${span}-01`,
    `00-${traceId.toUpperCase()}-${span}-01`,
    `00-${traceId.replace('f', 'g')}-${span}-01`,
    [valid, valid],
  ];
  for (const header of invalid) {
    const answered = await traceWith(header);
    expect([header, answered.traceId]).toEqual([header, answered.own]);
  }
});
