import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';

test('accidentally logged objects lose secrets and card numbers, and errors their own fields', () => {
  let written = '';
  const log = createLog({
    level: 'info',
    destination: {
      write(line: string) {
        written += line;
      },
    },
  });
  const secrets = ['florin_api_live_x', 'token-1', 'hunter2-hunter2', '4111111111111111', 'block=='];
  const [key, token, password, pan, encryptedBlock] = secrets;
  log.info({ key, body: { token, password, card: { pan, encryptedBlock }, keys: [{ key }] } }, 'by accident');
  const round: Record<string, unknown> = { password };
  round.again = round;
  log.info(round, 'by accident');
  log.error(
    { err: Object.assign(new Error('query failed'), { parameters: [pan], detail: password, code: '23505' }) },
    'failed',
  );
  for (const secret of secrets) expect(written).not.toContain(secret);
  expect(written).toContain('[redacted]');
  expect(written).toContain('query failed');
  expect(written).toContain('23505');
});

test('lines logged in the turn of a crash are written', () => {
  const module = JSON.stringify(new URL('./log.ts', import.meta.url).href);
  const program = `const { createLog } = await import(${module});
    const log = createLog({ level: 'info' });
    setImmediate(() => { log.info({}, 'first'); log.info({}, 'last'); throw new Error('a bug'); });`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
  expect(stdout.toString().match(/"msg":"\w+"/g)).toEqual(['"msg":"first"', '"msg":"last"']);
  expect(status).toBe(1);
});

test('lines of a job include its context, across awaits and concurrent jobs', async () => {
  const written: string[] = [];
  const log = createLog({ level: 'info', destination: { write: (line: string) => void written.push(line) } });
  const work = (requestId: string) =>
    log.within({ requestId }, async () => {
      await new Promise(resolve => setImmediate(resolve));
      log.within({ job: 'inner' }, () => log.warn({ paymentId: `of ${requestId}` }, 'inside'));
    });
  await Promise.all([work('req_1'), work('req_2')]);
  log.apart({ job: 'apart' }, () => log.info({}, 'apart'));
  log.info({}, 'outside');
  const lines = written.map(line => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toMatchObject([
    { requestId: 'req_1', job: 'inner', paymentId: 'of req_1' },
    { requestId: 'req_2', job: 'inner', paymentId: 'of req_2' },
    { job: 'apart' },
    { msg: 'outside' },
  ]);
  expect(lines[3]).not.toHaveProperty('requestId');
  // Each work is a trace of its own; what is within it belongs to the same.
  const traceIds = lines.slice(0, 3).map(({ traceId }) => traceId);
  expect(new Set(traceIds).size).toBe(3);
  expect(traceIds.join()).toMatch(/^([0-9a-f]{32},?){3}$/);
});
