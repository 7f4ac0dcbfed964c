/** Wakes the other processes of the service where the database can. It may fail to: whoever relies on it also polls. */
export interface Notifications {
  /** Calls `listener` whenever another process notified the channel. */
  listen(channel: string, listener: () => void): void;
  close(): Promise<void>;
}

/** For a service of one process. */
export const noNotifications: Notifications = { listen() {}, close: async () => {} };
