import { getDevice, getDeviceDiagnostics, listDevices, updateDevice } from '@florin/shared/contracts/api-v1/devices.ts';
import { reportTerminalStatus } from '@florin/shared/contracts/device-v1/commands.ts';
import { sendDiagnostics } from '@florin/shared/contracts/device-v1/diagnostics.ts';
import { getTerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/backend.ts';
import { aDrivenTerminal, ready } from '../../../test/support/driven-terminal.ts';

eachDatabase('what support sees of terminals', database => {
  test('a terminal reports what it needs, and whether it uses the latest configuration', async () => {
    const { client, till, manager, token } = await aDrivenTerminal(database);
    const key = { key: manager };
    const health = async () => {
      const device = await client.call(getDevice, { params: { id: till.terminalId } }, key);
      expect((await client.call(listDevices, {}, key)).body).toMatchObject({ items: [device.body] });
      return device.status === 200 ? device.body.health : device.body;
    };
    const report = (body: Parameters<typeof client.call<typeof reportTerminalStatus>>[1]['body']) =>
      client.call(reportTerminalStatus, { body }, token);
    await report(ready);
    expect(await health()).toBeNull();
    const version = async () => {
      const { body } = await client.call(getTerminalConfiguration, {}, token);
      return 'version' in body ? body.version : '';
    };
    const needs = {
      printer: 'out_of_paper',
      waitingReports: 3,
      clockAheadMs: -4_000,
      problems: ['disk_full'],
    } as const;
    const sent = { ...needs, problems: [...needs.problems] };
    await report({ ...ready, health: { ...sent, configurationVersion: await version() } });
    expect(await health()).toEqual({ ...needs, configuration: 'current' });
    await client.call(updateDevice, { params: { id: till.terminalId }, body: { name: 'Bar' } }, key);
    expect(await health()).toEqual({ ...needs, configuration: 'outdated' });
    await report({ ...ready, health: { ...sent, configurationVersion: await version() } });
    expect(await health()).toEqual({ ...needs, configuration: 'current' });
    const refused = await report({ ...ready, health: { ...sent, configurationVersion: null, waitingReports: -1 } });
    expect(refused).toMatchObject({ status: 400 });
  });

  test('the end of the log that a terminal sent last is read by its own business only', async () => {
    const { world, client, till, manager, token } = await aDrivenTerminal(database);
    const read = (key: string) => client.call(getDeviceDiagnostics, { params: { id: till.terminalId } }, { key });
    expect(await read(manager)).toMatchObject({
      status: 404,
      body: { error: { metadata: { reason: 'diagnostics_not_received' } } },
    });
    const sent = { launchCode: 'K7MTQX', appVersion: '1.0.0', platform: 'Test', log: ['{"msg":"first"}'] };
    expect(await client.call(sendDiagnostics, { body: sent }, token)).toMatchObject({ status: 200 });
    world.clock.advance({ hours: 1 });
    const again = { ...sent, log: ['{"msg":"second"}', '{"msg":"third"}'] };
    await client.call(sendDiagnostics, { body: again }, token);
    const receivedAt = new Date(world.clock.now()).toISOString();
    expect(await read(manager)).toMatchObject({ status: 200, body: { ...again, receivedAt } });
    const other = await world.aBusiness();
    expect(await read(await other.key('devices:read'))).toMatchObject({
      status: 404,
      body: { error: { metadata: { reason: 'device_not_found' } } },
    });
  });
});
