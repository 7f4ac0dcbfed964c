import { unplugAwareBinding } from '@florin/device/readers/serial/binding.ts';
import { openPty } from '@florin/hardware-sim/pty/open.ts';
import { SerialPort } from 'serialport';

/** A serial line whose far end returns everything, to measure how fast serial lines are on this machine at the moment. */
export async function aSerialEcho() {
  const pty = await openPty();
  pty.onData(bytes => pty.write(bytes));
  const settings = { path: pty.path, baudRate: 115_200, autoOpen: false, binding: unplugAwareBinding() };
  const port = new SerialPort(settings as ConstructorParameters<typeof SerialPort>[0]);
  await new Promise<void>((resolve, reject) => port.open(error => (error ? reject(error) : resolve())));
  let back = () => {};
  port.on('data', () => back());
  return {
    exchange: () =>
      new Promise<void>(resolve => {
        back = resolve;
        port.write('?');
      }),
    close: async () => {
      if (port.isOpen) await new Promise<void>(resolve => port.close(() => resolve()));
      pty.close();
    },
  };
}
