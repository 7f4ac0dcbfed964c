import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningSimulator, startReaderSimulator } from './start.ts';

let running: RunningSimulator;
beforeEach(async () => {
  running = await startReaderSimulator({ pace: 'unpaced' });
});
afterEach(() => running.close());

const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  fetch(`${running.url}/api/actions`, { method: 'POST', headers, body });

/** fetch does not allow setting the Host header. */
function statusFor(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(`${running.url}/api/state`, { headers }, response => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.once('error', reject);
    asked.end();
  });
}

describe('the HTTP interface', () => {
  test('an action returns the changed state', async () => {
    const response = await post(JSON.stringify({ do: 'battery', percent: 5 }));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ batteryPercent: 5, plugged: true });
  });

  test('no response contains a card number or a PIN', async () => {
    const state = await (await fetch(`${running.url}/api/state`)).text();
    expect(state).toContain('"lastFour":"0821"');
    expect(state).not.toMatch(/\d{13}|"pin"|"number"/);
  });

  test.each([
    ['{', 400, 'invalid_request'],
    ['[]', 400, 'invalid_request'],
    ['{"do":"explode"}', 400, 'invalid_request'],
    ['{"do":"battery","percent":101}', 400, 'invalid_request'],
    ['{"do":"insert","card":"4111111111111111"}', 400, 'invalid_request'],
    ['{"do":"remove","extra":1}', 400, 'invalid_request'],
    ['{"do":"tap","card":"visa"}', 409, 'not_now'],
    [JSON.stringify({ do: 'say', text: 'x'.repeat(11_000) }), 413, 'too_large'],
  ])('%s gets %i', async (body, status, code) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    const answer = await response.json();
    expect(answer).toMatchObject({ error: { code, message: expect.any(String) } });
    expect(JSON.stringify(answer)).not.toContain('4111');
  });

  test('requests of other sites are refused', async () => {
    const { host } = new URL(running.url);
    expect(await statusFor({ host: 'reader.example:80' })).toBe(403);
    expect(await statusFor({ host, origin: 'https://elsewhere.example' })).toBe(403);
    expect(await statusFor({ host, origin: running.url })).toBe(200);
    expect((await post('{"do":"reboot"}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await fetch(`${running.url}/api/nothing`)).status).toBe(404);
  });

  test('the page works under a policy without inline scripts', async () => {
    const page = await fetch(running.url);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self'/);
    expect(await page.text()).not.toMatch(/<script(?![^>]*src=)|style=|onclick=/);
    const script = await (await fetch(`${running.url}/app.js`)).text();
    expect(script).not.toContain('import type');
  });
});
