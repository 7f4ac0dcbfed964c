/** The device's end of a pseudo-terminal; a host opens `path` as a serial port. */
export interface Pty {
  readonly backend: PtyBackend | 'tcp';
  readonly path: string;
  /** Bytes written by the host. */
  onData(listener: (bytes: Buffer) => void): void;
  /** Called when the host closed the connection; a serial line does not show that. */
  onHangUp?(listener: () => void): void;
  /** While paused the host's bytes stay in the kernel, as with a device that stopped reading. */
  setPaused(paused: boolean): void;
  /** Queues bytes for the host; waits while the line is full. */
  write(bytes: Buffer): void;
  /** Resolves when everything queued was passed to the kernel. */
  flushed(): Promise<void>;
  /** Disconnects the cable: the host's port is hung up at once. */
  close(): void;
}

export const ptyBackends = ['koffi', 'script'] as const;
export type PtyBackend = (typeof ptyBackends)[number];
