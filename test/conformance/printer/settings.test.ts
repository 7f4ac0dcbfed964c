import { printerAddressOf } from '@florin/device/printers/settings.ts';
import { expect, test } from 'vitest';

test.each([
  ['/dev/ttyUSB0', { kind: 'serial', path: '/dev/ttyUSB0', baudRate: 38_400 }],
  ['/dev/ttyUSB0@9600', { kind: 'serial', path: '/dev/ttyUSB0', baudRate: 9_600 }],
  ['COM3', { kind: 'serial', path: 'COM3', baudRate: 38_400 }],
  ['tcp://192.168.1.50', { kind: 'tcp', host: '192.168.1.50', port: 9100 }],
  ['tcp://[::1]:9101', { kind: 'tcp', host: '::1', port: 9101 }],
  ['system', { kind: 'system', name: null }],
  ['system:Front_counter', { kind: 'system', name: 'Front_counter' }],
])('--printer %s', (text, address) => {
  expect(printerAddressOf(text)).toEqual(address);
});

test.each(['', 'tcp://', 'tcp://host/path', 'tcp://user@host', 'http://host', 'system:', 'usb:1'])(
  '--printer %j is refused',
  text => {
    expect(printerAddressOf(text)).toBeUndefined();
  },
);
