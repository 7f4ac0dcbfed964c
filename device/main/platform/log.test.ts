import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('a log line states why a call was not answered and its trace, and contains no secret', () => {
  const script = `
    import { createLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).pathname)};
    createLog({ level: 'info' }).warn({
      code: 'ECONNRESET',
      saleId: 'sale_4bf92f3577b34da6a3ce929d0e0e4736',
      request: { enrolmentCode: 'ABCD-EFGH', token: 'tok_1', password: 'secret' },
    }, 'the service did not respond');`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stderr)).toMatchObject({
    msg: 'the service did not respond',
    code: 'ECONNRESET',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  });
  for (const secret of ['ABCD-EFGH', 'tok_1', 'secret']) expect(stderr).not.toContain(secret);
});
