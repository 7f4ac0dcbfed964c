import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';

test('what is logged by accident holds no secret and no card number, and an error none of its own fields', () => {
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

test('what was logged in the turn in which a program dies is written all the same', () => {
  const module = JSON.stringify(new URL('./log.ts', import.meta.url).href);
  const program = `const { createLog } = await import(${module});
    const log = createLog({ level: 'info' });
    setImmediate(() => { log.info({}, 'first'); log.info({}, 'last'); throw new Error('a bug'); });`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
  expect(stdout.toString().match(/"msg":"\w+"/g)).toEqual(['"msg":"first"', '"msg":"last"']);
  expect(status).toBe(1);
});
