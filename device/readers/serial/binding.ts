import { readSync, writeSync } from 'node:fs';
import { type AutoDetectTypes, autoDetect, DarwinPortBinding, LinuxPortBinding } from '@serialport/bindings-cpp';

/**
 * serialport's own binding, except for reading and writing where ports are polled:
 *
 * - A read of zero bytes is a pulled cable. As shipped it retries such a read at once and indefinitely: no `close`, a core
 *   kept busy. It happens whenever a device goes away right after sending.
 * - Both happen at once instead of in a thread of libuv's pool. The port is opened non-blocking, so they never wait; and
 *   no thread can be late and touch a descriptor that was closed meanwhile and now belongs to another file.
 */
export function unplugAwareBinding(): AutoDetectTypes {
  const native = autoDetect();
  const open = async (options: Parameters<typeof native.open>[0]) => {
    const port = await native.open(options);
    // On Windows a disconnected cable is reported as an error.
    if (port instanceof LinuxPortBinding || port instanceof DarwinPortBinding) {
      port.read = (buffer, offset, length) => read(port, buffer, offset, length);
      port.write = buffer => write(port, buffer);
    }
    return port;
  };
  return { list: () => native.list(), open } as AutoDetectTypes;
}

type PolledPort = LinuxPortBinding | DarwinPortBinding;

async function read(port: PolledPort, buffer: Buffer, offset: number, length: number) {
  for (;;) {
    // Polled first: usually there is nothing more to read, and an EAGAIN costs an exception.
    await ready(port, 'readable');
    const bytesRead = unlessBusy(() => readSync(descriptorOf(port), buffer, offset, length, null));
    if (bytesRead === 0) throw new Error('the line was hung up');
    if (bytesRead !== undefined) return { buffer, bytesRead };
  }
}

async function write(port: PolledPort, buffer: Buffer): Promise<void> {
  let written = 0;
  while (written < buffer.length) {
    const bytesWritten = unlessBusy(() => writeSync(descriptorOf(port), buffer, written)) ?? 0;
    if (bytesWritten === 0) await ready(port, 'writable');
    written += bytesWritten;
  }
}

function ready(port: PolledPort, event: 'readable' | 'writable'): Promise<void> {
  descriptorOf(port);
  return new Promise((resolve, reject) => {
    port.poller.once(event, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

function descriptorOf(port: PolledPort): number {
  // serialport treats this error as a close by the program, not as a disconnection.
  if (port.fd === null) throw Object.assign(new Error('Port is not open'), { canceled: true });
  return port.fd;
}

/** The result of a non-blocking call; undefined if it would block. */
function unlessBusy(call: () => number): number | undefined {
  try {
    return call();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK' || code === 'EINTR') return undefined;
    throw error;
  }
}
