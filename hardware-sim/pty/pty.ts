/** The device's end of a pseudo-terminal; a host opens `path` as its serial port. */
export interface Pty {
  readonly backend: PtyBackend;
  readonly path: string;
  /** Bytes the host wrote. */
  onData(listener: (bytes: Buffer) => void): void;
  /** While paused the host's bytes stay in the kernel, as with a device that stopped reading. */
  setPaused(paused: boolean): void;
  /** Queues bytes for the host; waits out a full line. */
  write(bytes: Buffer): void;
  /** Resolves when everything queued has been handed to the kernel. */
  flushed(): Promise<void>;
  /** Pulls the cable: the host's port is hung up at once. */
  close(): void;
}

export const ptyBackends = ['koffi', 'script'] as const;
export type PtyBackend = (typeof ptyBackends)[number];
