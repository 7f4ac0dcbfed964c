import { read } from 'node:fs';
import { type AutoDetectTypes, autoDetect, DarwinPortBinding, LinuxPortBinding } from '@serialport/bindings-cpp';

/**
 * serialport's own binding, except that a read of zero bytes is a pulled cable. As shipped it retries such a read at
 * once and for ever: no `close`, a core kept busy. It happens whenever a device goes away right after sending.
 */
export function unplugAwareBinding(): AutoDetectTypes {
  const native = autoDetect();
  const open = async (options: Parameters<typeof native.open>[0]) => {
    const port = await native.open(options);
    // Windows reports a pulled cable as an error by itself.
    if (port instanceof LinuxPortBinding || port instanceof DarwinPortBinding) port.read = readOf(port);
    return port;
  };
  return { list: () => native.list(), open } as AutoDetectTypes;
}

type PolledPort = LinuxPortBinding | DarwinPortBinding;

function readOf(port: PolledPort): PolledPort['read'] {
  return async (buffer, offset, length) => {
    for (;;) {
      if (!port.isOpen || port.fd === null) throw cancelled();
      try {
        const bytesRead = await readOnce(port.fd, buffer, offset, length);
        if (bytesRead === 0) throw new Error('the line was hung up');
        return { buffer, bytesRead };
      } catch (error) {
        if (!port.isOpen) throw cancelled();
        if (!mayRetry(error)) throw error;
        await readable(port);
      }
    }
  };
}

function readOnce(fd: number, buffer: Buffer, offset: number, length: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, buffer, offset, length, null, (error, bytesRead) => (error ? reject(error) : resolve(bytesRead)));
  });
}

function readable(port: PolledPort): Promise<void> {
  return new Promise((resolve, reject) => {
    port.poller.once('readable', (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

function mayRetry(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EAGAIN' || code === 'EWOULDBLOCK' || code === 'EINTR';
}

/** What serialport takes as "closed by us", not as a disconnect. */
function cancelled(): Error {
  return Object.assign(new Error('Port is not open'), { canceled: true });
}
