import { operations } from '@florin/shared/contracts/operations.ts';
import { problem, ucpProblem } from '@florin/shared/contracts/problem.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';

eachDatabase('the HTTP interface', database => {
  test('is healthy and ready', async () => {
    const { url } = await aBackend({ database });
    for (const path of ['/healthz', '/readyz']) expect((await fetch(url + path)).status).toBe(200);
  });
});

test('pages of any origin may call the kiosk operations and reads without a key, and nothing else', async () => {
  const { url } = await aBackend();
  const ask = (path: string, method: string) =>
    fetch(url + path, {
      method: 'OPTIONS',
      headers: { origin: 'https://kiosk.example', 'access-control-request-method': method },
    });
  const allowed = async (path: string, method: string) => {
    const { status, headers } = await ask(path, method);
    const methods = headers.get('access-control-allow-methods')?.split(', ') ?? [];
    return status === 204 && headers.get('access-control-allow-origin') === '*' && methods.includes(method);
  };
  for (const { method, path } of operations) {
    const isForKiosks = path.startsWith('/kiosk/v1/');
    const isWatching = method === 'GET' && path.startsWith('/api/v1/checkout/');
    const isForVerifiers = path.startsWith('/.well-known/florin-receipts/') || path === '/r/{token}/receipt.json';
    expect([method, path, await allowed(path.replaceAll(/[{}]/g, ''), method)]).toEqual([
      method,
      path,
      isForKiosks || isWatching || isForVerifiers,
    ]);
  }
  const refused = await fetch(`${url}/kiosk/v1/terminals/FL-0001`, { headers: { origin: 'https://kiosk.example' } });
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
  expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
});

const otherMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

test('every address answers a method it does not take with 405, its methods in Allow, and its own form of errors', async () => {
  const { url } = await aBackend();
  // What only the portal serves has another address.
  const served = operations.filter(({ authentication }) => !authentication.includes('portalSession'));
  const paths = Map.groupBy(served, ({ path }) => path.replaceAll(/[{}]/g, ''));
  for (const path of ['/healthz', '/readyz', '/api/v1/openapi.json', '/api/v1/docs', '/kiosk/v1/openapi.json'])
    paths.set(path, []);
  for (const [path, contracts] of paths) {
    const taken = contracts.length === 0 ? ['GET'] : contracts.map(({ method }) => method);
    const response = await fetch(url + path, {
      method: otherMethods.find(each => !taken.includes(each as 'GET')) ?? '',
    });
    const allowed = response.headers.get('allow')?.split(', ') ?? [];
    const shape = contracts[0]?.errorShape;
    expect([path, response.status]).toEqual([path, shape === 'lnurl' ? 200 : 405]);
    expect([path, ...allowed.filter(each => each !== 'HEAD' && each !== 'OPTIONS').toSorted()]).toEqual([
      path,
      ...taken.toSorted(),
    ]);
    expect([path, allowed.includes('HEAD')]).toEqual([path, taken.includes('GET')]);
    expect([path, allowed.includes('OPTIONS')]).toEqual([path, response.headers.has('access-control-allow-origin')]);
    if (shape === 'lnurl') continue;
    const body: unknown = await response.json();
    if (shape === 'ucp') expect(ucpProblem.parse(body).code).toBe('invalid_request');
    else expect(problem.parse(body).error.message).toMatch(/^This address takes [A-Z, ]+ only$/);
  }
  for (const prefix of ['/api/v1', '/kiosk/v1']) {
    const { info } = (await (await fetch(`${url}${prefix}/openapi.json`)).json()) as { info: { description: string } };
    expect(info.description).toMatch(/405 .*`Allow`/);
    expect(info.description).toMatch(/does not describe is ignored, and so is a misspelt one/);
  }
});
